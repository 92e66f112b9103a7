"""The fairness page without a script: what is promised, revealed and handed out."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from challenge import bootstrap
from challenge.game import rulesets
from challenge.web import create_app
from tests.conftest import Clock, make_settings
from tests.paths import ROOT

COMMITMENTS = "/api/v1/commitments?from=2026-11-30&days=366"
OPEN = "/2026-11-30/yacht/fairness"
CLOSED = "/2026-11-29/yacht/fairness"


def _digest(client: FlaskClient) -> str:
    """The digest of the coming year, worked out from the public API alone."""
    rows = client.get(COMMITMENTS).get_json()["commitments"]
    lines = sorted(f"{row['date']} {row['ruleset']} {row['commitment']}" for row in rows)
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def _shown(page: str) -> str:
    """The digest in the foot of a page."""
    return re.search(r'class="year".*?<code>([0-9a-f ]+)</code>', page, re.DOTALL)[1]


@pytest.mark.parametrize(
    "path",
    ["/", "/2026-11-30", "/2026-11-30/yacht", "/2026-11-30/yacht/leaderboard", OPEN, "/privacy",
     "/offline", "/nothing", "/2026-12-01/yacht"],
)  # fmt: skip
def test_every_foot_has_the_digest_that_the_public_api_gives(
    client: FlaskClient, path: str
) -> None:
    shown = _shown(client.get(path).text)
    assert re.fullmatch(r"([0-9a-f]{4} ){4}[0-9a-f]{4}", shown)
    assert _digest(client).startswith(shown.replace(" ", ""))


def test_the_digest_is_there_while_the_store_is_away(clock: Clock, client: FlaskClient) -> None:
    away = create_app(bootstrap.build(make_settings("unix:///nowhere"), clock)).test_client()
    answer = away.get("/2026-11-30/yacht")
    assert answer.status_code == 503
    assert _shown(answer.text) == _shown(client.get("/").text)


def test_the_digest_moves_with_the_day_and_is_worked_out_anew(
    client: FlaskClient, clock: Clock
) -> None:
    before = _shown(client.get("/privacy").text)
    clock.forward(days=1)
    after = client.get("/privacy").text
    assert _shown(after) != before
    assert "The year from 1 December, sealed:" in after


def test_the_text_to_download_has_the_whole_digest_of_the_page(client: FlaskClient) -> None:
    answer = client.get("/commitments.txt?from=2026-11-30")
    assert answer.content_type == "text/plain; charset=utf-8"
    assert "samedice-commitments-2026-11-30.txt" in answer.headers["Content-Disposition"]
    assert len(answer.text.splitlines()) == 366 * len(rulesets.RULESETS)
    whole = hashlib.sha256(answer.data).hexdigest()
    assert whole == _digest(client)
    page = client.get("/fairness").text
    assert whole in re.sub(r"</?span>| ", "", page)


def test_the_text_of_one_sheet_is_that_part_of_the_whole(client: FlaskClient) -> None:
    whole = client.get("/commitments.txt?from=2026-11-30").text.splitlines()
    part = client.get("/commitments.txt?from=2026-11-30&ruleset=yatzy").text.splitlines()
    assert part == [line for line in whole if " yatzy " in line]


def test_all_commitments_of_the_coming_year_are_on_the_page(client: FlaskClient) -> None:
    rows = client.get(f"{COMMITMENTS}&ruleset=yatzy").get_json()["commitments"]
    page = client.get("/fairness?sheet=yatzy", follow_redirects=True).text
    assert len(rows) == 366
    assert all(f"<code>{row['commitment']}</code>" in page for row in rows)
    assert page.count('<details class="month">') == 13


def test_an_open_board_shows_its_seal_and_no_seed(client: FlaskClient) -> None:
    page = client.get(OPEN).text
    board = client.get("/api/v1/challenges/2026-11-30/yacht").get_json()
    assert board["seed"] is None
    assert f"<dd><code>{board['commitment']}</code></dd>" in page
    assert "Key open from 1 December, 03:00 (UTC)" in page


def test_a_closed_board_shows_seed_and_seal_and_how_to_check_them(client: FlaskClient) -> None:
    board = client.get("/api/v1/challenges/2026-11-29/yacht").get_json()
    for path in (CLOSED, "/fairness?day=2026-11-29&sheet=yacht", OPEN):
        page = client.get(path, follow_redirects=True).text
        assert f">{board['seed']}</textarea>" in page
        assert f'data-commitment="{board["commitment"]}"' in page
        assert f"python3 verify.py 2026-11-29 yacht {board['seed']}" in page


def test_while_yesterday_closes_the_day_before_is_checked(
    client: FlaskClient, clock: Clock
) -> None:
    clock.set("2026-11-30 02:59")
    assert 'data-board="2026-11-28/yacht"' in client.get("/fairness").text
    clock.set("2026-11-30 03:00")
    assert 'data-board="2026-11-29/yacht"' in client.get("/fairness").text


def test_on_the_first_days_nothing_is_closed_and_the_page_says_so(
    client: FlaskClient, clock: Clock
) -> None:
    clock.set("2026-01-01 12:00")
    page = client.get("/fairness").text
    assert "No board of this sheet is closed yet." in page
    assert 'id="check"' not in page


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/fairness?day=nothing", 404),
        ("/fairness?sheet=nothing", 404),
        ("/fairness?day=2026-12-01", 403),
        ("/2025-12-31/yacht/fairness", 404),
        ("/commitments.txt?from=yesterday", 404),
        ("/commitments.txt?ruleset=nothing", 404),
        ("/commitments.txt?from=2025-01-01", 404),
    ],
)
def test_what_is_not_there_is_a_page_that_says_so(
    client: FlaskClient, path: str, status: int
) -> None:
    assert client.get(path, follow_redirects=True).status_code == status


def test_it_says_what_it_proves_and_what_it_cannot(client: FlaskClient) -> None:
    english, german = (client.get(f"/fairness?lang={code}").text for code in ("en", "de"))
    assert "The dice were fixed before the day began." in english
    assert "whoever takes a second browser knows the dice already" in english
    assert "that we did not know the dice beforehand" in english
    assert "Wer einen zweiten Browser nimmt, kennt die Würfel schon" in german


def test_verify_py_is_handed_out_as_it_is(client: FlaskClient) -> None:
    answer = client.get("/verify.py")
    assert answer.data == (Path(ROOT) / "deploy" / "verify.py").read_bytes()
    assert answer.headers["Content-Disposition"] == "attachment; filename=verify.py"


def test_a_stranger_gets_no_game_and_no_cookie(client: FlaskClient) -> None:
    answer = client.get(CLOSED)
    assert 'data-game="{' not in answer.text
    assert "Set-Cookie" not in answer.headers


def test_offered_sheets_alone_make_the_digest(make_services, client: FlaskClient) -> None:
    few: Flask = create_app(make_services(CHALLENGE_RULESETS="yatzy,yacht"))
    other = few.test_client()
    assert _digest(other).startswith(_shown(other.get("/privacy").text).replace(" ", ""))
    assert _digest(other) != _digest(client)
