"""Languages: which one is spoken, and what it says."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from flask import Flask
from flask.testing import FlaskClient

from challenge.daily import share
from challenge.daily.ranking import Standing
from challenge.errors import BadInput, IllegalAction
from challenge.service.views.games import NOTICES
from challenge.web import i18n


@pytest.mark.parametrize(
    ("accepted", "choice", "spoken"),
    [
        (None, None, "en"),
        ("de", None, "de"),
        ("de-AT,de;q=0.9,en;q=0.8", None, "de"),
        ("en-US,de;q=0.5", None, "en"),
        ("fr,it", None, "en"),
        ("fr,de;q=0.1", None, "de"),
        ("en", "de", "de"),
        ("de", "xx", "de"),
        ("*", None, "en"),
        ("\x00;;;q=", None, "en"),
    ],
)
def test_a_valid_choice_wins_over_the_accepted_languages(
    accepted: str | None, choice: str | None, spoken: str
) -> None:
    assert i18n.negotiate(accepted, choice) == spoken


def test_an_unknown_language_has_no_translations() -> None:
    with pytest.raises(BadInput):
        i18n.translations("../de")


def test_every_notice_and_every_refusal_has_its_sentence() -> None:
    assert set(i18n.NOTICES) == set(NOTICES)
    assert set(i18n.REASONS) == set(IllegalAction.REASONS)
    for notice in NOTICES:
        assert i18n.notice_text(notice, "de") != i18n.notice_text(notice, "en")


def test_a_date_is_written_as_the_language_writes_it(app: Flask) -> None:
    with app.test_request_context("/?lang=de"):
        assert i18n.long_date(date(2026, 11, 30)) == "Montag, 30. November 2026"
        assert i18n.short_date(date(2026, 11, 30)) == "30. November"
        assert i18n.decimal(1234.5) == "1.234,5"
    with app.test_request_context("/"):
        assert "30 November 2026" in i18n.long_date(date(2026, 11, 30))
        assert i18n.time(datetime(2026, 11, 30, 3, 0, tzinfo=UTC)) == "03:00"


@pytest.mark.parametrize(
    ("code", "standing", "final", "streak", "second"),
    [
        ("de", Standing(348, 320, 0), False, 5, "Besser als 92 % von bisher 348 · Serie 5"),
        ("de", Standing(348, 320, 0), True, 1, "Besser als 92 % von 348"),
        ("de", Standing(14, 2, 0), False, 0, "Platz 12 von bisher 14"),
        ("de", Standing(14, 2, 0), True, 0, "Platz 12 von 14"),
        ("de", None, True, 0, "Archiv"),
        ("en", Standing(348, 320, 0), False, 5, "Better than 92 % of 348 so far · streak 5"),
        ("en", Standing(14, 2, 0), True, 0, "12th of 14"),
        ("en", None, True, 0, "archive"),
    ],
)
def test_the_result_text_is_exact_in_both_languages(
    code: str, standing: Standing | None, final: bool, streak: int, second: str
) -> None:
    result = share.Result(334, "Yacht", 246, "https://example.org/x", standing, final, streak)
    head = "Samedice #334 · Yacht · 246 points"
    if code == "de":
        head = "Samedice Nr. 334 · Yacht · 246 Punkte"
    text = share.text(result, i18n.translations(code), code)
    assert text == f"{head}\n{second}\nhttps://example.org/x"


def test_the_page_speaks_the_accepted_language(client: FlaskClient) -> None:
    page = client.get("/", headers={"Accept-Language": "de"}).text
    assert '<html lang="de">' in page
    assert "Dreierpasch" in page


def test_the_switch_keeps_the_choice_in_a_cookie(client: FlaskClient) -> None:
    answer = client.post("/language", data={"lang": "de", "next": "/2026-11-30"})
    assert (answer.status_code, answer.location) == (303, "/2026-11-30")
    assert '<html lang="de">' in client.get("/", headers={"Accept-Language": "en"}).text
    assert '<html lang="en">' in client.get("/?lang=en").text


def test_asking_for_a_language_in_the_address_sets_no_cookie(client: FlaskClient) -> None:
    assert "Set-Cookie" not in client.get("/?lang=de").headers


@pytest.mark.parametrize(
    "target", ["//evil.example", "https://evil.example", "/\\evil.example", ""]
)
def test_the_switch_never_leads_to_another_site(client: FlaskClient, target: str) -> None:
    assert client.post("/language", data={"lang": "de", "next": target}).location == "/"


def test_the_switch_refuses_an_unknown_language(client: FlaskClient) -> None:
    assert client.post("/language", data={"lang": "xx"}).status_code == 400
