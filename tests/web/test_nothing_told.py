"""No log line and no figure holds anything of a player, at any level, whatever is asked.

Every route is asked by a player whose id, token, name, groups, codes, links, address and
queries can be recognized: with a token, with a cookie, by form, with good and bad bodies.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from challenge import logs
from challenge.daily import names
from challenge.service.services import Services
from challenge.web import create_app
from challenge.web.signing import sign
from tests.api.contract import Api, game
from tests.service.players import begin, play_out
from tests.web.boards import DAY, browser_of, token_of

SHEET = "yacht"
NAME, GROUP, QUERY = "Ottilie Quark", "Quarkrunde", "geheimfrage"
AGENT, REFERER, ADDRESS = "Geheimagent", "https://woher.example/", "203.0.113.77"
OPERATOR, METRICS = "operator-geheim-" * 3, "metrics-geheim-" * 3
LAST = ("DELETE", "out", "leave", "erase", "codes")  # what makes the player nobody
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


class Marked:
    """A player who can be recognized, and everything that must not be told of them."""

    def __init__(self, app: Flask, services: Services) -> None:
        self.app = app
        client = app.test_client(use_cookies=False)
        self.api = Api(client).signed(NAME)
        player = self.api.player
        other = services.players.create(f"{NAME} II").id
        for each in (player, other):
            play_out(services, each, DAY, SHEET)
        begin(services, player, DAY, "yatzy")
        self.group, self.invite = self._group()
        with app.test_request_context():
            self.result = sign("result", f"{DAY}.{SHEET}.{player}")
        self.code = self.api.post("/api/v1/me/transfer").json["code"]
        recovery = services.devices.recovery(player)
        self.other = other
        self.secrets = {
            player, other, str(self.api.token), token_of(app, player), NAME, GROUP, QUERY, AGENT,
            REFERER, ADDRESS, OPERATOR, METRICS, self.group, self.invite, self.result, self.code,
            self.code.replace("-", ""), recovery, names.display(player, NAME),
        }  # fmt: skip

    def _group(self) -> tuple[str, str]:
        made = self.api.post("/api/v1/groups", {"name": GROUP}).json
        return made["id"], urlsplit(made["invite_url"]).path.rsplit("/", 1)[1]

    def calls(self) -> Iterator[tuple[str, str]]:
        """(method, path) of every route, those that end a player last."""
        found = list(self._calls())
        yield from sorted(found, key=lambda call: any(word in "".join(call) for word in LAST))

    def _calls(self) -> Iterator[tuple[str, str]]:
        values = {
            "date": str(DAY), "ruleset": SHEET, "id": SHEET, "player": self.other,
            "strength": "optimal", "signed": self.result, "group": self.group,
            "invite": self.invite, "token": self.invite, "filename": "page.css",
            "week": "2026-W48", "month": "2026-11",
        }  # fmt: skip
        for rule in self.app.url_map.iter_rules():
            here = values | ({"id": self.group} if "/groups/" in rule.rule else {})
            built = rule.build({name: here.get(name, QUERY) for name in rule.arguments})
            assert built is not None
            for method in sorted((rule.methods or set()) & METHODS):
                yield method, built[1]

    def bodies(self) -> list[dict[str, Any]]:
        """What is sent to whatever takes a body; most of it is wrong for most."""
        code, invite = self.code, self.invite
        return [
            {"name": NAME},
            {"code": code, "invite": invite, "player": self.other},
            {"ply": 1, "hold": [], QUERY: NAME},
            {"code": code},
            {"invite": f"http://localhost/join/{invite}"},
        ]


@pytest.fixture
def told(capfd: pytest.CaptureFixture[str]) -> Iterator[Callable[[], str]]:
    """All that is logged, at every level, as lines of JSON and plain."""
    root, before = logging.getLogger(), logging.getLogger().level
    handlers = [logs.Stderr(), logs.Stderr()]
    for handler, form in zip(handlers, (logs.JsonLine(), logs.PlainLine()), strict=True):
        handler.setFormatter(form)
        root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield lambda: capfd.readouterr().err
    root.setLevel(before)
    for handler in handlers:
        root.removeHandler(handler)


@pytest.fixture
def marked(make_services: Callable[..., Services]) -> Marked:
    """The player, in an application that writes its lines and has its tokens."""
    services = make_services(
        CHALLENGE_REQUEST_LOG="on",
        CHALLENGE_OPERATOR_TOKEN=OPERATOR,
        CHALLENGE_METRICS_TOKEN=METRICS,
    )
    return Marked(create_app(services), services)


def ask(client: FlaskClient, method: str, path: str, **more: Any) -> None:
    """One request that carries what can be recognized wherever a request can carry it."""
    headers = {
        "User-Agent": AGENT, "Referer": REFERER, "X-Forwarded-For": ADDRESS, "X-Odd": QUERY,
        "Sec-Fetch-Site": "same-origin", **more.pop("headers", {}),
    }  # fmt: skip
    environ = {"REMOTE_ADDR": ADDRESS}
    client.open(
        f"{path}?q={QUERY}&{QUERY}={NAME}",
        method=method,
        headers=headers,
        environ_overrides=environ,
        **more,
    )


def test_nothing_of_a_player_is_logged_or_counted_on_any_route(
    marked: Marked, told: Callable[[], str]
) -> None:
    app, client = marked.app, marked.app.test_client(use_cookies=False)
    browser = browser_of(app, marked.api.player)
    bearer = {"Authorization": f"Bearer {marked.api.token}"}
    said = told()
    for method, path in marked.calls():
        ask(client, method, path)
        for body in marked.bodies() if method in ("POST", "PUT", "PATCH") else [None]:
            if path.startswith("/api/"):
                ask(client, method, path, headers=bearer, json=body)
            ask(browser, method, path, data=body)
        said += told()
    for token in (OPERATOR, METRICS):
        for path in ("/operator", "/metrics"):
            ask(client, "GET", path, headers={"Authorization": f"Bearer {token}"})
            ask(client, "POST", path, data={"token": token})
    marked.app.extensions["samedice"].worker.round()
    said += told()
    figures = client.get("/metrics", headers={"Authorization": f"Bearer {METRICS}"}).text
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    routes = {line["route"] for line in lines if "route" in line}
    assert routes >= {rule.rule for rule in app.url_map.iter_rules()}
    assert {line["caller"] for line in lines if "caller" in line} == {"none", "bearer", "cookie"}
    assert not [secret for secret in marked.secrets if secret in said]
    assert not [secret for secret in marked.secrets if secret in figures]
    assert str(DAY) not in "".join(routes)


def test_nothing_of_a_player_is_logged_where_everything_fails(
    marked: Marked, told: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **more: Any) -> Any:
        raise LookupError(f"{args} {more} {sorted(marked.secrets)}")

    services = marked.app.extensions["samedice"]
    for part in (type(services.play), type(services.players), type(services.days)):
        for name in ("roll", "score", "view", "peek", "board", "find", "names", "admits"):
            if hasattr(part, name):
                monkeypatch.setattr(part, name, fail)
    bearer = {"Authorization": f"Bearer {marked.api.token}"}
    client = marked.app.test_client(use_cookies=False)
    ask(client, "POST", game(tail="roll"), headers=bearer, json={"ply": 0, "hold": []})
    ask(client, "GET", f"/{DAY}/{SHEET}", headers=bearer)
    said = told()
    assert said.count("LookupError") >= 4
    assert not [secret for secret in marked.secrets if secret in said]
