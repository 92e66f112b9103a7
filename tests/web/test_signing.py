"""Signed values in addresses: one kind is never another, and old keys still verify."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from challenge.errors import NotFound
from challenge.service.services import Services
from challenge.web import create_app, signing

OLD = "old-key-old-key-old-key-old-key-old"
NEW = "new-key-new-key-new-key-new"


def test_a_value_comes_back_from_its_own_kind_alone(app: Flask) -> None:
    with app.app_context():
        signed = signing.sign("invite", "a.b")
        assert signing.unsign("invite", signed) == "a.b"
        for kind in ("transfer", "result"):
            with pytest.raises(NotFound):
                signing.unsign(kind, signed)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["", ".", "a", "a.b", "ä.ö", "\x00", "x" * 5000, "\ud800.a"])
def test_what_nobody_signed_is_not_there(app: Flask, value: str) -> None:
    with app.app_context(), pytest.raises(NotFound):
        signing.unsign("result", value)


def test_one_changed_sign_voids_a_value(app: Flask) -> None:
    with app.app_context():
        signed = signing.sign("result", "2026-11-30.yacht.me")
        for at in range(len(signed) - 1):  # the last sign carries bits that say nothing
            changed = signed[:at] + ("x" if signed[at] != "x" else "y") + signed[at + 1 :]
            with pytest.raises(NotFound):
                signing.unsign("result", changed)


def test_links_outlive_a_new_key_but_not_the_end_of_theirs(
    make_services: Callable[..., Services],
) -> None:
    before = create_app(make_services(CHALLENGE_SECRET_KEYS=OLD))
    during = create_app(make_services(CHALLENGE_SECRET_KEYS=f"{OLD},{NEW}"))
    after = create_app(make_services(CHALLENGE_SECRET_KEYS=NEW))
    with before.app_context():
        signed = signing.sign("invite", "a.b")
    with during.app_context():
        assert signing.unsign("invite", signed) == "a.b"
    with after.app_context(), pytest.raises(NotFound):
        signing.unsign("invite", signed)
