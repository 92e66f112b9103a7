"""Pages without JavaScript: forms post, a redirect follows, a GET changes nothing."""

from __future__ import annotations

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient

from challenge import bootstrap
from challenge.game import rulesets
from challenge.web import create_app
from tests.api.dump import written
from tests.conftest import Clock, make_settings
from tests.web.reader import play_on, read, send

PATH = "/2026-11-30/yacht"
API = "/api/v1/challenges/2026-11-30/yacht"


def _browser(app: Flask) -> FlaskClient:
    """It says where a form was sent from."""
    client = app.test_client()
    client.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    return client


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser without cookies yet."""
    return _browser(app)


def _finish(client: FlaskClient, path: str = PATH) -> None:
    page = read(client.get(path))
    while page.buttons:
        page = play_on(client, path, page, do="roll")
        page = play_on(client, path, page, box=next(iter(page.choices)))


def test_looking_creates_nothing_and_sets_no_cookie(
    client: FlaskClient, valkey: redis.Redis
) -> None:
    for path in ("/", PATH, "/2026-11-30", f"{PATH}/leaderboard", "/2026-11-30/yatzy?lang=de"):
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert "Set-Cookie" not in answer.headers
        assert answer.headers["Cache-Control"] == "no-store"
    assert written(valkey) == []


def test_the_first_roll_begins_the_game_and_keeps_the_player(client: FlaskClient) -> None:
    page = read(client.get("/"))
    assert page.fields["ply"] == "0"
    page = play_on(client, PATH, page, do="roll")
    assert "player" not in page.fields
    game = client.get(f"{API}/game").get_json()
    assert (game["ply"], game["dice"]) == (1, page.faces)


def test_a_double_click_on_the_first_roll_makes_one_player_and_one_action(
    app: Flask, client: FlaskClient
) -> None:
    page = read(client.get(PATH))
    twin = _browser(app)
    first, second = (send(each, PATH, page, do="roll") for each in (client, twin))
    assert first.status_code == second.status_code == 303
    games = [each.get(f"{API}/game").get_json() for each in (client, twin)]
    assert games[0] == games[1]
    assert games[0]["ply"] == 1
    assert client.get(API).get_json()["started"] == 1


@pytest.mark.parametrize("sheet", ["yacht", "yatzy-order-b25", "maxi-yatzy-saved", "yacht-triple"])
def test_a_whole_game_is_played_with_plain_forms(client: FlaskClient, sheet: str) -> None:
    path, api = f"/2026-11-30/{sheet}", f"/api/v1/challenges/2026-11-30/{sheet}/game"
    page = read(client.get(path))
    for turn in range(rulesets.find(sheet).rounds):
        page = play_on(client, path, page, do="roll")
        page = play_on(client, path, page, do="roll", hold=["0", "1"])
        assert page.held == ["0", "1"]
        game = client.get(api).get_json()
        assert page.choices == {b["box"]: b["preview"] for b in game["boxes"] if b["legal"]}, turn
        page = play_on(client, path, page, box=max(page.choices, key=page.choices.__getitem__))
    game = client.get(api).get_json()
    assert game["finished"]
    assert str(game["total"]) in page.words
    assert client.get(f"{api}/share?lang=en").text in client.get(path).text


def test_enter_rolls_and_never_scores(client: FlaskClient) -> None:
    page = play_on(client, PATH, read(client.get(PATH)), do="roll")
    assert (page.buttons[0].name, page.buttons[0].value) == ("do", "roll")
    page = play_on(client, PATH, page, do="roll")
    page = play_on(client, PATH, page, do="roll")
    assert not page.buttons[0].enabled


@pytest.mark.parametrize(
    ("pressed", "words"),
    [
        ({"do": "roll", "hold": list("01234")}, "Every die is held."),
        ({"do": "roll", "hold": list("0")}, "The first roll of a turn throws all dice."),
        ({"box": "ones"}, "Roll before you choose a box."),
    ],
)
def test_what_the_rules_forbid_is_said_and_changes_nothing(
    client: FlaskClient, pressed: dict, words: str
) -> None:
    page = play_on(client, PATH, read(client.get(PATH)), do="roll")
    if "Every" not in words:
        page = play_on(client, PATH, page, box="chance")
    before = client.get(f"{API}/game").data
    answer = send(client, PATH, page, **pressed)
    assert answer.status_code == 422
    assert words in read(answer).words
    assert client.get(f"{API}/game").data == before


def test_a_refused_roll_keeps_the_holds(client: FlaskClient) -> None:
    page = play_on(client, PATH, read(client.get(PATH)), do="roll")
    assert read(send(client, PATH, page, do="roll", hold=list("01234"))).held == list("01234")


def test_a_second_tab_is_shown_the_game_as_it_stands(client: FlaskClient) -> None:
    old = play_on(client, PATH, read(client.get(PATH)), do="roll")
    play_on(client, PATH, old, do="roll", hold=["1"])
    answer = send(client, PATH, old, do="roll", hold=["2"])
    assert answer.status_code == 409
    assert "The game has moved on elsewhere." in read(answer).words
    assert read(answer).fields["ply"] == "2"


def test_a_language_asked_for_in_the_address_stays_through_the_game(client: FlaskClient) -> None:
    path = f"{PATH}?lang=de"
    page = play_on(client, path, read(client.get(path)), do="roll")
    assert "Würfeln · noch 2" in page.words


def test_the_page_script_gets_the_new_page_at_once(client: FlaskClient) -> None:
    page = read(client.get(PATH))
    answer = client.post(PATH, data={**page.fields, "do": "roll"}, headers={"Samedice-Swap": "1"})
    assert answer.status_code == 200
    assert read(answer).fields == {"ply": "1", "hints": "on"}
    assert "samedice_player" in answer.headers["Set-Cookie"]


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"player": "forged"}, 401),
        ({"player": ""}, 401),
        ({"ply": ""}, 400),
        ({"ply": "-1"}, 400),
        ({"ply": "²"}, 400),
        ({"ply": "7"}, 404),
        ({"hold": "9"}, 400),
        ({"hold": ["0", "0"]}, 400),
        ({"box": "nothing"}, 400),
    ],
)
def test_a_form_that_makes_no_sense_gets_a_page_and_begins_no_game(
    client: FlaskClient, changed: dict, status: int
) -> None:
    page = read(client.get(PATH))
    answer = client.post(PATH, data={**page.fields, "do": "roll", **changed})
    assert answer.status_code == status
    assert answer.content_type.startswith("text/html")
    assert "Set-Cookie" not in answer.headers


def test_a_form_from_another_site_is_refused(client: FlaskClient) -> None:
    page = read(client.get(PATH))
    answer = client.post(
        PATH, data={**page.fields, "do": "roll"}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert answer.status_code == 403
    assert "Sent from another page" in read(answer).words


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/nothing", 404, "There is nothing here"),
        ("/2026-11-30/nothing", 404, "There is nothing here"),
        ("/2025-12-31/yacht", 404, "There is nothing here"),
        ("/2026-13-01/yacht", 404, "There is nothing here"),
        ("/2026-12-01/yacht", 403, "1 December 2026, 00:00 (UTC)"),
        ("/2026-11-30/yacht/leaderboard?offset=x", 400, "That did not work"),
        ("/language", 404, "There is nothing here"),
    ],
)
def test_errors_are_pages_in_words(client: FlaskClient, path: str, status: int, words: str) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert words in read(answer).words


def test_a_store_that_is_away_is_a_page_too(clock: Clock) -> None:
    away = bootstrap.build(make_settings("unix:///nowhere"), clock)
    client = create_app(away).test_client()
    answer = client.get(PATH)
    assert answer.status_code == 503
    assert "A short break" in read(answer).words


def test_after_the_rollover_a_begun_game_is_finished_and_none_begins(
    app: Flask, client: FlaskClient, clock: Clock
) -> None:
    page = play_on(client, PATH, read(client.get(PATH)), do="roll")
    clock.set("2026-12-01 01:00")
    assert "Finish by 03:00 and it counts." in read(client.get(PATH)).words
    assert play_on(client, PATH, page, do="roll").fields["ply"] == "2"
    stranger = _browser(app)
    answer = send(stranger, PATH, read(stranger.get(PATH)), do="roll")
    assert answer.status_code == 409
    assert "This day is over" in read(answer).words


def test_a_past_day_is_played_as_archive(client: FlaskClient) -> None:
    path = "/2026-10-30/yacht"
    assert "Archive of 30 October: off the board." in read(client.get(path)).words
    _finish(client, path)
    page = read(client.get(path))
    assert "From the archive" in page.words
    assert "\narchive\n" in client.get(path).text


def test_equal_scores_share_a_place_and_ones_own_row_is_marked(
    app: Flask, client: FlaskClient
) -> None:
    for each in (client, _browser(app)):
        _finish(each)
    page = client.get(f"{PATH}/leaderboard")
    assert page.text.count('<td class="rank">=1</td>') == 2
    assert page.text.count('class="me"') == 1


def test_a_name_is_text_and_never_markup(client: FlaskClient) -> None:
    _finish(client)
    name = '<b>Mia</b> & "Co"'
    answer = client.patch("/api/v1/me", json={"name": name})
    assert answer.status_code == 200
    page = client.get(f"{PATH}/leaderboard").text
    assert "&lt;b&gt;Mia&lt;/b&gt; &amp; &#34;Co&#34;" in page
    assert "<b>Mia" not in page


def test_the_sheets_of_a_day_are_all_listed(client: FlaskClient) -> None:
    page = client.get("/2026-11-30").text
    for ruleset in rulesets.RULESETS:
        assert f'href="/2026-11-30/{ruleset.id}"' in page


def test_the_commitment_of_the_board_stands_on_its_page_and_the_seed_once_closed(
    client: FlaskClient, clock: Clock
) -> None:
    assert client.get(API).get_json()["commitment"] in client.get(PATH).text
    clock.set("2026-12-01 03:00")
    board = client.get(API).get_json()
    assert board["seed"] in client.get(PATH).text
