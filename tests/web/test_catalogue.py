"""Catalogues: complete, nothing unused, placeholders alike."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from challenge.web import i18n

TOP = Path(__file__).parents[2]
OTHERS = [code for code in i18n.languages() if code != i18n.SOURCE]

Key = tuple[str | None, str | tuple[str, ...]]


def _key(message: Message) -> Key:
    return message.context, message.id


@cache
def extracted() -> dict[Key, Message]:
    """Every message of code, templates and sheet data."""
    with (i18n.CATALOGUES / "babel.cfg").open() as settings:
        methods, options = parse_mapping_cfg(settings)
    found = Catalog()
    for _, _, message, comments, context in extract_from_dir(
        TOP / "challenge", _below_challenge(methods), _below_challenge(options)
    ):
        found.add(message, auto_comments=comments, context=context)
    return {_key(message): message for message in found if message.id}


def _below_challenge(mapping: object) -> object:
    """The patterns name files from the top of the repository; only its package is walked."""

    def cut(pattern: str) -> str:
        return pattern.removeprefix("challenge/")

    if isinstance(mapping, dict):
        return {cut(pattern): value for pattern, value in mapping.items()}
    return [(cut(pattern), method) for pattern, method in mapping]


@cache
def catalogue(code: str) -> Catalog:
    """The catalogue of a language as its file has it."""
    with (i18n.CATALOGUES / code / "LC_MESSAGES" / "messages.po").open("rb") as source:
        return read_po(source, locale=code)


@pytest.mark.parametrize("code", OTHERS)
def test_every_message_of_the_product_is_in_the_catalogue_and_no_other(code: str) -> None:
    there = {_key(message) for message in catalogue(code) if message.id}
    assert there == set(extracted())


@pytest.mark.parametrize("code", OTHERS)
def test_every_message_is_translated_and_none_is_a_guess(code: str) -> None:
    for message in catalogue(code):
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(forms), message.id
        assert not message.fuzzy or not message.id, message.id


def _placeholders(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)[sd]|%%|\{\}", text))


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_placeholders_of_its_message(code: str) -> None:
    for message in catalogue(code):
        if not message.id:
            continue
        singular, plural = message.id if message.pluralizable else (message.id, message.id)
        forms = message.string if message.pluralizable else (message.string,)
        assert _placeholders(forms[0]) == _placeholders(singular), message.id
        assert all(_placeholders(form) == _placeholders(plural) for form in forms[1:]), message.id
