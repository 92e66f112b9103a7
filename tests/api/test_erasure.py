"""DELETE /api/v1/me: afterwards nothing anywhere is the player's."""

from __future__ import annotations

from typing import Any

import pytest
import redis

from challenge.errors import StoreUnavailable
from challenge.service.services import Services
from challenge.store.keys import BoardId
from tests.api.contract import TODAY, Api, board, game, play, problem
from tests.api.dump import dump
from tests.conftest import Clock

ME = "/api/v1/me"


def mentions(url: str, *words: str) -> list[str]:
    """Where any of the words stands in Redis, in a key or in a value."""
    return [
        f"{key!r}: {value!r}"
        for key, value in dump(url).items()
        if any(word.encode() in key or word in str(value) for word in words)
    ]


def erase(player: Api) -> None:
    """The player goes."""
    response = player.call("DELETE", ME)
    assert (response.status_code, response.data) == (204, b"")


def test_no_key_and_no_value_holds_id_or_name_afterwards(
    api: Api, valkey_url: str, clock: Clock, services: Services
) -> None:
    mia, ada = api.signed("Mia-Marie"), api.signed("Ada")
    clock.set("2026-11-28 12:00")
    play(mia, ruleset="generala")
    play(ada, ruleset="generala", pick=1)
    clock.set("2026-11-29 12:00")
    services.worker.round()
    play(mia, "2026-11-29", "yacht")
    play(mia, "2026-11-10", "yatzy")
    clock.set("2026-11-30 12:00")
    play(mia, ruleset="yatzy-order", turns=3)
    play(mia, ruleset="generala")
    now = clock.now
    family = services.groups.create(ada.player, "Family", now)
    services.groups.join(mia.player, services.groups.invitation(ada.player, family.id), now)
    services.groups.create(mia.player, "Mia-Marie's own", now)
    services.devices.recovery(mia.player)
    services.devices.transfer(mia.player, 0, now)
    services.reports.report(ada.player, mia.player)
    services.reports.report(mia.player, ada.player)
    assert mentions(valkey_url, mia.player, "Mia-Marie")
    erase(mia)
    assert mentions(valkey_url, mia.player, "Mia-Marie") == []
    assert mentions(valkey_url, ada.player)
    assert [each.members for each in services.groups.mine(ada.player)] == [1]


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize("shards", ["1", "3"])
def test_boards_are_as_if_the_player_had_never_been_there(
    make_services: Any, clock: Clock, closed: bool, shards: str
) -> None:
    api = api_of(make_services(CHALLENGE_BOARD_SHARDS=shards))
    mia, ada = api.signed("Mia"), api.signed("Ada")
    play(ada, ruleset="generala", pick=1)
    tails = ("leaderboard", "distribution", "")
    before = [ada.get(board(TODAY, "generala", tail)).json for tail in tails]
    total = play(mia, ruleset="generala")["total"]
    clock.set("2026-12-01 04:00" if closed else "2026-11-30 13:00")
    with_mia = ada.get(board(TODAY, "generala", "distribution")).json
    assert {"score": total, "count": 1} in with_mia["bins"]
    erase(mia)
    after = [ada.get(board(TODAY, "generala", tail)).json for tail in tails]
    if closed:
        before[2] |= {"state": "closed", "seed": after[2]["seed"]}
    assert after == before
    problem(ada.get(board(TODAY, "generala", f"games/{mia.player}")), "not-found", 404)


def api_of(services: Services) -> Api:
    """An anonymous caller of these services."""
    from challenge.web import create_app

    return Api(create_app(services).test_client(use_cookies=False))


def test_an_equal_score_of_another_player_stays_counted(mia: Api, api: Api) -> None:
    ada = api.signed("Ada")
    assert play(mia, ruleset="generala")["total"] == play(ada, ruleset="generala")["total"]
    erase(mia)
    (only,) = ada.get(board(ruleset="generala", tail="distribution")).json["bins"]
    assert only["count"] == 1


def test_the_token_is_nobodys_from_then_on(mia: Api, valkey_url: str) -> None:
    play(mia, ruleset="generala", turns=2)
    erase(mia)
    for method, url, body in (
        ("GET", ME, None),
        ("GET", f"{ME}/stats", None),
        ("GET", f"{ME}/export", None),
        ("GET", game(ruleset="generala"), None),
        ("PATCH", ME, {"name": "Mia"}),
        ("POST", game(ruleset="generala"), None),
        ("POST", game(ruleset="yacht"), None),
        ("POST", game(ruleset="generala", tail="roll"), {"ply": 4, "hold": []}),
        ("DELETE", ME, None),
    ):
        more = {} if body is None else {"json": body}
        problem(mia.call(method, url, **more), "not-signed", 401)
    assert mentions(valkey_url, mia.player, "Mia") == []


def test_the_cookie_goes_with_the_player(mia: Api) -> None:
    cookie = {"Cookie": f"samedice_player={mia.token}", "Sec-Fetch-Site": "same-origin"}
    response = Api(mia.client).call("DELETE", ME, headers=cookie)
    assert response.status_code == 204
    assert response.headers["Set-Cookie"].startswith("samedice_player=; Expires=Thu, 01 Jan 1970")


def test_another_site_erases_nobody(mia: Api) -> None:
    cookie = {"Cookie": f"samedice_player={mia.token}", "Sec-Fetch-Site": "cross-site"}
    problem(Api(mia.client).call("DELETE", ME, headers=cookie), "cross-site", 403)
    problem(Api(mia.client).call("DELETE", ME), "not-signed", 401)
    assert mia.get(ME).json["player"]["name"].startswith("Mia·")


@pytest.mark.parametrize("fails", range(5))
def test_the_worker_finishes_what_broke_off(
    mia: Api,
    services: Services,
    valkey_url: str,
    monkeypatch: pytest.MonkeyPatch,
    fails: int,
) -> None:
    for sheet in ("generala", "yacht-12"):
        play(mia, ruleset=sheet)
    services.worker.round()
    steps = [
        (services.store.players, "begun"),
        (services.store.boards, "notes"),
        (services.store.games, "erase"),
        (services.store.games, "erase"),
        (services.store.players, "forget"),
    ]
    with monkeypatch.context() as patched:
        breaks_off(patched, *steps[fails], after=int(fails == 3))
        with pytest.raises(StoreUnavailable):
            services.erasure.erase(mia.player)
    problem(mia.get(ME), "not-signed", 401)
    services.worker.round()
    assert mentions(valkey_url, mia.player, "Mia") == []
    assert BoardId.parse(f"{TODAY}:generala") in services.store.boards.live()


@pytest.mark.parametrize("by_page", [False, True], ids=["call", "page"])
def test_an_erasure_that_breaks_off_is_promised_not_refused(
    mia: Api, services: Services, valkey_url: str, monkeypatch: pytest.MonkeyPatch, by_page: bool
) -> None:
    """The caller is nobody already and could not ask again: 503 would be a lie."""
    play(mia, ruleset="generala")
    ask = ("POST", "/me/data/erase") if by_page else ("DELETE", ME)
    cookie = {"Cookie": f"samedice_player={mia.token}", "Sec-Fetch-Site": "same-origin"}
    with monkeypatch.context() as patched:
        breaks_off(patched, services.store.games, "erase", after=0)
        answer = Api(mia.client).call(*ask, headers=cookie)
    assert answer.headers["Set-Cookie"].startswith("samedice_player=;")
    if by_page:
        assert (answer.status_code, answer.location) == (303, "/me/data?erased=soon")
        assert "Everything is being erased." in mia.client.get(answer.location).text
    else:
        assert (answer.status_code, answer.data) == (202, b"")
    problem(mia.get(ME), "not-signed", 401)
    assert mentions(valkey_url, mia.player)
    services.worker.round()
    assert mentions(valkey_url, mia.player, "Mia") == []


def test_a_board_that_is_being_closed_counts_no_game_off_that_it_never_counted(
    mia: Api, services: Services, valkey: redis.Redis, clock: Clock
) -> None:
    """The marks stand, the note does not say so yet: who begins now plays the archive."""
    day, now = clock.now.date(), clock.now
    id = BoardId(day, "generala")
    services.days.opened(services.days.peek(day, "generala", now))
    valkey.set(id.shards(1)[0].closed, "1")
    services.store.players.begins(mia.player, id)
    services.store.games.begin(id, 1, mia.player)
    erase(mia)
    (numbers,) = services.store.boards.numbers([(id, 1)])
    assert (numbers.started, numbers.finished) == (0, 0)


def breaks_off(patched: pytest.MonkeyPatch, owner: Any, name: str, after: int) -> None:
    """Redis goes away at this call, once it has been made ``after`` times."""
    real, calls = getattr(owner, name), []

    def call(*args: Any, **more: Any) -> Any:
        calls.append(1)
        if len(calls) > after:
            raise StoreUnavailable("away")
        return real(*args, **more)

    patched.setattr(owner, name, call)


def test_a_finish_settled_while_its_player_goes_is_erased_again(
    mia: Api, services: Services, valkey_url: str
) -> None:
    total = play(mia, ruleset="generala")["total"]
    rows = services.store.boards.unsettled(BoardId.parse(f"{TODAY}:generala"), 1, 10)
    assert [row.score for row in rows] == [total]
    erase(mia)
    services.store.players.settle(BoardId.parse(f"{TODAY}:generala"), rows)
    services.worker.round()
    assert mentions(valkey_url, mia.player) == []


def test_a_game_begun_and_a_name_given_while_their_player_goes_go_too(
    mia: Api, services: Services, valkey_url: str, valkey: redis.Redis, clock: Clock
) -> None:
    """Both were admitted just before: the epoch is not asked again."""
    from challenge.errors import NotSigned

    erase(mia)
    day = clock.now.date()
    with pytest.raises(NotSigned):
        services.play.begin(mia.player, day, "generala", clock.now)
    with pytest.raises(NotSigned):
        services.players.rename(mia.player, "Mia")
    assert mentions(valkey_url, mia.player, "Mia") == []
    numbers = services.store.boards.numbers([(BoardId(day, "generala"), 1)])
    assert [(each.started, each.finished) for each in numbers] == [(0, 0)]


def test_more_boards_than_one_batch_are_exported_and_left(
    mia: Api, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("challenge.service.erasure.BATCH", 2)
    monkeypatch.setattr("challenge.service.exports.BATCH", 2)
    days = [f"2026-11-{day}" for day in range(26, 31)]
    for day in days:
        play(mia, day, "generala", turns=1)
    assert [each["date"] for each in mia.get(f"{ME}/export").json["games"]] == days
    erase(mia)
    assert mentions(valkey_url, mia.player) == []
