"""What was possible: the page for finishers, the game once the board is closed, the computers."""

from __future__ import annotations

import re
from datetime import date

import pytest
from flask import Flask

from challenge.game import game as rules
from challenge.game import rulesets
from challenge.service.services import Services
from challenge.store.insights import Known
from challenge.store.keys import BoardId
from challenge.web.pages import replay
from tests.conftest import Clock
from tests.service.players import begin, play_out
from tests.web.boards import DAY, browser_of

SHEET = "generala"
BOARD = BoardId(DAY, SHEET)
PATH = f"/2026-11-30/{SHEET}"


@pytest.fixture
def known(services: Services) -> Known:
    """A board with a best game and two computer players: games by chance, as good as any."""
    views = [play_out(services, services.players.new_id(), DAY, SHEET, seed) for seed in (1, 2)]
    logs = [services.store.games.read(BOARD, 1, each).log for each in _players(services)]
    best = max(views, key=lambda view: view.total)
    found = Known(best.total + 7, logs[0], {"optimal": logs[0], "greedy": logs[1]})
    services.store.insights.write(BOARD, found)
    return found


def _players(services: Services) -> list[str]:
    rows, _ = services.store.boards.page(BOARD, 1, 0, 2)
    return [row.player for row in rows]


@pytest.fixture
def finisher(services: Services, app: Flask, known: Known):
    """A browser whose player has finished the board."""
    player = services.players.new_id()
    play_out(services, player, DAY, SHEET, seed=3)
    return browser_of(app, player)


def test_who_has_finished_sees_the_total_and_the_computers_but_no_game(finisher, known) -> None:
    page = finisher.get(f"{PATH}/hindsight").text
    assert f'<p class="points">{known.best}<' in page
    assert "Optimal computer" in page
    assert "Greedy computer" in page
    assert "The game itself is shown from Tue 03:00 UTC on" in page
    assert 'class="replay"' not in page


@pytest.mark.parametrize("tail", ["hindsight", "bots/optimal"])
def test_before_one_has_finished_there_is_only_the_way_to_the_sheet(
    app: Flask, services: Services, known: Known, tail: str
) -> None:
    player = services.players.new_id()
    begin(services, player, DAY, SHEET)
    for client in (app.test_client(), browser_of(app, player)):
        answer = client.get(f"{PATH}/{tail}")
        assert answer.status_code == 403
        assert str(known.best) not in re.sub(r'"[^"]*"', "", answer.text)
        assert "Play first, then compare" in answer.text
        assert "what is possible on them would give them away" in answer.text


def test_once_the_board_is_closed_everybody_sees_the_game(
    app: Flask, services: Services, known: Known, clock: Clock
) -> None:
    clock.set("2026-12-01 03:00")
    page = app.test_client().get(f"{PATH}/hindsight").text
    rounds = len(rulesets.find(SHEET).boxes)
    assert page.count('<span class="round">') == rounds
    board = services.days.board(DAY, SHEET, clock())
    total = rules.replay(board.ruleset, board.stream, known.line or b"").total
    last = re.findall(r"Total </span>([\d,.]+)</span>", page)[-1]
    assert int(last) == total


def test_a_computer_players_game_can_be_followed_by_finishers(finisher, known) -> None:
    page = finisher.get(f"{PATH}/bots/greedy").text
    assert "takes what scores most this turn" in page
    assert page.count('<span class="round">') == len(rulesets.find(SHEET).boxes)
    assert finisher.get(f"{PATH}/bots/planner").status_code == 404
    assert finisher.get(f"{PATH}/bots/nobody").status_code == 404


def test_computer_players_stand_beside_the_list_and_take_no_place(
    finisher, app: Flask, known: Known
) -> None:
    page = finisher.get(f"{PATH}/leaderboard").text
    assert page.index('class="computers"') > page.index("</table>")
    assert page.count('<td class="rank">') == 3
    assert f"{PATH}/bots/greedy" in page
    stranger = app.test_client().get(f"{PATH}/leaderboard").text
    assert "computer" not in stranger.lower()
    assert "hindsight" not in stranger


def test_what_has_not_been_worked_out_is_said_in_one_line(services: Services, app: Flask) -> None:
    player = services.players.new_id()
    play_out(services, player, DAY, SHEET)
    answer = browser_of(app, player).get(f"{PATH}/hindsight")
    assert answer.status_code == 200
    assert "Optimal play of this sheet has not been worked out here yet." in answer.text


def test_a_replay_shows_every_roll_and_what_stayed_for_the_next(
    app: Flask, services: Services
) -> None:
    play_out(services, services.players.new_id(), DAY, "yacht", seed=5)
    board = services.days.board(DAY, "yacht", services.clock())
    (row,), _ = services.store.boards.page(board.id, 1, 0, 1)
    log = services.store.games.read(board.id, 1, row.player).log or b""
    with app.test_request_context():
        turns = replay.turns(board.ruleset, board.stream, log)
    assert [turn.round for turn in turns] == list(range(1, 14))
    assert sum(len(turn.throws) for turn in turns) == sum(byte >= 64 for byte in log)
    assert turns[-1].total == row.score
    for turn in turns:
        for throw, after in zip(turn.throws, turn.throws[1:], strict=False):
            for face, stays, then in zip(throw.dice, throw.kept, after.dice, strict=True):
                assert not stays or face == then
        assert not any(turn.throws[-1].kept)


def test_a_past_day_without_a_board_says_what_is_missing(app: Flask) -> None:
    for tail in ("hindsight", "bots/optimal"):
        page = app.test_client().get(f"/{date(2026, 3, 1)}/{SHEET}/{tail}")
        assert page.status_code == 200
        assert "has not been worked out here yet" in page.text
