"""The operator's page about fair play: shut without the token; what it shows; games apart."""

from __future__ import annotations

from math import log

import pytest

from challenge.daily.evidence import Evidence
from challenge.store.keys import BoardId
from challenge.web import create_app
from challenge.web.pages.operator import COOKIE
from tests.service.players import play_out
from tests.web.boards import DAY, browser_of

TOKEN = "operators-only-" * 3
BOARD = BoardId(DAY, "generala")
PAGE = f"/operator/fairplay/{DAY}/generala"
LEADERBOARD = f"/{DAY}/generala/leaderboard"
HONEST = Evidence(20, -3.0, 900.0, (-4.0, -2.0))
SCOUT = Evidence(20, 95.0, 700.0, (log(3210), log(3210)))
SURE = Evidence(20, 95.0, 700.0, (40.0, 40.0))
PATHS = ["/operator", "/operator/fairplay", PAGE]


@pytest.fixture
def make(make_services):
    """Services with three finished games that were weighed, and their application."""

    def made(mode="report", token=TOKEN):
        services = make_services(CHALLENGE_FAIRPLAY=mode, CHALLENGE_OPERATOR_TOKEN=token)
        players = []
        for seed, evidence in enumerate((HONEST, SCOUT, SURE)):
            player = services.players.new_id()
            play_out(services, player, DAY, "generala", seed)
            services.store.evidences.write(BOARD, 1, player, evidence, apart=evidence != HONEST)
            players.append(player)
        return services, create_app(services), players

    return made


def let_in(app, language="en"):
    client = app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    return client, client.post("/operator", data={"token": TOKEN})


@pytest.mark.parametrize("path", PATHS)
def test_without_a_token_set_there_is_nothing(make, path):
    _, app, _ = make(token="")
    assert app.test_client().get(path).status_code == 404
    assert app.test_client().post("/operator", data={"token": ""}).status_code == 404


@pytest.mark.parametrize("path", PATHS[1:])
@pytest.mark.parametrize("cookie", [None, "", TOKEN, "0" * 64, "9." + "0" * 64, "\xff.x"])
def test_without_the_token_given_there_is_nothing(make, path, cookie):
    _, app, _ = make()
    client = app.test_client()
    if cookie is not None:
        client.set_cookie(COOKIE, cookie, path="/operator")
    answer = client.get(path)
    assert answer.status_code == 404
    assert "Set-Cookie" not in answer.headers


def test_a_wrong_token_is_a_guess_and_guessing_is_limited(make_services):
    services = make_services(CHALLENGE_OPERATOR_TOKEN=TOKEN, CHALLENGE_GUESSES_PER_HOUR="3")
    client = create_app(services).test_client()
    codes = [client.post("/operator", data={"token": f"guess{n}"}).status_code for n in range(4)]
    assert codes == [404, 404, 404, 429]


def test_the_right_token_opens_the_report_for_this_browser_alone(make):
    _, app, _ = make()
    client, answer = let_in(app)
    assert answer.status_code == 303
    cookie = answer.headers["Set-Cookie"]
    assert TOKEN not in cookie
    for part in ("HttpOnly", "SameSite=Strict", "Path=/operator"):
        assert part in cookie
    assert client.get("/operator").status_code == 303
    asked = client.get(f"/operator/fairplay?day={DAY}&sheet=generala")
    assert asked.headers["Location"] == PAGE
    page = client.get(PAGE)
    assert page.status_code == 200
    assert page.headers["Cache-Control"] == "no-store"
    assert app.test_client().get(PAGE).status_code == 404


def test_what_the_browser_was_given_opens_nothing_after_half_a_day(make, clock):
    _, app, _ = make()
    _, answer = let_in(app)
    value = answer.headers["Set-Cookie"].partition("=")[2].partition(";")[0]
    copied = app.test_client()  # such a browser forgets nothing by itself
    copied.set_cookie(COOKIE, value, path="/operator")
    clock.forward(hours=11, minutes=59)
    assert copied.get(PAGE).status_code == 200
    clock.forward(minutes=1)
    assert copied.get(PAGE).status_code == 404
    since, _, proof = value.partition(".")
    copied.set_cookie(COOKIE, f"{int(since) + 3600}.{proof}", path="/operator")
    assert copied.get(PAGE).status_code == 404


def test_another_token_shuts_out_who_knew_the_old_one(make, make_services):
    _, app, _ = make()
    client, _ = let_in(app)
    proof = client.get_cookie(COOKIE, path="/operator").value
    other = create_app(make_services(CHALLENGE_OPERATOR_TOKEN="another-token-" * 3))
    fresh = other.test_client()
    fresh.set_cookie(COOKIE, proof, path="/operator")
    assert fresh.get(PAGE).status_code == 404


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["3 of 3 weighed", "3,200", "clear", "10<sup>17</sup>", "+95.0", "−3.0", "apart"]),
        ("de", ["3 von 3 gewogen", "3.200", "deutlich", "10<sup>17</sup>", "+95,0", "abgesetzt"]),
    ],
)
def test_the_report_shows_the_highest_odds_first(make, language, words):
    _, app, _ = make()
    client, _ = let_in(app, language)
    text = client.get(PAGE).text
    for word in words:
        assert word in text
    assert text.index("10<sup>17") < text.index(words[1])


def test_boards_without_games_and_games_not_weighed_say_so(make):
    services, app, _ = make()
    client, _ = let_in(app)
    assert (
        "Nobody has finished this sheet yet." in client.get(PAGE.replace("generala", "yacht")).text
    )
    play_out(services, services.players.new_id(), DAY, "yatzy-13")
    page = client.get(PAGE.replace("generala", "yatzy-13")).text
    assert "None of these games has been weighed yet." in page


def test_switched_off_the_report_is_gone(make):
    _, app, _ = make("off")
    client, _ = let_in(app)
    assert client.get(PAGE).status_code == 404


def rows_of(text):
    """Main list and games apart, as the parts of the page."""
    main, _, below = text.partition("Also played")
    return main, below


def test_games_apart_stand_below_the_list_and_nobody_is_accused(make):
    services, app, (honest, scout, sure) = make("apart")
    page = app.test_client().get(LEADERBOARD)
    main, below = rows_of(page.text)
    tags = {p: services.players.view(p).name.rpartition("·")[2] for p in (honest, scout, sure)}
    assert tags[honest] in main
    assert tags[honest] not in below
    for player in (scout, sure):
        assert tags[player] not in main
        assert tags[player] in below
    assert "cheat" not in page.text.lower()
    assert "3 so far" in main


def test_the_rank_of_everybody_else_stays_what_it_was(make):
    services, app, (honest, *_) = make("apart")
    board = services.standings.leaderboard(DAY, "generala", honest, services.clock())
    page = browser_of(app, honest).get(LEADERBOARD).text
    assert f'<td class="rank">{board.me.rank}</td>' in rows_of(page)[0]
    answer = browser_of(app, honest).get(f"/api/v1/challenges/{DAY}/generala/leaderboard").json
    assert len(answer["entries"]) == 3


def test_who_is_listed_apart_is_on_the_page_once_and_keeps_the_standing(make):
    _, app, (_, scout, _) = make("apart")
    page = browser_of(app, scout).get(LEADERBOARD).text
    main, below = rows_of(page)
    assert 'class="me"' not in main
    assert below.count('class="me"') == 1
    assert "of 3 so far" in main


@pytest.mark.parametrize("mode", ["off", "report"])
def test_unless_it_is_set_so_nobody_is_listed_apart(make, mode):
    _, app, _ = make(mode)
    assert "Also played" not in app.test_client().get(LEADERBOARD).text


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("off", "This service has switched it off."),
        ("report", "so it is a hint, never a proof"),
        ("apart", "games that cross that line stand below the leaderboard"),
    ],
)
def test_the_fairness_page_tells_players_what_is_done(make, mode, said):
    _, app, _ = make(mode)
    client = app.test_client()
    assert said.lower() in client.get("/fairness").text.lower()
    german = client.get("/fairness", headers={"Accept-Language": "de"}).text
    assert "Glück – oder die Würfel gekannt?" in german
