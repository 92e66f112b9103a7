"""Pages about the site: privacy, imprint, errors, and what machines and browsers ask for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from flask import Flask, abort
from flask.testing import FlaskClient

from challenge import bootstrap
from challenge.service.services import Services
from challenge.web import assets, create_app
from challenge.web.pages.site import shell
from tests.conftest import Clock, make_settings
from tests.web.reader import read

OPERATOR = {
    "CHALLENGE_CONTACT": "dice@example.org",
    "CHALLENGE_IMPRINT": "Mia <Muster>; Road 1",
    "CHALLENGE_BASE_URL": "https://dice.example.org",
}


@pytest.fixture
def named(make_services: Callable[..., Services]) -> FlaskClient:
    """A visitor of a service that names its operator."""
    return create_app(make_services(**OPERATOR)).test_client()


# -- privacy, imprint, contact ---------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/privacy", "/nothing"])
def test_the_foot_leads_to_privacy_imprint_and_contact(named: FlaskClient, path: str) -> None:
    page = named.get(path).text
    for target in ("/privacy", "/imprint", "mailto:dice@example.org", "/fairness"):
        assert f'href="{target}"' in page


def test_without_settings_there_is_neither_imprint_nor_contact(client: FlaskClient) -> None:
    page = client.get("/privacy").text
    assert "/imprint" not in page
    assert "Contact" not in page
    assert client.get("/imprint").status_code == 404
    assert client.get("/.well-known/security.txt").status_code == 404


def test_the_imprint_has_the_lines_of_the_setting_as_text(named: FlaskClient) -> None:
    assert "Mia &lt;Muster&gt;<br>Road 1" in named.get("/imprint").text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("What we keep", "400 days after your last visit", "how to erase it")),
        ("de", ("Was wir speichern", "400 Tage nach deinem letzten", "wie du es löschst")),
    ],
)
def test_privacy_says_what_is_kept_how_long_and_how_to_erase_it(
    named: FlaskClient, language: str, words: tuple[str, ...]
) -> None:
    page = " ".join(named.get(f"/privacy?lang={language}").text.split())
    assert all(each in page for each in words)


def test_privacy_leads_to_the_export_and_to_the_button_that_erases(client: FlaskClient) -> None:
    page = client.get("/privacy").text
    assert 'href="/me/data"' in page
    assert client.get("/me/data").status_code == 200


# -- machines --------------------------------------------------------------------------------


def test_security_txt_is_that_of_the_rfc(named: FlaskClient, clock: Clock) -> None:
    answer = named.get("/.well-known/security.txt")
    assert answer.content_type == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert fields["Contact"] == "mailto:dice@example.org"
    assert fields["Canonical"] == "https://dice.example.org/.well-known/security.txt"
    assert fields["Preferred-Languages"] == "en, de"
    left = datetime.fromisoformat(fields["Expires"]) - clock.now
    assert timedelta(days=90) < left < timedelta(days=365)


def test_robots_may_read_pages_but_not_walk_the_api(client: FlaskClient) -> None:
    assert client.get("/robots.txt").text == "User-agent: *\nDisallow: /api/\n"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_manifest_names_icons_that_are_there(client: FlaskClient, language: str) -> None:
    answer = client.get("/manifest.webmanifest", headers={"Accept-Language": language})
    assert answer.content_type == "application/manifest+json"
    facts = json.loads(answer.data)
    assert facts["lang"] == language
    assert {icon["sizes"] for icon in facts["icons"]} == {"any", "192x192", "512x512"}
    assert "maskable" in {icon.get("purpose") for icon in facts["icons"]}
    for icon in facts["icons"]:
        picture = client.get(icon["src"])
        assert (picture.status_code, picture.content_type) == (200, icon["type"])
        if icon["type"] == "image/png":  # width and height stand at a fixed place
            side = int(icon["sizes"].partition("x")[0])
            assert picture.data[16:24] == side.to_bytes(4, "big") * 2


# -- service worker --------------------------------------------------------------------------


def test_the_service_worker_keeps_static_files_of_this_version_and_the_offline_page(
    client: FlaskClient,
) -> None:
    answer = client.get("/sw.js")
    assert answer.content_type == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    facts = json.loads(re.match(r"const SITE = (.*);", answer.text)[1])
    assert facts["version"] == assets.digest()
    prefix = f"/assets/{assets.digest()}/"
    assert all(path.startswith(prefix) for path in facts["shell"])
    assert set(facts["offline"]) == {"en", "de"}
    for path in (*facts["shell"], *facts["offline"].values()):
        assert client.get(path).status_code == 200


def test_the_shell_has_every_module_the_page_loads() -> None:
    found = shell.modules("page.js")
    assert {"page.js", "game.js", "tumble.js", "copy.js"} <= set(found)  # the last one later on
    assert "fairness.js" not in found


def test_the_offline_page_knows_no_player(named: FlaskClient) -> None:
    made = named.post("/api/v1/players", json={"name": "Mia"}).get_json()
    named.set_cookie("samedice_player", made["token"])
    page = named.get("/offline?lang=de")
    assert "Keine Verbindung" in page.text
    assert "Mia" not in page.text
    assert made["player"]["id"] not in page.text
    assert 'name="player"' not in page.text
    assert "Set-Cookie" not in page.headers


def test_the_policy_allows_workers_and_manifests_of_this_host_alone(client: FlaskClient) -> None:
    policy = client.get("/sw.js").headers["Content-Security-Policy"]
    assert "worker-src 'self'" in policy
    assert "manifest-src 'self'" in policy
    assert "unsafe" not in policy


# -- errors ----------------------------------------------------------------------------------


@pytest.fixture
def troubled(app: Flask) -> FlaskClient:
    """A site where everything can go wrong."""
    app.add_url_rule("/wrong/<int:code>", "wrong", abort)
    return app.test_client()


@pytest.mark.parametrize(
    ("status", "english", "german"),
    [
        (404, "There is nothing here", "Hier ist nichts"),
        (410, "No longer here", "Nicht mehr da"),
        (429, "A little slower, please", "Bitte etwas langsamer"),
        (500, "Something went wrong", "Da ist etwas schiefgegangen"),
        (503, "A short break", "Kurze Pause"),
    ],
)
def test_an_error_is_a_page_in_both_languages(
    troubled: FlaskClient, status: int, english: str, german: str
) -> None:
    for language, words in (("en", english), ("de", german)):
        answer = troubled.get(f"/wrong/{status}?lang={language}")
        assert answer.status_code == status
        assert f"<h1>{words}</h1>" in answer.text
        assert 'class="head"' in answer.text
        assert f'<html lang="{language}">' in answer.text


def test_without_a_script_the_page_of_a_break_comes_back_by_itself(clock: Clock) -> None:
    away = create_app(bootstrap.build(make_settings("unix:///nowhere"), clock)).test_client()
    answer = away.get("/2026-11-30/yacht?lang=de")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    again = '<meta http-equiv="refresh" content="5; url=/2026-11-30/yacht?lang=de">'
    assert f"<noscript>{again}</noscript>" in answer.text
    assert "data-retry" in answer.text


def test_a_move_that_could_not_be_taken_is_kept_on_the_page_and_goes_out_again(
    client: FlaskClient, clock: Clock
) -> None:
    away = create_app(bootstrap.build(make_settings("unix:///nowhere"), clock)).test_client()
    form = {**read(client.get("/2026-11-30/yacht")).fields, "do": "roll", "hold": ["0", "4"]}
    answer = away.post("/2026-11-30/yacht", data=form)
    assert answer.status_code == 503
    assert 'data-retry="/2026-11-30/yacht"' in answer.text
    assert '<form id="again" method="post" action="/2026-11-30/yacht">' in answer.text
    for name, value in (("hold", "0"), ("hold", "4"), ("do", "roll"), ("ply", "0")):
        assert f'<input type="hidden" name="{name}" value="{value}">' in answer.text
    assert "refresh" not in answer.text
    by_itself = answer.text.partition("What you sent is kept here.")[2].partition("</p>")[0]
    assert by_itself.startswith(' <span id="itself" hidden>')  # true with a script alone


def test_what_is_kept_on_the_page_of_a_break_is_escaped(clock: Clock) -> None:
    away = create_app(bootstrap.build(make_settings("unix:///nowhere"), clock)).test_client()
    answer = away.post("/2026-11-30/yacht", data={"ply": "0", '"><b>': '"><script>'})
    assert "<b>" not in answer.text
    assert '"><script>' not in answer.text


def test_an_error_that_stays_is_not_tried_again(client: FlaskClient) -> None:
    page = client.get("/nothing").text
    assert "data-retry" not in page
    assert "refresh" not in page
