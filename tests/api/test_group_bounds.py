"""Calls about groups that are refused before they reach one: shape, origin, a store away."""

from __future__ import annotations

from typing import Any

import pytest

from challenge import bootstrap
from challenge.web import create_app
from tests.api.contract import Api, board, problem
from tests.api.friends import GROUPS, JOIN, at, group_ids, make_group
from tests.conftest import Clock, make_settings

ID = "A" * 22
CHANGES = [
    ("POST", GROUPS, {"name": "Die Runde"}),
    ("POST", JOIN, {"invite": "x"}),
    ("POST", at(ID, "invite"), None),
    ("PUT", at(ID, "owner"), {"player": ID}),
    ("DELETE", at(ID, f"members/{ID}"), None),
]
READS = [
    ("GET", GROUPS, None),
    ("GET", at(ID), None),
    ("GET", at(ID, "table"), None),
    ("GET", at(ID, f"versus?b={ID}"), None),
    ("GET", board(tail=f"leaderboard?group={ID}"), None),
]


@pytest.mark.parametrize(("method", "url", "body"), [*CHANGES, *READS])
def test_a_store_that_is_away_is_a_problem_with_a_time_to_retry(
    mia: Api, clock: Clock, method: str, url: str, body: Any
) -> None:
    services = bootstrap.build(make_settings("unix:///nowhere/valkey.sock"), clock)
    away = Api(create_app(services).test_client(use_cookies=False), mia.token)
    response = away.call(method, url, **({} if body is None else {"json": body}))
    if url == JOIN:  # nothing to look up for a value that was never signed
        problem(response, "not-found", 404)
    else:
        problem(response, "store-unavailable", 503)


@pytest.mark.parametrize(("method", "url", "body"), CHANGES)
def test_another_site_changes_nothing(
    mia: Api, unchanged: None, method: str, url: str, body: Any
) -> None:
    response = Api(mia.client).call(
        method,
        url,
        headers={"Cookie": f"samedice_player={mia.token}", "Sec-Fetch-Site": "cross-site"},
        **({} if body is None else {"json": body}),
    )
    problem(response, "cross-site", 403)


@pytest.mark.parametrize("name", [None, 1, ["x"], {}, "\u202eDie", "x" * 5, "\ud800"])
@pytest.mark.parametrize("members", [{}, {"owner": ID}])
def test_a_group_is_made_of_a_name_and_nothing_else(
    mia: Api, name: Any, members: dict[str, str]
) -> None:
    response = mia.post(GROUPS, {"name": name, **members})
    if name == "xxxxx" and not members:
        assert response.status_code == 201
    else:
        problem(response, "bad-request", 400)
        assert group_ids(mia) == []


@pytest.mark.parametrize(
    "body", [{}, {"invite": 1}, {"invite": None}, {"invite": "x" * 1001}, {"group": ID}, [], "x"]
)
def test_an_invite_of_the_wrong_shape(mia: Api, unchanged: None, body: Any) -> None:
    problem(mia.post(JOIN, body), "bad-request", 400)


@pytest.mark.parametrize("player", ["", "x", "A" * 21, "A" * 23, "ä" * 22, 5, None])
def test_an_owner_of_the_wrong_shape(mia: Api, player: Any) -> None:
    group = make_group(mia)
    problem(mia.put(at(group, "owner"), {"player": player}), "bad-request", 400)


@pytest.mark.parametrize("player", ["x", "A" * 22, "}:x", "%00", "A" * 500, "%F0%9F%8E%B2"])
def test_a_member_that_there_is_not(mia: Api, player: str) -> None:
    group = make_group(mia)
    problem(mia.delete(at(group, f"members/{player}")), "not-found", 404)


def test_making_and_reading_a_group_are_kept_nowhere(mia: Api) -> None:
    group = make_group(mia)
    for url in (GROUPS, at(group), at(group, "table"), board(tail=f"leaderboard?group={group}")):
        assert mia.get(url).headers["Cache-Control"] == "no-store"
