"""The examples in the docstrings of the lowest floors run."""

import doctest
import importlib
import pkgutil

import pytest

import challenge.daily
import challenge.game

MODULES = [
    f"{package.__name__}.{module.name}"
    for package in (challenge.game, challenge.daily)
    for module in pkgutil.iter_modules(package.__path__)
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_game_floor_has_examples():
    tried = [doctest.testmod(importlib.import_module(name)).attempted for name in MODULES]
    assert sum(tried) > 0
