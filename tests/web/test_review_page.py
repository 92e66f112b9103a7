"""The page of a review: the books, the drawing, the costliest decisions, who may see it."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from challenge.game import rulesets
from challenge.service.reviews import Reviewed
from challenge.service.services import Services
from challenge.web.pages.review import drawing, phrases
from challenge.web.pages.review.rounds import Move, Round, Step, costliest, rounds_of
from tests.conftest import Clock
from tests.service.players import begin, play_out, play_short_of_one
from tests.solved import solved_folder_of
from tests.web.boards import DAY, browser_of
from tests.web.test_record_page import words

SHEET = "yatzy-order"
PATH = f"/2026-11-30/{SHEET}"
REVIEW = f"{PATH}/review"
YACHT = rulesets.find("yacht")
LOCKED = "Finish this sheet first: until then nobody learns what its dice are worth."


@pytest.fixture(scope="session")
def solved_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory in which one small sheet is solved."""
    return solved_folder_of(SHEET, tmp_path_factory)


@pytest.fixture
def services(make_services: Any, solved_folder: Path) -> Services:
    """Services that know the best play of that sheet."""
    services: Services = make_services(CHALLENGE_DATA_DIR=str(solved_folder))
    return services


@pytest.fixture
def player(services: Services) -> str:
    """Somebody who has finished the sheet."""
    found = services.players.new_id()
    play_out(services, found, DAY, SHEET)
    return found


@pytest.fixture
def reviewed(services: Services, player: str) -> Reviewed:
    """The review of that game."""
    return services.reviews.review(player, DAY, SHEET, services.clock())


def _number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "."))


# -- the page ----------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de"])
def test_its_books_add_up_as_they_are_written(
    app: Flask, player: str, reviewed: Reviewed, language: str
) -> None:
    page = browser_of(app, player, language).get(REVIEW)
    assert page.status_code == 200
    books = page.text[page.text.index('<dl class="books">') : page.text.index("</dl>")]
    figures = re.findall(r"<dd>([^<]+)</dd>", books)
    mean, luck, lost, total = map(_number, figures)
    assert mean + luck + lost == pytest.approx(total, abs=1e-9)
    skill = reviewed.review.skill
    assert (mean, lost) == (round(skill.optimal_mean, 1), -round(skill.given_away, 1))
    assert luck == pytest.approx(skill.luck, abs=0.11)
    assert f'<p class="points">{skill.percent}<small> %</small></p>' in page.text


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_three_costliest_decisions_are_told_in_words(
    app: Flask, player: str, reviewed: Reviewed, language: str
) -> None:
    page = words(browser_of(app, player, language).get(REVIEW).text)
    worst = sorted(reviewed.review.decisions, key=lambda each: -each.given_away)[:3]
    assert worst[2].given_away >= 0.1
    with app.test_request_context(f"/?lang={language}"):
        for step in costliest(rounds_of(reviewed), 3, 0.05):
            sentence = phrases.sentence(step, reviewed.board.ruleset)
            assert " ".join(sentence.split()) in page
        told = [page.index(phrases.points(each.given_away)) for each in worst]
    assert told == sorted(told)


def test_every_roll_and_every_decision_stands_in_the_table(
    app: Flask, player: str, reviewed: Reviewed
) -> None:
    page = browser_of(app, player).get(REVIEW).text
    table = page[page.index('<table class="decisions">') : page.index("</table>")]
    rows = re.findall(r"<tr><td>(.*?)</tr>", table, re.DOTALL)
    assert len(rows) == len(reviewed.review.decisions)
    for row, decision in zip(rows, reviewed.review.decisions, strict=True):
        assert f"Dice: {', '.join(map(str, decision.dice))}" in row
        assert ("better:" in row) == (decision.given_away >= 0.05)
    assert table.count("<tbody>") == len(reviewed.board.ruleset.boxes)


def test_the_result_says_the_skill_and_leads_to_the_review(
    app: Flask, services: Services, player: str, reviewed: Reviewed
) -> None:
    percent = reviewed.review.skill.percent
    english, german = (browser_of(app, player, code).get(PATH).text for code in ("en", "de"))
    assert f"{percent} % skill" in words(english)
    assert f"{percent} % Können" in words(german)
    assert f'href="{REVIEW}"' in english
    assert english.count(f" · {percent} % skill") == 1  # in the text to copy
    past = services.players.new_id()
    play_out(services, past, date(2026, 5, 5), SHEET)
    archived = words(browser_of(app, past).get(f"/2026-05-05/{SHEET}").text)
    assert re.search(r"archive · \d+ % skill", archived)


def test_the_record_says_how_well_the_last_games_were_played(
    app: Flask, services: Services, player: str, reviewed: Reviewed
) -> None:
    skill = reviewed.review.skill
    with app.test_request_context("/"):
        wanted = (
            f"Skill {skill.percent} % of best play "
            f"Luck {phrases.signed(skill.luck)} points a game "
            f"Given away {phrases.points(skill.given_away)} points a game"
        )
    assert wanted in words(browser_of(app, player).get("/me").text)
    play_out(services, player, DAY, "generala")
    page = words(browser_of(app, player).get("/me").text)
    assert wanted in page
    assert "1 of 2 games has been worked through so far." in page


# -- who may see it ----------------------------------------------------------------------


def test_until_the_last_box_an_open_board_is_locked(app: Flask, services: Services) -> None:
    player = services.players.new_id()
    begin(services, player, DAY, SHEET)
    for step in (lambda: None, lambda: play_short_of_one(services, player, DAY, SHEET)):
        step()
        page = browser_of(app, player).get(REVIEW)
        assert page.status_code == 403
        assert LOCKED in words(page.text)
    stranger = app.test_client().get(REVIEW)
    assert (stranger.status_code, LOCKED in words(stranger.text)) == (403, True)
    assert "Set-Cookie" not in stranger.headers


def test_a_closed_board_asks_for_a_game_of_ones_own(
    app: Flask, services: Services, player: str, clock: Clock
) -> None:
    other = services.players.new_id()
    play_short_of_one(services, other, DAY, SHEET)
    clock.set("2026-12-01 03:00")
    assert browser_of(app, player).get(REVIEW).status_code == 200
    unfinished = browser_of(app, other).get(REVIEW)
    assert (unfinished.status_code, LOCKED in words(unfinished.text)) == (409, True)
    for visitor in (app.test_client(), browser_of(app, services.players.new_id())):
        page = visitor.get(REVIEW)
        assert page.status_code == 404
        assert "You have not played this sheet yet." in words(page.text)


@pytest.mark.parametrize(
    ("sheet", "language", "line", "record"),
    [
        (
            "generala",
            "en",
            "Optimal play of this sheet has not been worked out here yet.",
            "Optimal play has not been worked out here for any sheet of your last games.",
        ),
        (
            "generala",
            "de",
            "Die optimale Spielweise dieses Blocks ist hier noch nicht",
            "Zu keinem Block deiner letzten Spiele ist die optimale Spielweise hier",
        ),
    ],
)
def test_it_says_in_a_line_what_is_missing(
    app: Flask, services: Services, sheet: str, language: str, line: str, record: str
) -> None:
    player = services.players.new_id()
    play_out(services, player, DAY, sheet)
    page = browser_of(app, player, language).get(f"/2026-11-30/{sheet}/review")
    assert page.status_code == 200
    assert line in words(page.text)
    me = words(browser_of(app, player, language).get("/me").text)
    assert record in me
    assert browser_of(app, player, language).get(f"/2026-11-30/{sheet}").status_code == 200


CHILD = """
import sys
if sys.argv[2] == "without":
    sys.modules["numpy"] = sys.modules["numba"] = None  # as if they were not installed
from challenge import bootstrap
from challenge.web import create_app
from tests.conftest import Clock, make_settings
from tests.web.boards import browser_of
services = bootstrap.build(make_settings(sys.argv[1], CHALLENGE_DATA_DIR=sys.argv[3]), Clock())
app = create_app(services)
print(sys.modules.get("numpy") is not None)
for path in (PATH, f"{PATH}/review", "/me"):
    page = browser_of(app, sys.argv[4]).get(path)
    print(page.status_code, "samedice[solver]" in page.text, "% skill" in page.text)
print(sys.modules.get("numba") is not None)
"""


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("with", "False\n200 False True\n200 False False\n200 False False\nFalse\n"),
        ("without", "False\n200 False False\n200 True False\n200 True False\nFalse\n"),
    ],
)
def test_a_web_process_never_loads_numba_and_does_without_numpy(
    valkey_url: str, solved_folder: Path, player: str, how: str, said: str
) -> None:
    code = CHILD.replace("PATH", repr(PATH)).replace(f"{{{PATH!r}}}", PATH)
    command = [sys.executable, "-c", code, valkey_url, how, str(solved_folder), player]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == said


# -- sentences ---------------------------------------------------------------------------


def _step(played: Move, best: Move, cost: float) -> Step:
    return Step(1, 2, (3, 3, 5, 1, 6), 250.0, 252.0, 252.0 - cost, played, best, cost)


def _keep(*dice: int) -> Move:
    return Move(dice, 0, None, 0)


def _enter(box: str, points: int) -> Move:
    return Move((), 0, YACHT.index[box], points)


@pytest.mark.parametrize(
    ("played", "best", "cost", "english", "german"),
    [
        (
            _keep(3, 3),
            _keep(3, 3, 5),
            1.8,
            "You kept 3\u00a03; keeping 3\u00a03\u00a05 was worth 1.8 points more.",
            "Du hast 3\u00a03 behalten; 3\u00a03\u00a05 zu behalten war 1,8 Punkte mehr wert.",
        ),
        (
            _keep(),
            _enter("full_house", 25),
            12.04,
            "You rolled all dice again; entering 25 in Full house was worth 12.0 points more.",
            "Du hast alle Würfel neu gerollt; 25 bei „Full House“ einzutragen war 12,0 Punkte "
            "mehr wert.",
        ),
        (
            _enter("sixes", 18),
            _keep(),
            0.14,
            "You entered 18 in Sixes; rolling all dice again was worth 0.1 points more.",
            "Du hast 18 bei „Sechser“ eingetragen; alle Würfel neu zu rollen war 0,1 Punkte "
            "mehr wert.",
        ),
    ],
)
def test_a_decision_is_told_as_a_sentence(
    app: Flask, played: Move, best: Move, cost: float, english: str, german: str
) -> None:
    for language, said in (("en", english), ("de", german)):
        with app.test_request_context(f"/?lang={language}"):
            assert phrases.sentence(_step(played, best, cost), YACHT) == said


def test_points_are_written_with_one_place_and_their_sign(app: Flask) -> None:
    with app.test_request_context("/?lang=de"):
        assert [phrases.signed(value) for value in (4.23, -3.06, 0.04, -0.04, 1234.5)] == [
            "+4,2", "−3,1", "0,0", "0,0", "+1.234,5",
        ]  # fmt: skip


# -- the drawing -------------------------------------------------------------------------


def test_the_line_begins_at_the_mean_and_ends_at_the_total(reviewed: Reviewed) -> None:
    found = drawing.draw(rounds_of(reviewed), reviewed.review.optimal_mean)
    low, high = found.lines[0], found.lines[-1]

    def points(y: float) -> float:
        return low.points + (low.y - y) / (low.y - high.y) * (high.points - low.points)

    path = [tuple(map(float, pair.split(","))) for pair in found.path.split()]
    assert points(path[0][1]) == pytest.approx(reviewed.review.optimal_mean, abs=1)
    assert points(path[-1][1]) == pytest.approx(reviewed.review.total, abs=1)
    assert found.end == path[-1]
    assert [x for x, _ in path] == sorted(x for x, _ in path)
    assert all(0 <= x <= drawing.WIDTH and drawing.TOP <= y <= drawing.BASE for x, y in path)
    assert len(path) == 1 + 2 * len(reviewed.review.decisions)


def test_bars_are_as_high_as_what_they_stand_for_and_stay_in_their_field(
    reviewed: Reviewed,
) -> None:
    rounds = rounds_of(reviewed)
    bars = drawing.draw(rounds, reviewed.review.optimal_mean).bars
    unit = (bars.lines[0].y - bars.lines[1].y) / (bars.lines[1].points - bars.lines[0].points)
    for bar, each in zip(bars.luck, rounds, strict=True):
        assert bar.height == pytest.approx(max(abs(each.luck) * unit, 1), abs=0.2)
        foot = bar.y + bar.height
        assert (foot if each.luck > 0 and bar.y < bars.zero else bar.y) == pytest.approx(bars.zero)
    costly = [each for each in rounds if each.cost >= 0.05]
    for bar, each in zip(bars.lost, costly, strict=True):
        assert bar.y == bars.zero
        assert bar.height == pytest.approx(max(each.cost * unit, 1), abs=0.2)
    for bar in (*bars.luck, *bars.lost):
        assert bar.y >= drawing.BARS_TOP - 0.1
        assert bar.y + bar.height <= drawing.BARS_BASE + 1.1


def test_a_game_without_ups_and_downs_is_drawn_too() -> None:
    step = Step(1, 1, (1, 1, 1), 10.0, 10.0, 10.0, _enter("ones", 10), None, 0.0)
    found = drawing.draw([Round(1, 0, 10, [step])], 10.0)
    assert found.falls == []
    assert found.bars.lost == []
    assert len(found.lines) >= 2
    assert {y for _, y in (pair.split(",") for pair in found.path.split())} == {str(found.mean)}
