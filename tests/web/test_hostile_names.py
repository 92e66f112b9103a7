"""Hostile names are text wherever they stand: pages, drawings, JSON, logs.

Each page is held against itself with harmless names: the same elements with the same
attributes, however the names change.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from challenge.daily import names
from challenge.service.services import Services
from challenge.web import links
from challenge.web.links import SharedGame
from tests.api.contract import Api
from tests.api.friends import make_group
from tests.service.players import begin, play_out
from tests.web.boards import DAY, browser_of, token_of

SHEET = "generala"
BOARD = f"/2026-11-30/{SHEET}"

HOSTILE = [
    "<b>Mia</b>",
    '"><script>alert(1)',
    "'onmouseover='alert(1)",
    "<img src=x onerror=a()>",
    "</textarea></title><p>",
    "</svg><text x=1>Mia",
    "<!-- Mia",
    "]]><![CDATA[x",
    "&lt;b&gt;&amp;&#60;",
    "{{7*7}}{% raw %}",
    "%s%n%(name)s",
    "${7*7}`id`",
    "javascript:alert(1)",
    "'; DROP TABLE players;--",
    "Mia\\u003cb\\u003e\\n",
    "W" * 24,
    "محمد<b>٣",
    "עברית&amp;",
    "\u0179\u0300\u1ef3\u0353",
    "🎲👩🏽<3",
    "null",
    "__proto__",
]
KEPT_BEFORE = ["Mia\nMax", "\x1b[31mMia", "\u202eaiM", "Mi\u200ba", "<b>\x85</b>"]
"""What the check refuses today, as if it had been kept before."""
FINISHED = len(HOSTILE) - 1


@dataclass
class World:
    """A board, a group, and who looks at them; everyone has finished, but for the last."""

    app: Flask
    services: Services
    viewer: str
    others: list[str]
    group: str
    invite: str

    def call(self, given: list[str]) -> None:
        """Gives the others these names."""
        for player, name in zip(self.others, given, strict=True):
            self.services.store.players.rename(player, name)

    def paths(self, players: int) -> Iterator[str]:
        """Every address a name of another stands at, of the first ``players`` of them."""
        yield from (f"{BOARD}/leaderboard", f"{BOARD}/leaderboard?report=1", BOARD, "/groups")
        group = f"/groups/{self.group}"
        yield from (group, f"{group}/members", f"{group}/weeks/2026-W49")
        yield f"{group}/months/2026-11?sheet={SHEET}"
        yield f"{group}?sheet={SHEET}"
        for other in self.others[:players]:
            yield from (f"{BOARD}/games/{other}", f"/players/{other}/report")
            yield f"{group}/versus?a={other}&b={self.viewer}&sheet={SHEET}"
            yield f"{group}/members/{other}"
            with self.app.test_request_context():
                yield urlsplit(links.result_link(SharedGame(DAY, SHEET, other))).path

    def own_paths(self) -> Iterator[str]:
        """Every address one's own name stands at."""
        yield from ("/me", "/me/devices", "/me/data", "/me/data/erase", "/privacy", BOARD)

    def look(self, client: FlaskClient, paths: Iterator[str]) -> dict[str, Read]:
        """The pages at these addresses, as a browser reads them."""
        found = {}
        for path in paths:
            answer = client.get(path)
            assert answer.status_code == 200, (path, answer.status_code)
            found[path] = Read.of(answer.text)
        return found


class Read(HTMLParser):
    """A page as elements with the names of their attributes, and as words."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: Counter[tuple[str, ...]] = Counter()
        self.words = ""

    @classmethod
    def of(cls, text: str) -> Read:
        """The reading of a page."""
        page = cls()
        page.feed(text)
        page.close()
        return page

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Counts an element."""
        self.elements[tag, *sorted(name for name, _ in attrs)] += 1

    def handle_data(self, data: str) -> None:
        """Collects words."""
        self.words += data

    def handle_comment(self, data: str) -> None:
        """No page has one."""
        raise AssertionError(data)

    def unknown_decl(self, data: str) -> None:
        """No page has one."""
        raise AssertionError(data)


@pytest.fixture
def world(app: Flask, services: Services) -> World:
    """As many others as there are hostile names, with harmless ones."""
    viewer = services.players.create("Viewer").id
    others = [services.players.create(f"Mia {n}").id for n in range(len(HOSTILE))]
    for player in (viewer, *others[:-1]):
        play_out(services, player, DAY, SHEET)
    begin(services, others[-1], DAY, SHEET)
    client = app.test_client(use_cookies=False)
    apis = [Api(client, token_of(app, player), player) for player in (viewer, *others)]
    group = make_group(*apis, name=HOSTILE[1])
    invite = apis[0].get(f"/api/v1/groups/{group}").json["invite_url"]
    return World(app, services, viewer, others, group, urlsplit(invite).path)


@pytest.mark.parametrize("name", HOSTILE)
def test_the_list_is_of_names_that_are_kept(name: str) -> None:
    assert names.clean(name) == name


def test_no_name_of_another_changes_a_page_and_each_is_read_as_it_is(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    client = browser_of(world.app, world.viewer)
    harmless = world.look(client, world.paths(FINISHED))
    world.call(HOSTILE)
    hostile = world.look(client, world.paths(FINISHED))
    for path, page in hostile.items():
        assert page.elements == harmless[path].elements, path
    assert all(name in hostile[f"{BOARD}/leaderboard"].words for name in HOSTILE[:-1])
    assert all(name in hostile[f"/groups/{world.group}/members"].words for name in HOSTILE)
    for other, name in zip(world.others[:-1], HOSTILE, strict=False):
        assert name in hostile[f"{BOARD}/games/{other}"].words
        tag = names.tag_of(other)
        assert f"{name}·{tag}" in hostile[f"/players/{other}/report"].words
    assert not any(name in caplog.text for name in HOSTILE if len(name) > 4)


def test_a_name_kept_before_is_text_as_well(world: World) -> None:
    client = browser_of(world.app, world.viewer)
    few = KEPT_BEFORE + [f"Mia {n}" for n in range(len(HOSTILE) - len(KEPT_BEFORE))]
    harmless = world.look(client, world.paths(len(KEPT_BEFORE)))
    world.call(few)
    for path, page in world.look(client, world.paths(len(KEPT_BEFORE))).items():
        assert page.elements == harmless[path].elements, path


def test_ones_own_name_changes_no_page_either(world: World) -> None:
    me = world.others[0]
    client = browser_of(world.app, me)
    stranger = world.app.test_client()
    with world.app.app_context():
        code = world.services.devices.transfer(me, 0, world.services.clock()).code
    becoming = {"code": code}

    def shown() -> list[Read]:
        ask = browser_of(world.app, world.viewer).post(
            "/transfer", data=becoming, headers={"Sec-Fetch-Site": "same-origin"}
        )
        pages = [*world.look(client, world.own_paths()).values(), Read.of(ask.text)]
        return [*pages, Read.of(stranger.get(world.invite).text)]

    harmless = shown()
    for name in HOSTILE:
        world.services.players.rename(me, name)
        for before, after in zip(harmless, shown(), strict=True):
            assert after.elements == before.elements, name
            assert "Mia 0" not in after.words


def test_json_carries_each_name_as_it_is(world: World) -> None:
    world.call(HOSTILE)
    client = world.app.test_client(use_cookies=False)
    api = Api(client, token_of(world.app, world.viewer), world.viewer)
    called = {p: names.display(p, n) for p, n in zip(world.others, HOSTILE, strict=True)}

    def check(entries: list[dict[str, Any]]) -> None:
        found = {each["player"]: each["name"] for each in entries if each["player"] in called}
        assert found == {player: called[player] for player in found}
        assert len(found) >= len(called) - 1

    check(api.get(f"/api/v1/challenges{BOARD}/leaderboard?limit=100").json["entries"])
    group = f"/api/v1/groups/{world.group}"
    check(api.get(group).json["members"])
    assert api.get(group).json["name"] == HOSTILE[1]
    check(api.get(f"{group}/table?ruleset={SHEET}&from=2026-11-30&to=2026-11-30").json["rows"])
    for player, name in list(called.items())[:-1]:
        own = Api(client, token_of(world.app, player), player)
        assert own.get("/api/v1/me").json["player"]["name"] == name
        game = api.get(f"/api/v1/challenges{BOARD}/games/{player}").json
        assert game["player"]["name"] == name


def test_the_same_person_is_known_by_the_tag_whatever_the_name(world: World) -> None:
    client = browser_of(world.app, world.viewer)
    for given in (HOSTILE, HOSTILE[::-1]):
        world.call(given)
        words = client.get(f"{BOARD}/leaderboard").text
        for player in world.others[:-1]:
            assert f'<span class="tag">·{names.tag_of(player)}</span>' in words
