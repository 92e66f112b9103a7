"""GET …/game/share: the result to paste."""

from __future__ import annotations

import pytest

from challenge.service.services import Services
from tests.api.contract import TODAY, Api, at, game, play, problem
from tests.conftest import Clock

URL = game(ruleset="generala", tail="share")


def test_the_result_is_three_lines_with_the_link_last(mia: Api) -> None:
    total = play(mia, ruleset="generala")["total"]
    response = mia.get(f"{URL}?lang=en")
    assert response.content_type == "text/plain; charset=utf-8"
    assert response.text.split("\n") == [
        f"Samedice #334 · Generala · {total} points",
        "1st of 1 so far",
        f"http://localhost/{TODAY}/generala",
    ]


def test_the_result_in_german(mia: Api) -> None:
    total = play(mia, ruleset="generala")["total"]
    assert mia.get(f"{URL}?lang=de").text.split("\n")[:2] == [
        f"Samedice Nr. 334 · Generala · {total} Punkte",
        "Platz 1 von bisher 1",
    ]


def test_without_lang_the_language_is_negotiated(mia: Api) -> None:
    play(mia, ruleset="generala")
    german = mia.get(URL, headers={"Accept-Language": "de-CH, de;q=0.9"})
    other = mia.get(URL, headers={"Accept-Language": "fr"})
    assert german.text == mia.get(f"{URL}?lang=de").text
    assert other.text == mia.get(f"{URL}?lang=en").text


@pytest.mark.parametrize("lang", ["fr", "", "DE", "de-DE", "x" * 200])
def test_an_unknown_language_is_a_bad_request(mia: Api, lang: str) -> None:
    play(mia, ruleset="generala")
    problem(mia.get(f"{URL}?lang={lang}"), "bad-request", 400)


def test_there_is_no_result_before_the_end(mia: Api) -> None:
    play(mia, ruleset="generala", turns=2)
    problem(mia.get(URL), "not-finished", 409)


def test_a_result_needs_a_player(api: Api) -> None:
    problem(api.get(URL), "not-signed", 401)


def test_a_closed_board_no_longer_says_so_far(mia: Api, clock: Clock) -> None:
    play(mia, ruleset="generala")
    clock.now = at("2026-12-01 03:00")
    text = mia.get(f"{game(TODAY, 'generala', 'share')}?lang=en").text
    assert text.split("\n")[1] == "1st of 1"


def test_an_archive_result_says_archive_alone(mia: Api) -> None:
    play(mia, "2026-05-05", "generala")
    text = mia.get(f"{game('2026-05-05', 'generala', 'share')}?lang=de").text
    assert text.split("\n")[1:] == ["Archiv", "http://localhost/2026-05-05/generala"]


def test_a_streak_shows_from_two_days_on(mia: Api, clock: Clock, services: Services) -> None:
    play(mia, ruleset="generala")
    services.worker.round()  # settles the finish with the player's own record
    clock.now = at("2026-12-01 12:00")
    play(mia, ruleset="yams")
    text = mia.get(f"{game(ruleset='yams', tail='share')}?lang=en").text
    assert text.split("\n")[1] == "1st of 1 so far · streak 2"


def test_the_place_counts_the_others(api: Api) -> None:
    players = [api.signed() for _ in range(3)]
    totals = [play(p, ruleset="generala", pick=i)["total"] for i, p in enumerate(players)]
    worst = players[totals.index(min(totals))]
    assert worst.get(f"{URL}?lang=en").text.split("\n")[1] == "3rd of 3 so far"


def test_a_result_gives_no_box_away(mia: Api) -> None:
    view = play(mia, ruleset="generala")
    text = mia.get(URL).text
    assert view["log"] not in text
    assert not any(box["box"] in text for box in view["boxes"])
