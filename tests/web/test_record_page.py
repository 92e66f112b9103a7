"""/me and /me/data: the record, the name, the export, the erasure."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from challenge.service.services import Services
from challenge.web import identity
from tests.api.dump import dump
from tests.api.test_erasure import mentions
from tests.conftest import Clock
from tests.service.players import begin, play_out
from tests.web.boards import DAY, browser_of

SHEET = "generala"


def words(page: str) -> str:
    """The text of a page in one line, tags taken out."""
    main = page[page.index("<main") : page.index("</main>")]
    return " ".join(re.sub(r"<[^>]*>", " ", main).split())


def visitor(app: Flask, player: str) -> FlaskClient:
    """A browser that posts the forms of the site's own pages."""
    found = browser_of(app, player)
    found.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    return found


@pytest.fixture
def player(services: Services, clock: Clock) -> str:
    """Somebody who has played five days, two of them long ago, the last one today."""
    found = services.players.new_id()
    services.players.rename(found, "Mia")
    for ago in (20, 19, 2, 1, 0):
        day = DAY - timedelta(days=ago)
        clock.set(f"{day} 12:00")
        play_out(services, found, day, SHEET, seed=ago)
        services.worker.round()
    return found


def test_a_stranger_is_told_how_a_record_begins_and_where_a_code_is_entered(
    client: FlaskClient, valkey_url: str
) -> None:
    for path in ("/me", "/me/data", "/me/data/erase"):
        page = client.get(path)
        assert page.status_code == 200
        assert "There is no player in this browser" in words(page.text)
        assert "Set-Cookie" not in page.headers
    assert 'href="/transfer"' in client.get("/me").text
    assert dump(valkey_url) == {}


def test_who_has_finished_nothing_is_led_to_the_dice(app: Flask, services: Services) -> None:
    player = services.players.new_id()
    begin(services, player, DAY, SHEET)
    page = words(browser_of(app, player).get("/me").text)
    assert "You have not finished a game in its day yet." in page
    assert "Sheet by sheet" not in page


def test_it_says_streaks_games_figures_and_todays_place(
    app: Flask, services: Services, player: str
) -> None:
    stats = services.records.stats(player, SHEET, services.clock())
    own = stats.last[0].score
    page = words(browser_of(app, player).get("/me").text)
    assert "Streak 3 days Longest 3 days Finished 5 games" in page
    beaten = sum(each.count for each in stats.histogram if each.score < own)
    assert f"Today’s {own} is better than {beaten} of your 4 other games." in page
    assert f"Today {own}" in page
    assert f"Generala 5 {stats.best} {stats.mean:.1f} {stats.median:.1f}" in page
    assert f"Generala today {own} points Generala No. 333" in page


def test_it_counts_as_the_api_does(app: Flask, services: Services, player: str) -> None:
    play_out(services, player, DAY, "yacht-12")
    browser = browser_of(app, player)
    api = browser.get("/api/v1/me/stats").json
    page = words(browser.get("/me").text)
    assert f"Finished {api['played']} games" in page
    for each in api["last"]:
        assert f"{each['score']} point" in page
    for each in api["sheets"]:
        assert re.search(rf"{each['played']} {each['best']} {each['mean']:.1f}", page)


def test_a_sheet_is_chosen_by_its_link_and_only_its_games_are_drawn(
    app: Flask, services: Services, player: str
) -> None:
    total = play_out(services, player, DAY, "yacht-12").total
    browser = browser_of(app, player)
    assert 'href="/me?sheet=yacht-12#sheet"' in browser.get("/me").text
    page = words(browser.get("/me?sheet=yacht-12").text)
    assert "Today’s is your first game on this sheet." in page
    assert f"Scores of 1 game; today’s is {total}." in page
    page = words(browser.get("/me?sheet=yatzy").text)
    assert "You have not finished this sheet in its day yet." in page
    assert browser.get("/me?sheet=nothing").status_code == 404


def test_a_streak_that_waits_for_today_says_so(
    app: Flask, services: Services, player: str, clock: Clock
) -> None:
    said = "Finish any sheet today, and your streak goes on."
    assert said not in words(browser_of(app, player).get("/me").text)
    clock.set("2026-12-01 12:00")
    page = words(browser_of(app, player).get("/me").text)
    assert said in page
    assert "Streak 3 days" in page
    assert "Today " not in page
    clock.set("2026-12-02 12:00")
    page = words(browser_of(app, player).get("/me").text)
    assert said not in page
    assert "Streak 0 days Longest 3 days" in page


def test_numbers_are_written_as_the_language_does(
    app: Flask, services: Services, player: str
) -> None:
    mean = services.records.stats(player, SHEET, services.clock()).mean
    page = words(browser_of(app, player, "de").get("/me").text)
    assert "Serie 3 Tage Längste 3 Tage Beendet 5 Spiele" in page
    assert f"{mean:.1f}".replace(".", ",") in page


def test_a_name_is_given_and_kept(app: Flask, services: Services, player: str) -> None:
    browser = visitor(app, player)
    answer = browser.post("/me/name", data={"name": " Zoë  Maria "})
    assert (answer.status_code, answer.location) == (303, "/me?named=yes#name")
    page = browser.get(answer.location)
    assert "That is your name now." in words(page.text)
    assert 'value="Zoë Maria"' in page.text
    assert services.players.view(player).name.startswith("Zoë Maria·")


def test_a_name_that_does_not_work_comes_back_as_text_with_the_reason(
    app: Flask, services: Services, player: str
) -> None:
    browser = visitor(app, player)
    answer = browser.post("/me/name", data={"name": '"><script>' + "x" * 30})
    assert answer.status_code == 400
    assert "This name does not work." in words(answer.text)
    assert "&#34;&gt;&lt;script&gt;xxx" in answer.text
    assert "<script>xxx" not in answer.text
    assert services.players.view(player).name.startswith("Mia·")
    assert browser.post("/me/name").status_code == 400


def test_a_stranger_names_nobody(client: FlaskClient, valkey_url: str) -> None:
    assert client.post("/me/name", data={"name": "Mia"}).status_code == 401
    assert client.post("/me/data/erase").status_code == 401
    assert dump(valkey_url) == {}


def test_a_hidden_name_is_said_to_be_hidden(app: Flask, services: Services, player: str) -> None:
    services.reports.hide(player)
    page = browser_of(app, player).get("/me").text
    assert "This name was reported and is hidden" in words(page)
    assert 'value="Mia"' in page


def test_the_export_is_one_link_away(app: Flask, player: str) -> None:
    browser = browser_of(app, player)
    page = browser.get("/me/data").text
    assert 'href="/api/v1/me/export" download="samedice-2026-11-30.json"' in page
    export = json.loads(browser.get("/api/v1/me/export").data)
    assert len(export["games"]) == 5


def test_erasing_takes_a_question_and_then_everything_goes(
    app: Flask, services: Services, player: str, valkey_url: str
) -> None:
    services.groups.create(player, "Family", services.clock())
    browser = visitor(app, player)
    before = dump(valkey_url)
    assert 'href="/me/data/erase"' in browser.get("/me/data").text
    question = browser.get("/me/data/erase").text
    assert "This cannot be undone" in words(question)
    assert "You leave your group" in words(question)
    assert dump(valkey_url) == before
    answer = browser.post("/me/data/erase")
    assert (answer.status_code, answer.location) == (303, "/me/data?erased=yes")
    assert mentions(valkey_url, player, "Mia", "Family") == []
    assert browser.get_cookie(identity.COOKIE) is None
    assert "Everything is erased." in words(browser.get(answer.location).text)
    assert services.standings.leaderboard(DAY, SHEET, None, services.clock()).players == 0


def test_nobody_is_told_of_an_erasure_that_was_none(app: Flask, player: str) -> None:
    assert "Everything is erased" not in browser_of(app, player).get("/me/data?erased=yes").text


def test_looking_changes_nothing(app: Flask, player: str, valkey_url: str) -> None:
    browser = browser_of(app, player)
    before = dump(valkey_url)
    for path in ("/me", f"/me?sheet={SHEET}", "/me?named=yes", "/me/data", "/me/data/erase"):
        assert browser.get(path).status_code == 200
    assert dump(valkey_url) == before


def test_an_old_record_is_found_by_its_last_games(
    app: Flask, services: Services, player: str
) -> None:
    page = browser_of(app, player).get("/me").text
    assert f'href="/{date(2026, 11, 10)}/{SHEET}"' in page
