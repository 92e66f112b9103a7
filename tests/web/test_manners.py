"""The question before a zero and the hints, as plain forms: what is asked, and what is kept."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.reader import Page, play_on, read, send

PATH = "/2026-11-30/yacht"
API = "/api/v1/challenges/2026-11-30/yacht/game"
QUESTION = "Score 0 in Five of a kind?"


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser: it says where a form was sent from."""
    client = app.test_client()
    client.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    return client


@pytest.fixture
def rolled(client: FlaskClient) -> Page:
    """A game after its first roll: 2, 1, 4, 1, 1."""
    return play_on(client, PATH, read(client.get(PATH)), do="roll")


def _asked(client: FlaskClient, rolled: Page) -> str:
    return str(send(client, PATH, rolled, ask="yatzy", hold=["0", "2"]).location)


def test_a_question_is_a_page_of_its_own_address_that_changes_nothing(
    client: FlaskClient, rolled: Page
) -> None:
    target = _asked(client, rolled)
    assert target == f"{PATH}?ask=yatzy&hold=0&hold=2"
    page = read(client.get(target))
    assert QUESTION in page.words
    assert page.held == ["0", "2"]
    assert client.get(API).get_json()["ply"] == 1


def test_enter_never_scores_while_it_is_asked(client: FlaskClient, rolled: Page) -> None:
    page = read(client.get(_asked(client, rolled)))
    assert (page.buttons[0].name, page.buttons[0].value) == ("do", "back")


def test_the_answer_enters_the_zero(client: FlaskClient, rolled: Page) -> None:
    page = read(client.get(_asked(client, rolled)))
    play_on(client, PATH, page, zero="yatzy")
    boxes = {box["box"]: box["score"] for box in client.get(API).get_json()["boxes"]}
    assert boxes["yatzy"] == 0


@pytest.mark.parametrize("ask", ["chance", "nothing", "", "<b>"])
def test_what_is_no_zero_is_not_asked_about(client: FlaskClient, rolled: Page, ask: str) -> None:
    page = read(client.get(PATH, query_string={"ask": ask}))
    assert "Score 0" not in page.words
    assert "Pick the dice" in client.get(PATH, query_string={"ask": ask}).text


def test_a_hold_that_is_none_is_refused(client: FlaskClient, rolled: Page) -> None:
    assert client.get(f"{PATH}?hold=9").status_code == 400


def test_no_cookie_before_the_choice_and_one_after_it(client: FlaskClient, rolled: Page) -> None:
    page = read(client.get(_asked(client, rolled)))
    answer = send(client, PATH, page, zero="yatzy", quiet="1")
    assert answer.headers["Set-Cookie"].startswith("zero=off;")
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    page = play_on(client, PATH, read(client.get(PATH)), do="roll")
    assert {button.name for button in page.buttons} <= {"do", "box", ""}


def test_the_choice_is_taken_back(client: FlaskClient) -> None:
    client.set_cookie("zero", "off")
    answer = client.post("/manners", data={"asks": "on", "next": PATH})
    assert (answer.status_code, answer.location) == (303, PATH)
    assert client.get_cookie("zero") is None


@pytest.mark.parametrize("asks", ["", "maybe"])
def test_a_switch_is_on_or_off(client: FlaskClient, asks: str) -> None:
    assert client.post("/manners", data={"asks": asks}).status_code == 400


def test_hiding_the_hints_begins_no_game(client: FlaskClient) -> None:
    page = read(client.get(PATH))
    assert page.fields["hints"] == "on"
    answer = send(client, PATH, page, do="quiet")
    assert answer.headers["Set-Cookie"].startswith("hints=off;")
    assert "hints" not in read(client.get(PATH)).fields
    assert client.get(API).status_code == 401
