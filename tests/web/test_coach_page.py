"""The coach on archive days: what each choice is worth, before deciding; never on open boards."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from flask import Flask

from challenge.game import game as rules
from challenge.game import rulesets
from challenge.service.services import Services
from challenge.solver.table import Table
from challenge.solver.turn import Turn
from challenge.web import create_app
from tests.conftest import Clock
from tests.service.players import begin
from tests.solved import solved_folder_of
from tests.web.boards import browser_of
from tests.web.reader import play_on, read, send

SHEET = "generala"
PAST = date(2026, 11, 1)
CLOSED, OPEN = f"/2026-11-01/{SHEET}", f"/2026-11-30/{SHEET}"
SAYS = "Every choice"


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory in which a small sheet is solved."""
    return solved_folder_of(SHEET, tmp_path_factory)


@pytest.fixture
def services(make_services, tables: Path) -> Services:
    return make_services(CHALLENGE_DATA_DIR=str(tables))


def rolled(app: Flask, services: Services, day: date, path: str, language: str = "en"):
    """A browser with dice on the table, its player, and the page that shows them."""
    player = services.players.new_id()
    begin(services, player, day, SHEET)
    client = browser_of(app, player, language)
    client.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    return client, player, play_on(client, path, read(client.get(path)), do="roll")


def test_a_hint_says_the_best_choice_and_lists_all_of_them(app: Flask, services: Services) -> None:
    client, player, page = rolled(app, services, PAST, CLOSED)
    assert "coach" in [button.value for button in page.buttons]
    answer = send(client, CLOSED, page, do="coach")
    assert answer.status_code == 303
    shown = client.get(answer.location).text
    view = services.play.view(player, PAST, SHEET, services.clock())
    advice = services.coach.advice(player, PAST, SHEET, services.clock())
    assert SAYS in shown
    assert shown.count('<th scope="row">') == len(advice.holds) + len(advice.boxes)
    assert len(advice.boxes) == sum(box.legal for box in view.boxes)
    assert f"{advice.best:.1f}" in shown


def test_what_a_choice_is_worth_is_what_the_table_says(app: Flask, services: Services) -> None:
    _, player, page = rolled(app, services, PAST, CLOSED)
    advice = services.coach.advice(player, PAST, SHEET, services.clock())
    table: Table = services.insight.table_of(rulesets.find(SHEET))
    turn = Turn(table, rules.start(rulesets.find(SHEET)).card)
    dice = tuple(page.faces)
    assert advice.best == pytest.approx(turn.rolled(dice, 1), abs=1e-9)
    assert {entry.box for entry in advice.boxes} == {
        rulesets.find(SHEET).boxes[i].id for i in turn.entries(dice, 1)
    }
    assert advice.holds[0].value >= advice.holds[-1].value
    assert min(choice.lost for choice in [*advice.holds, *advice.boxes]) == 0


def test_a_hint_changes_no_game_and_a_move_goes_on_from_it(app: Flask, services: Services) -> None:
    client, player, page = rolled(app, services, PAST, CLOSED)
    before = services.play.view(player, PAST, SHEET, services.clock()).log
    hinted = read(client.get(send(client, CLOSED, page, do="coach", hold=["1"]).location))
    assert hinted.held == ["1"]
    assert services.play.view(player, PAST, SHEET, services.clock()).log == before
    assert SAYS not in play_on(client, CLOSED, hinted, do="roll").words


def test_with_a_script_the_page_comes_at_once(app: Flask, services: Services) -> None:
    client, _, page = rolled(app, services, PAST, CLOSED, "de")
    headers = {"Samedice-Swap": "1"}
    shown = client.post(CLOSED, data={**page.fields, "do": "coach"}, headers=headers)
    assert shown.status_code == 200
    assert "Am besten: " in shown.text
    assert "Behalten und weiterwürfeln" in shown.text


@pytest.mark.parametrize("now", ["2026-11-30 12:00", "2026-12-01 01:00"])
def test_an_open_or_closing_board_has_no_coach(
    app: Flask, services: Services, clock: Clock, now: str
) -> None:
    client, _, page = rolled(app, services, date(2026, 11, 30), OPEN)
    assert "coach" not in [button.value for button in page.buttons]
    clock.set(now)
    for headers in ({}, {"Samedice-Swap": "1"}):
        answer = client.post(
            OPEN, data={**page.fields, "do": "coach"}, headers=headers, follow_redirects=True
        )
        assert answer.status_code == 403
        assert SAYS not in answer.text
    refused = client.get(f"{OPEN}?coach=1")
    assert refused.status_code == 403
    assert "Not before the close" in refused.text


def test_without_a_table_it_says_so_in_one_line(make_services, clock: Clock) -> None:
    services = make_services()
    app = create_app(services)
    client, _, page = rolled(app, services, PAST, CLOSED)
    shown = client.get(send(client, CLOSED, page, do="coach").location)
    assert shown.status_code == 200
    assert "Optimal play of this sheet has not been worked out here yet." in shown.text
    assert SAYS not in shown.text


def test_before_the_first_roll_there_is_nothing_to_ask(app: Flask, services: Services) -> None:
    client = app.test_client()
    page = read(client.get(f"{CLOSED}?coach=1"))
    assert "coach" not in [button.value for button in page.buttons]
    assert SAYS not in page.words
