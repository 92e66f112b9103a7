"""GET …/game/link: the address of a page where others compare with a result."""

from __future__ import annotations

from collections.abc import Callable

from challenge.service.services import Services
from challenge.web import create_app
from tests.api.contract import Api, board, game, play, problem
from tests.conftest import Clock

SHEET = "generala"
LINK = game(ruleset=SHEET, tail="link")


def test_the_link_of_a_finished_game_opens_its_page(api: Api, mia: Api) -> None:
    total = play(mia, ruleset=SHEET)["total"]
    answer = mia.get(LINK)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    url = answer.json["url"]
    assert url.startswith("http://localhost/r/")
    page = api.client.get(url.removeprefix("http://localhost"))
    assert (page.status_code, f">{total}<" in page.text) == (200, True)


def test_it_is_the_same_one_every_time_and_another_for_every_game(mia: Api, api: Api) -> None:
    play(mia, ruleset=SHEET)
    play(mia, ruleset="yatzy-order")
    other = api.signed()
    play(other, ruleset=SHEET)
    first = mia.get(LINK).json
    assert mia.get(LINK).json == first
    assert mia.get(game("2026-11-30", SHEET, "link")).json == first
    urls = {
        first["url"],
        other.get(LINK).json["url"],
        mia.get(game(ruleset="yatzy-order", tail="link")).json["url"],
    }
    assert len(urls) == 3


def test_before_the_last_box_there_is_no_link(mia: Api) -> None:
    assert mia.get(LINK).status_code == 404
    play(mia, ruleset=SHEET, turns=9)
    problem(mia.get(LINK), "not-finished", 409)


def test_it_needs_a_player(api: Api) -> None:
    problem(api.get(LINK), "not-signed", 401)


def test_a_game_of_the_archive_has_one_too(mia: Api, clock: Clock) -> None:
    play(mia, "2026-11-20", SHEET)
    url = mia.get(game("2026-11-20", SHEET, "link")).json["url"]
    assert "From the archive" in mia.client.get(url.removeprefix("http://localhost")).text


def test_it_begins_as_the_operator_says(make_services: Callable[..., Services]) -> None:
    there = create_app(make_services(CHALLENGE_BASE_URL="https://dice.example.org"))
    mia = Api(there.test_client(use_cookies=False)).signed()
    play(mia, ruleset=SHEET)
    assert mia.get(LINK).json["url"].startswith("https://dice.example.org/r/")


def test_a_day_ahead_and_an_unknown_sheet_have_none(mia: Api) -> None:
    problem(mia.get(game("2026-12-01", SHEET, "link")), "not-open-yet", 403, opens_at=...)
    assert mia.get(board(ruleset="nothing", tail="game/link")).status_code == 404
