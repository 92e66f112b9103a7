"""The pages that bring a player to another device; every one works without a script."""

from __future__ import annotations

import random
import re
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from challenge.service.services import Services
from tests.api.dump import dump
from tests.conftest import Clock
from tests.service.players import begin, play_out, step
from tests.web.boards import DAY, browser_of

DEVICES, TRANSFER = "/me/devices", "/transfer"


@pytest.fixture
def mia(services: Services) -> str:
    """A player with a name and a half-played game."""
    player = services.players.create("Mia").id
    begin(services, player, DAY, "generala")
    return player


@pytest.fixture
def here(app: Flask, mia: str) -> FlaskClient:
    """Mia's browser."""
    return browser_of(app, mia)


@pytest.fixture
def there(app: Flask) -> FlaskClient:
    """A browser of nobody yet."""
    return app.test_client()


def post(client: FlaskClient, path: str, **form: str) -> TestResponse:
    """A form sent as a browser sends it."""
    return client.post(path, data=form, headers={"Sec-Fetch-Site": "same-origin"})


def field(page: TestResponse, name: str) -> str:
    """What stands in a field of a page."""
    found = re.search(rf'<input[^>]*\b(?:id|name)="{name}"[^>]*\bvalue="([^"]*)"', page.text)
    assert found, page.text
    return found[1]


def offered(here: FlaskClient) -> tuple[str, str]:
    """The code and the path of the link that the page shows."""
    page = post(here, f"{DEVICES}/transfer")
    link = re.search(r'<textarea id="link"[^>]*>([^<]+)<', page.text)
    assert page.status_code == 200
    assert link
    return field(page, "code"), urlsplit(link[1]).path


def who(client: FlaskClient) -> str | None:
    """The player of a browser."""
    answer = client.get("/api/v1/me")
    return answer.json["player"]["id"] if answer.status_code == 200 else None


# -- entering a code ---------------------------------------------------------------------


def test_a_code_makes_the_other_browser_the_same_player_in_the_middle_of_the_game(
    here: FlaskClient, there: FlaskClient, mia: str
) -> None:
    code, _ = offered(here)
    answer = post(there, TRANSFER, code=code.upper().replace("-", " "))
    assert (answer.status_code, answer.location) == (303, "/2026-11-30/generala")
    assert who(there) == who(here) == mia


def test_where_nothing_is_half_played_today_the_way_leads_to_the_default_sheet(
    services: Services, app: Flask, there: FlaskClient
) -> None:
    code, _ = offered(browser_of(app, services.players.create("Max").id))
    assert post(there, TRANSFER, code=code).location == "/"


def test_a_wrong_a_used_and_an_old_code_get_the_same_page(
    here: FlaskClient, there: FlaskClient, app: Flask, clock: Clock
) -> None:
    used, link = offered(here)
    post(there, TRANSFER, code=used)
    other = app.test_client()
    pages = [post(other, TRANSFER, code=code) for code in (used, "0000-0000", "", "?")]
    pages += [other.get(link), other.get(link[:-3]), other.get("/transfer/a.b")]
    late, late_link = offered(here)
    clock.forward(minutes=10)
    pages += [post(other, TRANSFER, code=late), other.get(late_link)]
    assert {page.status_code for page in pages} == {404}
    mains = [page.text.partition("<main")[2].partition("</main>")[0] for page in pages]
    (said,) = {re.sub(r'name="once" value="[^"]+"', "", main) for main in mains}
    assert "This code does not work." in said
    assert "Set-Cookie" not in pages[0].headers


def test_a_browser_with_a_player_is_asked_first_and_nothing_is_merged(
    here: FlaskClient, services: Services, app: Flask, mia: str
) -> None:
    max_ = services.players.create("Max").id
    play_out(services, max_, DAY, "generala")
    other = browser_of(app, max_)
    code, _ = offered(here)
    question = post(other, TRANSFER, code=code)
    assert question.status_code == 200
    assert re.search(r"becomes.*Mia.*So far it is.*Max", question.text, re.DOTALL)
    assert "no way back" in question.text
    assert who(other) == max_
    form = {name: field(question, name) for name in ("code", "sure")}
    assert post(other, TRANSFER, **form).status_code == 303
    assert who(other) == mia
    assert services.records.finished(max_)
    assert not services.records.finished(mia)


def test_a_player_on_its_own_device_is_told_so_and_the_code_stays_good(
    here: FlaskClient, there: FlaskClient
) -> None:
    code, link = offered(here)
    for page in (post(here, TRANSFER, code=code), here.get(link)):
        assert "You are here already" in page.text
    assert post(there, TRANSFER, code=code).status_code == 303


def test_a_recovery_code_is_entered_in_the_same_field(
    here: FlaskClient, there: FlaskClient, mia: str
) -> None:
    code = field(post(here, f"{DEVICES}/recovery"), "recovery")
    assert post(there, TRANSFER, code=code).status_code == 303
    assert who(there) == mia


# -- the link ----------------------------------------------------------------------------


def test_the_link_names_the_player_and_its_button_takes_the_code(
    here: FlaskClient, there: FlaskClient, mia: str
) -> None:
    _, link = offered(here)
    page = there.get(link)
    assert "This device becomes" in page.text
    assert "Mia" in page.text
    form = {name: field(page, name) for name in ("code", "sure")}
    assert post(there, TRANSFER, **form).status_code == 303
    assert who(there) == mia
    assert there.get(link).status_code == 404


def test_looking_at_a_link_changes_nothing_and_sets_no_cookie(
    here: FlaskClient, there: FlaskClient, valkey_url: str
) -> None:
    _, link = offered(here)
    before = dump(valkey_url)
    for path in (link, TRANSFER, DEVICES, link[:-1]):
        for client in (here, there):
            assert "Set-Cookie" not in client.get(path).headers
    assert dump(valkey_url) == before


# -- one's devices -----------------------------------------------------------------------


def test_a_stranger_is_told_where_codes_are_entered(there: FlaskClient) -> None:
    page = there.get(DEVICES)
    assert page.status_code == 200
    assert f'href="{TRANSFER}"' in page.text
    assert f'action="{DEVICES}' not in page.text
    for path in ("transfer", "recovery", "sign-out"):
        assert post(there, f"{DEVICES}/{path}").status_code == 401


def test_the_code_ends_when_the_page_says(here: FlaskClient) -> None:
    page = post(here, f"{DEVICES}/transfer")
    assert "For one use, until 12:10 UTC." in page.text
    assert 'class="qr"' in page.text


def test_a_recovery_code_is_shown_once_and_known_of_from_then_on(here: FlaskClient) -> None:
    assert "none yet" in here.get(DEVICES).text
    code = field(post(here, f"{DEVICES}/recovery"), "recovery")
    again = here.get(DEVICES).text
    assert code not in again
    assert "there is one" in again


def test_signing_out_everywhere_keeps_this_device_alone(
    here: FlaskClient, there: FlaskClient, mia: str
) -> None:
    post(there, TRANSFER, code=offered(here)[0])
    _, link = offered(here)
    page = post(here, f"{DEVICES}/sign-out")
    assert "All other devices are signed out." in page.text
    assert (who(here), who(there)) == (mia, None)
    assert there.get(link).status_code == 404
    assert "no player in this browser" in there.get(DEVICES).text
    assert post(here, f"{DEVICES}/transfer").status_code == 200


def test_a_voided_cookie_stays_where_it_is_until_another_player_comes(
    here: FlaskClient, there: FlaskClient, app: Flask, services: Services
) -> None:
    """Whose cookie was voided is a stranger: no question about a player that is none."""
    post(there, TRANSFER, code=offered(here)[0])
    post(here, f"{DEVICES}/sign-out")
    max_ = services.players.create("Max").id
    code, _ = offered(browser_of(app, max_))
    assert post(there, TRANSFER, code=code).status_code == 303
    assert who(there) == max_


# -- at the end of a game ----------------------------------------------------------------


@pytest.fixture
def on_a_streak(services: Services, clock: Clock) -> str:
    """A player who has finished a sheet on three days in a row."""
    player = services.players.create("Mia").id
    for day in (28, 29, 30):
        clock.set(f"2026-11-{day} 12:00")
        play_out(services, player, DAY.replace(day=day), "generala")
    return player


def test_the_third_streak_day_proposes_a_recovery_code_until_there_is_one(
    services: Services, app: Flask, on_a_streak: str
) -> None:
    browser = browser_of(app, on_a_streak)
    proposal = "Your streak hangs on the cookies"
    assert proposal in browser.get("/2026-11-30/generala").text
    assert proposal not in browser.get("/2026-11-29/generala").text
    services.devices.recovery(on_a_streak)
    assert proposal not in browser.get("/2026-11-30/generala").text


def test_before_the_third_day_nothing_is_proposed(services: Services, app: Flask, mia: str) -> None:
    play_out(services, mia, DAY, "yacht")
    assert "recovery" not in browser_of(app, mia).get("/2026-11-30/yacht").text


def test_a_half_played_game_goes_on_in_both_browsers(
    services: Services, here: FlaskClient, there: FlaskClient, mia: str
) -> None:
    post(there, TRANSFER, code=offered(here)[0])
    view = services.play.view(mia, DAY, "generala", services.clock())
    step(services, mia, view, random.Random(1))
    pages = [client.get("/2026-11-30/generala").text for client in (here, there)]
    assert pages[0] == pages[1]
    assert 'name="ply" value="1"' in pages[0]
