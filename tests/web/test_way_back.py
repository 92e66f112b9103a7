"""The forms that lead back to where they were sent from never lead to another site."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from challenge.service.services import Services
from tests.web.boards import browser_of

HOSTILE = ["//evil.example", "/\\evil.example", "/\t/evil.example", "https://evil.example"]
BROKEN = ["/a\r\nb", "/\n/evil.example", "/\r/evil.example", "/\t/[", ""]


@pytest.mark.parametrize("target", [*HOSTILE, *BROKEN])
def test_a_way_back_to_another_site_leads_home_instead(client: FlaskClient, target: str) -> None:
    answer = client.post("/language", data={"lang": "de", "next": target})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


def test_a_way_back_on_this_site_is_taken(client: FlaskClient) -> None:
    answer = client.post("/language", data={"lang": "de", "next": "/2026-11-30/yacht"})
    assert answer.headers["Location"] == "/2026-11-30/yacht"


def _next(page: str) -> str:
    """Where the language switch of a page leads."""
    found = re.search(r'name="next" value="([^"]*)"', page)
    assert found
    return found[1].replace("&amp;", "&")


def test_the_language_switch_keeps_the_day_and_sheet_that_are_asked_for(
    client: FlaskClient,
) -> None:
    page = client.get("/archive?sheet=yatzy&lang=de").text
    assert _next(page) == "/archive?sheet=yatzy"  # else the switch would change nothing
    assert _next(client.get("/").text) == "/"


def test_the_language_switch_of_an_answer_to_a_form_leads_to_a_page(
    app: Flask, services: Services
) -> None:
    browser = browser_of(app, services.players.create("Mia").id)
    browser.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    forms = {"/me/devices/transfer": 200, "/me/devices/recovery": 200, "/me/name": 400}
    for path, status in forms.items():
        answer = browser.post(path, data={"name": ""})
        assert answer.status_code == status
        assert browser.get(_next(answer.text)).status_code == 200
