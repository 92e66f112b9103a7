"""The write went through, the answer was lost: whatever is sent again is done once only.

Once the store's client itself sends the command again; once it loses that answer, too, the
caller gets a 503 and sends the same request again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import pytest
import redis
from flask import Flask
from werkzeug.test import TestResponse

from challenge import bootstrap
from challenge.service.services import Services
from challenge.store import patience
from challenge.store.keys import BoardId
from challenge.web import create_app
from tests.api.contract import Api, board, game, play
from tests.conftest import NOON, Clock, make_settings
from tests.marks import some
from tests.runtime.proxy import Proxy, between

ONCE = {"Idempotency-Key": "one-call-and-no-other"}


@dataclass
class Scene:
    """Two players, the service through a line that loses answers, and the Valkey behind it."""

    mia: Api
    ben: Api
    line: Proxy
    services: Services
    app: Flask
    valkey: redis.Redis

    def group(self) -> str:
        """A group of Mia's."""
        made: str = self.mia.post("/api/v1/groups", {"name": "Friends"}).json["id"]
        return made

    def with_ben(self) -> str:
        """A group of Mia's that Ben is in."""
        group = self.group()
        assert self.ben.post("/api/v1/groups/join", self.invite(group)).status_code == 200
        return group

    def invite(self, group: str) -> dict[str, str]:
        """The body of a call that joins."""
        return {"invite": self.mia.get(f"/api/v1/groups/{group}").json["invite_url"]}

    def members(self, group: str, of: Api | None = None) -> list[str]:
        """Who is in."""
        view = (of or self.mia).get(f"/api/v1/groups/{group}").json
        return [each["player"] for each in view["members"]]


@pytest.fixture
def scene(
    valkey: redis.Redis, valkey_url: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Scene]:
    """Everybody is there; nobody loses patience on a busy machine."""
    monkeypatch.setattr(patience, "TIMEOUT", 60.0)
    monkeypatch.setattr(patience, "BUDGET", 60.0)
    with between(bootstrap_socket(valkey_url)) as line:
        services = bootstrap.build(make_settings(line.url), clock)
        app = create_app(services)
        api = Api(app.test_client(use_cookies=False))
        yield Scene(api.signed("Mia"), api.signed("Ben"), line, services, app, valkey)


def bootstrap_socket(url: str) -> Any:
    """The path of a ``unix://`` URL."""
    return redis.ConnectionPool.from_url(url).connection_kwargs["path"]


def script(name: str) -> str:
    """By what a script is called."""
    text = files("challenge.store").joinpath("lua", f"{name}.lua").read_bytes()
    return hashlib.sha1(text).hexdigest()


Act = Callable[[Scene], tuple[str, Callable[[], TestResponse], Callable[[TestResponse], bool]]]
"""Prepares; then a word of the command whose answer is lost, the call, and what holds after."""


def begin(scene: Scene) -> Any:
    def once(answer: TestResponse) -> bool:
        return bool(answer.json["ply"] == 0 and scene.mia.get(board()).json["started"] == 1)

    scene.ben.post(game(ruleset="yatzy"))
    return script("begin"), lambda: scene.mia.post(game()), once


def roll(scene: Scene) -> Any:
    play(scene.mia, turns=1)
    ply = scene.mia.get(game()).json["ply"]
    call = lambda: scene.mia.post(game(tail="roll"), {"ply": ply, "hold": []})  # noqa: E731
    return script("move"), call, lambda answer: answer.json["ply"] == ply + 1


def finish(scene: Scene) -> Any:
    view = play(scene.mia, turns=12)
    rolled = scene.mia.post(game(tail="roll"), {"ply": view["ply"], "hold": []}).json
    box = next(each["box"] for each in rolled["boxes"] if each["legal"])
    body = {"ply": rolled["ply"], "box": box}

    def once(answer: TestResponse) -> bool:
        scene.services.worker.round()
        seen = scene.mia.get(board()).json
        record = scene.services.store.players.record(scene.mia.player)
        return bool(
            answer.json["finished"]
            and seen["finished"] == answer.json["standing"]["players"] == 1
            and record == {BoardId(NOON.date(), "yacht"): answer.json["total"]}
        )

    return script("move"), lambda: scene.mia.post(game(tail="score"), body), once


def rename(scene: Scene) -> Any:
    call = lambda: scene.mia.patch("/api/v1/me", {"name": "Lea"})  # noqa: E731
    return "HSET", call, lambda answer: answer.json["player"]["name"].startswith("Lea·")


def create(scene: Scene) -> Any:
    scene.group()
    call = lambda: scene.mia.post("/api/v1/groups", {"name": "Second"}, headers=ONCE)  # noqa: E731

    def once(answer: TestResponse) -> bool:
        listed = [each["name"] for each in scene.mia.get("/api/v1/groups").json["groups"]]
        return listed == ["Friends", "Second"] and answer.json["name"] == "Second"

    return script("group_create"), call, once


def join(scene: Scene) -> Any:
    other = scene.with_ben()
    scene.ben.delete(f"/api/v1/groups/{other}/members/{scene.ben.player}")
    group = scene.group()
    body = scene.invite(group)
    both = [scene.mia.player, scene.ben.player]
    call = lambda: scene.ben.post("/api/v1/groups/join", body)  # noqa: E731
    return script("group_join"), call, lambda _: scene.members(group) == both


def hand_over(scene: Scene) -> Any:
    group = scene.with_ben()
    scene.mia.put(f"/api/v1/groups/{group}/owner", {"player": scene.mia.player})
    call = lambda: scene.mia.put(  # noqa: E731
        f"/api/v1/groups/{group}/owner", {"player": scene.ben.player}
    )

    def once(_: TestResponse) -> bool:
        return bool(scene.ben.get(f"/api/v1/groups/{group}").json["owner"] == scene.ben.player)

    return script("group_hand_over"), call, once


def leave(scene: Scene) -> Any:
    scene.ben.delete(f"/api/v1/groups/{scene.with_ben()}/members/{scene.ben.player}")
    group = scene.with_ben()
    call = lambda: scene.ben.delete(  # noqa: E731
        f"/api/v1/groups/{group}/members/{scene.ben.player}"
    )

    def once(_: TestResponse) -> bool:
        gone = scene.ben.get("/api/v1/groups").json["groups"] == []
        return gone and scene.members(group) == [scene.mia.player]

    return script("group_leave"), call, once


def new_invite(scene: Scene) -> Any:
    group = scene.group()
    scene.mia.post(f"/api/v1/groups/{group}/invite")
    call = lambda: scene.mia.post(f"/api/v1/groups/{group}/invite")  # noqa: E731
    return (
        script("group_renew"),
        call,
        lambda answer: answer.json["invite_url"] == scene.invite(group)["invite"],
    )


def sign_out(scene: Scene) -> Any:
    scene.ben.post("/api/v1/me/sign-out")
    call = lambda: scene.mia.post("/api/v1/me/sign-out", headers=ONCE)  # noqa: E731

    def once(answer: TestResponse) -> bool:
        new = Api(scene.mia.client, answer.json["token"])
        known = new.get("/api/v1/me").status_code, scene.mia.get("/api/v1/me").status_code
        return known == (200, 401) and scene.services.store.players.epoch(scene.mia.player) == 1

    return script("sign_out"), call, once


def transfer(scene: Scene) -> Any:
    stranger = Api(scene.mia.client)
    first, code = ({"code": of.post("/api/v1/me/transfer").json["code"]}
                   for of in (scene.ben, scene.mia))  # fmt: skip
    assert stranger.post("/api/v1/transfer", first).status_code == 200
    call = lambda: stranger.post("/api/v1/transfer", code, headers=ONCE)  # noqa: E731

    def once(answer: TestResponse) -> bool:
        others = stranger.post("/api/v1/transfer", code).status_code
        return others == 404 and answer.json["player"]["id"] == scene.mia.player

    return script("transfer_take"), call, once


def offer(scene: Scene) -> Any:
    def once(answer: TestResponse) -> bool:
        taken = Api(scene.mia.client).post("/api/v1/transfer", {"code": answer.json["code"]})
        return bool(taken.json["player"]["id"] == scene.mia.player)

    return "EXPIRE", lambda: scene.mia.post("/api/v1/me/transfer"), once


def recovery(scene: Scene) -> Any:
    def once(answer: TestResponse) -> bool:
        taken = Api(scene.mia.client).post("/api/v1/transfer", {"code": answer.json["code"]})
        return bool(taken.json["player"]["id"] == scene.mia.player)

    return "PERSIST", lambda: scene.mia.post("/api/v1/me/recovery"), once


def erase(scene: Scene) -> Any:
    play(scene.mia)
    play(scene.ben)

    def once(_: TestResponse) -> bool:
        scene.services.worker.round()
        seen = scene.ben.get(board()).json
        gone = scene.mia.get("/api/v1/me").status_code == 401
        return gone and (seen["started"], seen["finished"]) == (1, 1)

    return "erasing", lambda: scene.mia.delete("/api/v1/me"), once


ACTS: list[Act] = [
    *(begin, roll, finish, rename, create, join, hand_over, leave, new_invite),
    *(sign_out, transfer, offer, recovery, erase),
]
SENT_AGAIN = {"leave": 404, "hand_over": 403}
"""What the same call says once it was done, where that is not the answer that was lost."""


@pytest.mark.parametrize("act", some(ACTS, 2, 4, 9, 10, 13), ids=lambda act: act.__name__)
def test_what_the_client_of_the_store_sends_again_is_done_once(scene: Scene, act: Act) -> None:
    word, call, once = act(scene)
    scene.line.lose(word)
    answer = call()
    assert scene.line.lost == 1
    assert answer.status_code < 300, answer.text
    assert once(answer)


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_what_the_caller_sends_again_is_done_once(scene: Scene, act: Act) -> None:
    word, call, once = act(scene)
    scene.line.lose(word, times=2)
    assert call().status_code == 503
    assert scene.line.lost == 2
    answer = call()
    wanted = SENT_AGAIN.get(act.__name__, 0)
    assert answer.status_code == wanted or (not wanted and answer.status_code < 300), answer.text
    assert once(answer)


def test_a_finish_whose_settling_is_sent_again_is_settled_once(scene: Scene) -> None:
    total = play(scene.mia)["total"]
    scene.line.lose("HSET")
    scene.services.worker.round()
    assert scene.line.lost == 1
    scene.services.worker.round()
    assert scene.services.store.players.record(scene.mia.player) == {
        BoardId(NOON.date(), "yacht"): total
    }
    assert not scene.valkey.exists("sd1:{2026-11-30:yacht}:unsettled")


def test_a_form_kept_on_the_page_of_a_break_is_done_once(scene: Scene) -> None:
    scene.group()
    browser = scene.app.test_client()
    browser.set_cookie("samedice_player", scene.mia.token)
    form = hidden(browser.get("/groups"))
    assert len(form["once"]) >= 16
    own = {"Origin": "http://localhost"}
    fields = {"once": form["once"], "name": "Second"}
    scene.line.lose(script("group_create"), times=2)
    page = browser.post("/groups", data=fields, headers=own)
    assert page.status_code == 503
    kept = hidden(page)
    assert {name: kept[name] for name in fields} == fields
    assert browser.post("/groups", data=kept, headers=own).status_code == 303
    assert len(scene.mia.get("/api/v1/groups").json["groups"]) == 2


def hidden(page: TestResponse) -> dict[str, str]:
    """The hidden fields of a page."""
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.text))


def test_a_name_for_a_call_that_is_none_is_refused(scene: Scene) -> None:
    answer = scene.mia.post("/api/v1/me/sign-out", headers={"Idempotency-Key": "short"})
    assert (answer.status_code, "16 to 100" in answer.json["detail"]) == (400, True)
    assert scene.mia.get("/api/v1/me").status_code == 200


def test_a_stolen_token_cannot_send_the_sign_out_again(scene: Scene) -> None:
    assert scene.mia.post("/api/v1/me/sign-out", headers=ONCE).status_code == 200
    other = {"Idempotency-Key": "another-call-altogether"}
    assert scene.mia.post("/api/v1/me/sign-out", headers=other).status_code == 401
    assert scene.mia.post("/api/v1/me/sign-out").status_code == 401
