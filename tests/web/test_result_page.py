"""The end of a game as a page: score, place, best, streak, histogram, what is left to play."""

from __future__ import annotations

import re
from datetime import date

import pytest
import redis
from flask import Flask

from challenge.service.services import Services
from tests.api.dump import dump
from tests.conftest import Clock
from tests.service.players import begin, play_on, play_out, step
from tests.web.boards import DAY, browser_of, crowd

PATH = "/2026-11-30/yacht"


def _words(page: str) -> str:
    """The text of a page in one line, tags taken out."""
    main = page[page.index("<main") : page.index("</main>")]
    return " ".join(re.sub(r"<[^>]*>", " ", main).split())


def _head(page: str) -> str:
    """The words beside the score."""
    found = re.search(r'<div class="score">.*?</div>\s*</div>', page, re.DOTALL)
    assert found is not None
    return " ".join(re.sub(r"<[^>]*>", " ", found[0]).split())


@pytest.fixture
def player(services: Services) -> str:
    """Somebody."""
    return services.players.new_id()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Better than 100 % Place 1 of 348 so far"),
        ("de", "Besser als 100 % Platz 1 von bisher 348"),
    ],
)
def test_it_opens_with_score_percentile_and_place(
    app: Flask, services: Services, valkey: redis.Redis, player: str, language: str, words: str
) -> None:
    crowd(services, valkey, "yacht", [0] * 347)
    total = play_out(services, player, DAY).total
    head = _head(browser_of(app, player, language).get(PATH).text)
    assert head.startswith(f"{total} ")
    assert head.endswith(words)


def test_large_numbers_are_written_as_the_language_does(
    app: Flask, services: Services, valkey: redis.Redis, player: str
) -> None:
    crowd(services, valkey, "yacht", [0] * 24_999)
    play_out(services, player, DAY)
    assert "Platz 1 von bisher 25.000" in browser_of(app, player, "de").get(PATH).text
    assert "Place 1 of 25,000 so far" in browser_of(app, player).get(PATH).text


def _played(services: Services, clock: Clock, player: str, *, seeds: tuple[int, int]) -> list[int]:
    """Two days, each settled or not as the worker left it; the scores."""
    clock.set("2026-11-29 12:00")
    first = play_out(services, player, date(2026, 11, 29), seed=seeds[0]).total
    services.worker.round()
    clock.set("2026-11-30 12:00")
    return [first, play_out(services, player, DAY, seed=seeds[1]).total]


@pytest.mark.parametrize("settled", [False, True], ids=["unsettled", "settled"])
@pytest.mark.parametrize("seeds", [(1, 2), (2, 1), (3, 11), (11, 3)])
def test_the_best_so_far_and_the_streak_know_todays_finish(
    app: Flask, services: Services, clock: Clock, player: str, seeds: tuple[int, int], settled: bool
) -> None:
    before, today = _played(services, clock, player, seeds=seeds)
    if settled:
        services.worker.round()
    best = "Your best so far" if today > before else f"Your best: {before}"
    assert f"{best} · streak 2" in _head(browser_of(app, player).get(PATH).text)


def test_a_first_game_has_no_best_to_compare_with(
    app: Flask, services: Services, player: str
) -> None:
    play_out(services, player, DAY)
    services.worker.round()
    head = _head(browser_of(app, player).get(PATH).text)
    assert "best" not in head
    assert "streak" not in head


def test_the_histogram_marks_ones_own_bar_in_words_and_has_a_table(
    app: Flask, services: Services, valkey: redis.Redis, player: str
) -> None:
    crowd(services, valkey, "yacht", [100, 150, 150, 200, 200, 200, 250])
    total = play_out(services, player, DAY).total
    page = browser_of(app, player).get(PATH).text
    assert "Reached today" in page
    assert f"Scores of 8 games, half of them at 175 or more; yours is {total}." in page
    assert f">You {total}</text>" in page
    assert ">Middle 175</text>" in page
    assert page.count('class="bar own"') == 1
    rows = re.findall(r'<th scope="row">.*?</th><td>(\d+)</td>', page)
    assert sum(map(int, rows)) == 8
    drawing = re.search(r"<figure.*?</figure>", page, re.DOTALL)
    assert drawing is not None
    assert "style=" not in drawing[0]


def test_the_next_dice_are_told_without_a_script_too(
    app: Flask, services: Services, player: str
) -> None:
    play_out(services, player, DAY)
    assert "New dice Tue 00:00 UTC" in _words(browser_of(app, player).get(PATH).text)
    german = _words(browser_of(app, player, "de").get(PATH).text)
    assert "Neue Würfel Di., 00:00 UTC" in german


def test_the_other_sheets_are_listed_with_their_state(
    app: Flask, services: Services, player: str
) -> None:
    play_out(services, player, DAY)
    done = play_out(services, player, DAY, "generala").total
    view = begin(services, player, DAY, "yatzy")
    while view.round < 8:
        view = step(services, player, view, _Always())
    words = _words(browser_of(app, player).get(PATH).text)
    assert "Yatzy half-played, round 8" in words
    assert "Still open today" in words
    assert "Maxi Yatzy open" in words
    assert f"Done as well Generala {done} points" in words
    german = _words(browser_of(app, player, "de").get(PATH).text)
    assert "angefangen, Runde 8" in german
    assert "Noch offen heute" in german
    assert "Schon fertig" in german


class _Always:
    """Chance that always rolls on and picks the first: any legal way to round 8 will do."""

    def random(self) -> float:
        return 1.0

    def randrange(self, _: int) -> int:
        return 0

    def sample(self, _: range, count: int) -> list[int]:
        return list(range(count))

    def choice(self, boxes: list[str]) -> str:
        return boxes[0]


def test_while_a_day_closes_no_sheet_that_cannot_begin_is_offered(
    app: Flask, services: Services, clock: Clock, player: str
) -> None:
    play_out(services, player, DAY)
    begun = begin(services, player, DAY, "yatzy")
    clock.set("2026-12-01 01:00")
    words = _words(browser_of(app, player).get(PATH).text)
    assert "Yatzy half-played, round 1" in words
    assert "Maxi Yatzy open" not in words
    assert "New dice" not in words
    assert "To today’s dice" in words
    play_on(services, player, begun)


def test_a_game_of_the_archive_is_held_against_its_day(
    app: Flask, services: Services, clock: Clock, player: str
) -> None:
    play_out(services, services.players.new_id(), DAY)
    clock.set("2026-12-05 12:00")
    total = play_out(services, player, DAY, seed=5).total
    page = browser_of(app, player).get(PATH).text
    assert "From the archive" in page
    assert "Reached on this day" in page
    assert f"Scores of 1 game; yours is {total}." in page


def test_a_day_nobody_played_has_no_histogram(
    app: Flask, services: Services, clock: Clock, player: str
) -> None:
    clock.set("2026-12-05 12:00")
    play_out(services, player, DAY)
    page = browser_of(app, player).get(PATH).text
    assert "<figure" not in page
    assert "/2026-11-30/yacht/leaderboard" in page


def test_rules_and_archive_are_a_step_away(app: Flask, services: Services, player: str) -> None:
    play_out(services, player, DAY)
    client = browser_of(app, player)
    page = client.get(PATH).text
    for target in ("/rules/yacht", "/archive", "/2026-11-30"):
        assert f'href="{target}"' in page
        assert client.get(target).status_code == 200


def test_looking_at_a_result_writes_nothing(
    app: Flask, services: Services, clock: Clock, player: str, valkey_url: str
) -> None:
    play_out(services, player, DAY)
    clock.set("2026-12-05 12:00")
    play_out(services, player, date(2026, 11, 12), seed=2)
    client = browser_of(app, player)
    client.get(PATH)  # the first who comes after the close puts its mark
    before = dump(valkey_url)
    for path in (PATH, "/2026-11-12/yacht"):
        assert client.get(path).status_code == 200
    assert dump(valkey_url) == before


def test_who_has_no_name_yet_is_led_to_where_one_is_given(
    app: Flask, services: Services, player: str
) -> None:
    play_out(services, player, DAY)
    browser = browser_of(app, player)
    assert 'href="/me#name"' in browser.get(PATH).text
    services.players.rename(player, "Mia")
    assert 'href="/me#name"' not in browser.get(PATH).text
