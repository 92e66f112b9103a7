"""Links to results: what they show to whom, beside which picture; looking changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from challenge.service.services import Services
from challenge.web import create_app, links, signing
from challenge.web.links import SharedGame
from challenge.web.pages.links import shared
from tests.api.dump import dump
from tests.conftest import Clock
from tests.service.players import begin, play_out, play_short_of_one
from tests.web.boards import DAY, browser_of, crowd

SHEET = "generala"
GAME = f"/2026-11-30/{SHEET}"


def result_of(app: Flask, player: str, sheet: str = SHEET) -> str:
    """The path of the link to a player's result of the day."""
    with app.test_request_context():
        return f"/r/{links.result_value(SharedGame(DAY, sheet, player))}"


def hidden(page: str) -> bool:
    """Whether no box of a sheet is on the page."""
    return "data-box" not in page


def previews(page: str) -> dict[str, str]:
    """What a chat takes from a page: property -> content."""
    return dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page))


@pytest.fixture
def mia(services: Services) -> str:
    """A player who has finished the sheet."""
    player = services.players.create("Mia").id
    play_out(services, player, DAY, SHEET, seed=3)
    return player


@pytest.fixture
def path(app: Flask, mia: str) -> str:
    """Where the link to her result leads."""
    return result_of(app, mia)


@pytest.fixture
def other(services: Services) -> str:
    """Somebody who has not played yet."""
    return services.players.new_id()


# -- who sees what -----------------------------------------------------------------------------


def test_a_stranger_sees_the_score_and_the_way_into_the_game_but_no_entry(
    client: FlaskClient, mia: str, path: str
) -> None:
    page = client.get(path).text
    assert "Mia" in page
    assert "1st of 1 so far" in page
    assert "Play first, then compare" in page
    assert re.search(rf'class="roll" href="{GAME}\?result={path[3:]}">Play the same dice<', page)
    assert "From Tue 03:00 UTC on everyone may look." in page
    assert f'href="/players/{mia}/report"' in page
    assert hidden(page)
    german = client.get(path, headers={"Accept-Language": "de"}).text
    assert "Erst spielen, dann vergleichen" in german


def test_who_is_half_through_is_led_back_into_the_game(
    app: Flask, services: Services, path: str, other: str
) -> None:
    begin(services, other, DAY, SHEET)
    page = browser_of(app, other).get(path).text
    assert re.search(rf'class="roll" href="{GAME}\?result={path[3:]}">Play on<', page)
    assert hidden(page)


def test_who_has_finished_that_board_sees_the_sheet_and_how_it_compares(
    app: Flask, services: Services, path: str, other: str
) -> None:
    own = play_out(services, other, DAY, SHEET, seed=4).total
    page = browser_of(app, other).get(path).text
    total = int(re.search(r'class="points">(\d+)<', page)[1])
    assert not hidden(page)
    apart = abs(total - own)
    assert f"{apart} points {'more' if total > own else 'less'} than you" in page


def test_who_was_sent_to_play_first_is_led_back_by_their_last_entry(
    app: Flask, services: Services, path: str, other: str
) -> None:
    play_short_of_one(services, other, DAY, SHEET)
    browser = browser_of(app, other)
    browser.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    (there,) = re.findall(r'class="roll" href="([^"]+)"', browser.get(path).text)
    game = browser.get(there).text
    (action,) = re.findall(r'<form id="game" method="post" action="([^"]+)"', game)
    box = re.search(r'name="(?:box|ask)" value="(\w+)"', game)[1]
    ply = re.search(r'name="ply" value="(\d+)"', game)[1]
    end = browser.post(action, data={"ply": ply, "zero": box}, follow_redirects=True)
    assert f'href="{path}"><span>Compare with</span>' in end.text
    assert "Mia" in end.text


def test_nobody_is_led_to_another_board_to_oneself_or_to_what_is_gone(
    app: Flask, services: Services, mia: str, path: str, other: str
) -> None:
    play_out(services, other, DAY, SHEET)
    play_out(services, other, DAY, "yatzy")
    browser = browser_of(app, other)
    assert path in browser.get(f"{GAME}?result={path[3:]}").text
    assert path not in browser.get(f"/2026-11-30/yatzy?result={path[3:]}").text
    assert "Compare with" not in browser.get(f"{GAME}?result={path[3:]}x").text
    assert "Compare with" not in browser_of(app, mia).get(f"{GAME}?result={path[3:]}").text
    services.erasure.erase(mia)
    own = browser.get(f"{GAME}?result={path[3:]}")
    assert own.status_code == 200
    assert path not in own.text


def test_another_sheet_of_the_day_opens_nothing(
    app: Flask, services: Services, path: str, other: str
) -> None:
    play_out(services, other, DAY, "yatzy")
    assert hidden(browser_of(app, other).get(path).text)


def test_ones_own_link_shows_what_others_see(app: Flask, mia: str, path: str) -> None:
    page = browser_of(app, mia).get(path).text
    assert not hidden(page)
    assert "This is your own result, as others see it." in page
    assert "/report" not in page
    assert "than you" not in page


def test_while_the_board_closes_nobody_is_sent_into_a_game_that_cannot_begin(
    app: Flask, services: Services, clock: Clock, path: str, other: str
) -> None:
    begun = services.players.new_id()
    begin(services, begun, DAY, SHEET)
    clock.set("2026-12-01 01:00")
    page = browser_of(app, other).get(path).text
    assert hidden(page)
    assert not re.search(rf'href="{GAME}["?]', page)
    assert re.search(r'class="roll" href="/">To today’s dice<', page)
    assert f'href="{GAME}?result={path[3:]}">Play on<' in browser_of(app, begun).get(path).text


def test_once_the_board_is_closed_everyone_sees_the_sheet(
    client: FlaskClient, clock: Clock, path: str
) -> None:
    clock.set("2026-12-02 12:00")
    page = client.get(path).text
    assert not hidden(page)
    assert "1st of 1" in page
    assert f'href="{GAME}?result={path[3:]}">Play these dice too<' in page


def test_a_game_of_the_archive_is_shown_as_one(
    app: Flask, client: FlaskClient, services: Services, clock: Clock, other: str
) -> None:
    clock.set("2026-12-05 12:00")
    play_out(services, other, DAY, SHEET)
    path = result_of(app, other)
    page = client.get(path).text
    assert "From the archive" in page
    assert not hidden(page)
    assert client.get(f"{path}/picture.png").status_code == 200


def test_on_the_page_of_a_result_stands_the_link_to_it(app: Flask, mia: str, path: str) -> None:
    page = browser_of(app, mia).get(GAME).text
    assert f'value="http://localhost{path}"' in page


def test_the_link_begins_as_the_operator_says(
    make_services: Callable[..., Services], mia: str, path: str
) -> None:
    there = create_app(make_services(CHALLENGE_BASE_URL="https://dice.example.org"))
    page = browser_of(there, mia).get(GAME).text
    assert f'value="https://dice.example.org{path}"' in page
    facts = previews(there.test_client().get(path).text)
    assert facts["url"] == f"https://dice.example.org{path}"
    assert facts["image"] == f"https://dice.example.org{path}/picture.png?lang=en"


# -- links that lead nowhere -------------------------------------------------------------------


@pytest.mark.parametrize("tail", ["", "/picture.png"])
def test_a_link_that_is_cut_forged_or_of_another_kind_is_not_found(
    app: Flask, client: FlaskClient, mia: str, path: str, tail: str
) -> None:
    value = f"2026-11-30.{SHEET}.{mia}"
    with app.test_request_context():
        invite = signing.sign("invite", value)
    for wrong in (path[:-1], path[:-4] + "AAAA", f"/r/{value}", f"/r/{invite}", f"{path}~", "/r/x"):
        assert client.get(wrong + tail).status_code == 404


def test_an_unfinished_game_has_no_page(
    app: Flask, client: FlaskClient, services: Services, other: str
) -> None:
    path = result_of(app, other)
    assert client.get(path).status_code == 404
    begin(services, other, DAY, SHEET)
    assert client.get(path).status_code == 404
    assert client.get(f"{path}/picture.png").status_code == 404


def test_an_erased_players_link_leads_nowhere(
    client: FlaskClient, services: Services, mia: str, path: str
) -> None:
    assert client.get(path).status_code == 200
    services.erasure.erase(mia)
    assert client.get(path).status_code == 404
    assert client.get(f"{path}/picture.png").status_code == 404


# -- what a chat shows -------------------------------------------------------------------------


def test_a_chat_finds_title_words_and_picture_under_whole_addresses(
    client: FlaskClient, path: str
) -> None:
    page = client.get(path, headers={"Accept-Language": "de"}).text
    facts = previews(page)
    assert re.fullmatch(r"\d+ Punkte · Generala · Samedice Nr. 334", facts["title"])
    assert facts["description"] == "Platz 1 von bisher 1"
    assert facts["url"] == f"http://localhost{path}"
    assert facts["image"] == f"http://localhost{path}/picture.png?lang=de"
    assert (facts["image:width"], facts["image:height"]) == ("1200", "630")
    assert "Mia" not in "".join(facts.values())
    assert '<meta name="twitter:card" content="summary_large_image">' in page
    assert '<meta name="robots" content="noindex">' in page


@pytest.mark.parametrize("there", ["/", "/2026-11-30/yatzy", "/2026-11-20/yacht"])
def test_home_and_boards_have_a_picture_too(client: FlaskClient, there: str) -> None:
    facts = previews(client.get(there).text)
    assert facts["url"] == f"http://localhost{there}"
    answer = client.get(facts["image"].removeprefix("http://localhost"))
    assert Image.open(BytesIO(answer.data)).size == (1200, 630)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("No. 334", "Yacht", ("Better than 100 %", "Place 1 of 348 so far"))),
        ("de", ("Nr. 334", "Yacht", ("Besser als 100 %", "Platz 1 von bisher 348"))),
    ],
)
def test_the_picture_says_number_sheet_score_and_percentile(
    app: Flask,
    services: Services,
    valkey: redis.Redis,
    other: str,
    language: str,
    words: tuple[str, str, tuple[str, ...]],
) -> None:
    crowd(services, valkey, "yacht", [0] * 347)
    total = play_out(services, other, DAY, "yacht").total
    with app.test_request_context(f"/?lang={language}"):
        caption = shared.caption_of(SharedGame(DAY, "yacht", other))
    assert (caption.corner, caption.title, caption.lines) == words
    assert (caption.score, caption.dice) == (str(total), 5)


def test_the_picture_is_fetched_again_only_when_it_says_something_else(
    client: FlaskClient, services: Services, mia: str, path: str
) -> None:
    picture = f"{path}/picture.png?lang=en"
    first = client.get(picture)
    assert (first.status_code, first.content_type) == (200, "image/png")
    assert first.headers["Cache-Control"] == "public, max-age=300"
    assert first.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert first.headers.getlist("X-Content-Type-Options") == ["nosniff"]
    assert Image.open(BytesIO(first.data)).size == (1200, 630)
    again = client.get(picture, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    services.players.rename(mia, "Somebody else")  # it has no name
    assert client.get(picture).headers["ETag"] == first.headers["ETag"]
    assert client.get(f"{path}/picture.png?lang=de").headers["ETag"] != first.headers["ETag"]
    play_out(services, services.players.new_id(), DAY, SHEET)
    moved = client.get(picture, headers={"If-None-Match": first.headers["ETag"]})
    assert moved.status_code == 200
    assert moved.data != first.data


def test_other_answers_stay_closed_to_other_sites(client: FlaskClient) -> None:
    found = client.get("/").headers
    assert found.getlist("Cross-Origin-Resource-Policy") == ["same-origin"]


# -- looking changes nothing -------------------------------------------------------------------

BOTS = ("WhatsApp/2.23.20.0", "TelegramBot (like TwitterBot)", "facebookexternalhit/1.1")


@pytest.fixture
def given(app: Flask, services: Services, clock: Clock, mia: str, path: str) -> list[str]:
    """Every address a player gives away: result and picture, invite, transfer."""
    group = services.groups.create(mia, "Office", clock())
    code = services.devices.transfer(mia, 0, clock()).code
    with app.test_request_context():
        invite = signing.sign("invite", services.groups.invitation(mia, group.id))
        transfer = signing.sign("transfer", code)
    return [path, f"{path}/picture.png", "/picture.png", f"/join/{invite}", f"/transfer/{transfer}"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_chat_that_looks_at_a_link_changes_nothing(
    app: Flask, services: Services, valkey_url: str, other: str, given: list[str], method: str
) -> None:
    play_out(services, other, DAY, SHEET)
    visitors = [app.test_client(), browser_of(app, other)]
    before = dump(valkey_url)
    for client in visitors:
        for path in given:
            for bot in BOTS:
                answer = client.open(path, method=method, headers={"User-Agent": bot})
                assert answer.status_code == 200, path
                assert "Set-Cookie" not in answer.headers
    assert dump(valkey_url) == before
