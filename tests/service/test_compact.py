"""Compacting: the games of old boards go, and every figure stays what it was."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis
from flask import Flask

from challenge.errors import Gone
from challenge.service.services import Services
from challenge.service.worker import Worker
from challenge.store import compaction
from challenge.store.keys import BoardId
from challenge.web import create_app
from tests.api.contract import problem
from tests.api.dump import dump
from tests.conftest import Clock
from tests.marks import long, some
from tests.service import world as worlds
from tests.service.players import begin, play_out
from tests.service.world import OLD, World, answers, callers

BOARD = BoardId(OLD, "yacht")
ROUNDS = 10
GAMES = ("/game", "/game/review", "/games/")


@pytest.fixture(params=[long(1), 3], ids=["one shard", "three shards"])
def services(make_services: Callable[..., Services], request: pytest.FixtureRequest) -> Services:
    return make_services(CHALLENGE_BOARD_SHARDS=str(request.param))


@pytest.fixture
def world(services: Services, clock: Clock, app: Flask, valkey: redis.Redis) -> World:
    return worlds.build(services, clock, app, valkey)


@pytest.fixture
def keeps_three(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists are cut after place 3."""
    for module in ("challenge.store.compaction", "challenge.service.standings"):
        monkeypatch.setattr(f"{module}.KEPT", 3)


@pytest.fixture
def compact(make_services: Callable[..., Services], services: Services) -> Callable[[], None]:
    """Rounds of a worker that keeps games for five days, until the old boards are swept."""
    worker = make_services(CHALLENGE_RETENTION_DAYS="5").worker
    return lambda: _compact(worker, services)


def _compact(worker: Worker, services: Services) -> None:
    for _ in range(ROUNDS):
        worker.round()
    for sheet in worlds.SHEETS:
        (note,) = services.store.boards.notes([BoardId(OLD, sheet)])
        assert note is not None
        assert note.compacted
        assert note.swept


def of_old_games(url: str) -> bool:
    return f"/{OLD}/" in url and any(part in url for part in GAMES) and "/share" not in url


def without_games(said: tuple[int, Any]) -> tuple[int, Any]:
    """An export as it looks once the games of the old day are gone."""
    status, body = said
    if isinstance(body, dict) and "games" in body:
        old = str(OLD)
        body = {**body, "games": [
            {**game, "log": None} if game["date"] == old else game
            for game in body["games"]
            if game["date"] != old or (game["mode"] == "daily" and game["finished"])
        ]}  # fmt: skip
    return status, body


def test_every_answer_but_the_games_stays_what_it_was(
    services: Services, app: Flask, world: World, compact: Callable[[], None]
) -> None:
    before = answers(app, world)
    compact()
    after = answers(create_app(services), world)
    assert len(before) > 300
    for url, said in before.items():
        if not of_old_games(url):
            if "/share" in url and "Platz" not in str(said[1]):
                continue  # no game that counts: there is nothing to share any more
            assert after[url] == without_games(said), url


def test_what_is_asked_about_a_game_says_that_it_is_gone(
    services: Services, app: Flask, world: World, compact: Callable[[], None]
) -> None:
    compact()
    mia = callers(app, world)["Mia"]
    board = f"/api/v1/challenges/{OLD}/yacht"
    for answer in (
        mia.get(f"{board}/game"),
        mia.post(f"{board}/game"),
        mia.post(f"{board}/game/roll", {"ply": 0, "hold": []}),
        mia.post(f"{board}/game/score", {"ply": 1, "box": "ones"}),
        mia.get(f"{board}/game/review"),
        mia.get(f"{board}/games/{world.players['Ben']}"),
        callers(app, world)["Tom"].get(f"/api/v1/challenges/{OLD}/yatzy-order/game/share"),
    ):
        problem(answer, "gone", 410, date=str(OLD), ruleset=...)
    assert mia.get(f"{board}/hindsight").status_code == 503  # not worked out, but not gone


def test_it_leaves_no_game_and_nothing_worked_out_about_one(
    services: Services, world: World, valkey_url: str, compact: Callable[[], None]
) -> None:
    compact()
    held = [key.decode() for key in dump(valkey_url) if f"{{{OLD}:" in key.decode()]
    assert {key.rsplit(":", 1)[1] for key in held} <= {
        *("note", "insight", "closed", "started", "scores", "histogram", "erased"),
    }
    archive = services.store.players.begun(world.players["Tom"])
    assert BoardId(OLD, "yatzy-order") not in archive
    assert BOARD in archive


@pytest.mark.usefixtures("keeps_three")
def test_beyond_the_places_that_are_kept_everybody_still_finds_their_own(
    services: Services, app: Flask, world: World, compact: Callable[[], None]
) -> None:
    everybody = ("", *world.players)
    before = answers(app, world, everybody)
    compact()
    board = f"/api/v1/challenges/{OLD}/yacht/leaderboard"
    whole = before[f" {board}"][1]
    assert len(whole["entries"]) == 4
    after = answers(app, world, everybody)
    assert after[f" {board}"][1] == {**whole, "entries": whole["entries"][:3]}
    last = next(n for n, id in world.players.items() if id == whole["entries"][3]["player"])
    around = after[f"{last} {board}?around=me&limit=3"][1]
    assert [(row["me"], row["rank"]) for row in around["entries"]] == [(True, 4)]
    assert (around["offset"], around["players"]) == (3, 4)
    for url, said in before.items():
        if "/leaderboard" not in url and not of_old_games(url) and "/share" not in url:
            assert after[url] == without_games(said), url
        if "leaderboard?group=" in url or "distribution" in url:
            assert after[url] == said, url


@pytest.mark.usefixtures("keeps_three")
def test_who_is_erased_afterwards_takes_the_own_count_along(
    services: Services, world: World, clock: Clock, compact: Callable[[], None]
) -> None:
    compact()
    shards = services.store.boards.notes([BOARD])[0].shards  # type: ignore[union-attr]
    histogram = services.store.boards.histogram(BOARD, shards)
    for name in ("Mia", "Ben", "Ida", "Tom"):
        score = services.store.players.score_on(world.players[name], BOARD)
        assert score is not None
        services.erasure.erase(world.players[name])
        services.erasure.erase(world.players[name])
        histogram = {s: n - (s == score) for s, n in histogram.items() if n - (s == score)}
        assert services.store.boards.histogram(BOARD, shards) == histogram
        (numbers,) = services.days._numbers([services.days.board(OLD, "yacht", clock.now)])
        assert numbers.finished == sum(histogram.values()) == numbers.started
    assert histogram == {}


@pytest.mark.usefixtures("keeps_three")
def test_an_erasure_that_broke_off_counts_once(
    services: Services, world: World, compact: Callable[[], None]
) -> None:
    compact()
    (note,) = services.store.boards.notes([BOARD])
    assert note is not None
    before = services.store.boards.histogram(BOARD, note.shards)
    rows, _ = services.store.boards.page(BOARD, note.shards, 0, 100)
    (cut,) = set(world.players.values()) - {row.player for row in rows} - {world.erased}
    score = services.store.players.score_on(cut, BOARD)
    mark = services.store.players.erased_mark(cut, BOARD)
    for _ in range(2):  # as two processes do that both read the record first
        services.store.games.erase(BOARD, note.shards, cut, score=score, mark=mark)
    after = services.store.boards.histogram(BOARD, note.shards)
    assert sum(before.values()) - sum(after.values()) == 1


def test_it_may_break_off_anywhere_and_goes_on(
    make_services: Callable[..., Services],
    clock: Clock,
    valkey: redis.Redis,
    valkey_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compaction, "BATCH", 1)
    monkeypatch.setattr(compaction, "KEPT", 2)
    services = make_services(CHALLENGE_BOARD_SHARDS="2")
    clock.set(f"{OLD}T12:00")
    for seed in range(6):
        play_out(services, services.players.new_id(), OLD, "yacht", seed)
    clock.set("2026-12-30T12:00")
    (board,) = services.compacting.due(OLD, OLD, 5, clock.now)
    services.compacting.mark(board, clock.now)
    steps = list(_interrupted(services, clock))
    assert steps == sorted(steps, reverse=True)
    assert steps[-1] == 0
    scores = [len(services.store.boards.page(BOARD, 2, 0, 10)[0])]
    assert scores == [2]
    assert sum(services.store.boards.histogram(BOARD, 2).values()) == 6
    assert not list(services.compacting.due(OLD, OLD, 5, clock.now))
    once = dump(valkey_url)
    assert list(services.compacting.sweep(BOARD, clock.now)) == []
    assert dump(valkey_url) == once


def _interrupted(services: Services, clock: Clock) -> Any:
    """One step of a sweep begun anew each time; what is left after each."""
    while True:
        sweep = services.compacting.sweep(BOARD, clock.now)
        for _ in sweep:
            break
        left = services.compacting.count(services.days.glance([BOARD])[0])
        yield left
        sweep.close()
        if not left:
            list(services.compacting.sweep(BOARD, clock.now))
            return


def test_a_finish_that_was_not_settled_is_settled_first(
    make_services: Callable[..., Services], clock: Clock
) -> None:
    services = make_services()
    clock.set(f"{OLD}T12:00")
    player = services.players.new_id()
    view = play_out(services, player, OLD)
    clock.set("2026-12-30T12:00")
    (board,) = services.compacting.due(OLD, OLD, 5, clock.now)
    services.compacting.mark(board, clock.now)
    list(services.compacting.sweep(BOARD, clock.now))
    assert services.store.players.score_on(player, BOARD) == view.total
    assert services.records.streak(player, OLD) == 1


def test_between_the_mark_and_the_sweep_everybody_gets_what_is_held_about_them(
    services: Services, world: World, clock: Clock
) -> None:
    boards = list(services.compacting.due(OLD, OLD, 5, clock.now))
    for board in boards:
        services.compacting.mark(board, clock.now)
    found = {
        name: {
            (game.ruleset, game.score)
            for game in services.exports.export(player, clock.now).games
            if game.date == str(OLD)
        }
        for name, player in world.players.items()
    }
    scores = {name: services.store.players.record(player) for name, player in world.players.items()}
    for name in ("Mia", "Ben", "Ida", "Tom"):
        old = {(id.ruleset, score) for id, score in scores[name].items() if id.day == OLD}
        assert found[name] == old
    assert found["Ben"]  # his unfinished game has gone, as have those played later


def test_a_game_begun_while_the_board_is_compacted_leaves_nothing(
    make_services: Callable[..., Services],
    clock: Clock,
    valkey_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    services = make_services()
    clock.set(f"{OLD}T12:00")
    begin(services, services.players.new_id(), OLD)
    clock.set("2026-12-30T12:00")
    other = make_services()
    stale = other.days.board(OLD, "yacht", clock.now)
    services.compacting.mark(stale, clock.now)
    list(services.compacting.sweep(BOARD, clock.now))
    before = dump(valkey_url)
    monkeypatch.setattr(other.days, "board", lambda *_: stale)
    with pytest.raises(Gone):
        begin(other, other.players.new_id(), OLD)
    assert dump(valkey_url) == before


def test_a_mark_that_a_failover_lost_is_there_again_once_the_board_is_swept(
    services: Services, world: World, clock: Clock, valkey: redis.Redis
) -> None:
    (board,) = [b for b in services.compacting.due(OLD, OLD, 5, clock.now) if b.id == BOARD]
    services.compacting.mark(board, clock.now)
    marks = [shard.closed for shard in BOARD.shards(board.note.shards)]
    valkey.delete(*marks)
    list(services.compacting.sweep(BOARD, clock.now))
    assert valkey.mget(marks) == [b"2"] * len(marks)


def test_a_day_nobody_played_is_not_begun_once_it_would_be_compacted(
    make_services: Callable[..., Services], clock: Clock
) -> None:
    services = make_services(CHALLENGE_RETENTION_DAYS="5")
    clock.set("2026-12-30T12:00")
    player = services.players.new_id()
    with pytest.raises(Gone):
        begin(services, player, OLD)
    (glance,) = services.play.glance(player, [(OLD, "yacht")], clock.now)
    assert glance.state == "gone"
    assert services.store.players.begun(player) == []


def test_nothing_is_compacted_before_its_time_or_without_the_setting(
    make_services: Callable[..., Services], clock: Clock
) -> None:
    services, never = make_services(CHALLENGE_RETENTION_DAYS="5"), make_services()
    clock.set(f"{OLD}T12:00")
    play_out(services, services.players.new_id(), OLD)
    for moment, is_due in (("2026-11-26T02:59", False), ("2026-11-26T03:10", True)):
        clock.set(moment)
        for _ in range(ROUNDS):
            never.worker.round()
        assert not services.store.boards.notes([BOARD])[0].compacted  # type: ignore[union-attr]
        for _ in range(ROUNDS):
            services.worker.round()
        assert services.store.boards.notes([BOARD])[0].swept is is_due  # type: ignore[union-attr]


def test_moves_by_a_process_that_remembers_the_board_are_told_so(
    make_services: Callable[..., Services], clock: Clock
) -> None:
    services, other = make_services(), make_services()
    clock.set("2026-12-30T12:00")
    player, rnd = services.players.new_id(), random.Random(1)
    view = worlds.step(other, player, begin(other, player, OLD), rnd)  # an archive game
    (board,) = services.compacting.due(OLD, OLD, 5, clock.now)
    services.compacting.mark(board, clock.now)
    with pytest.raises(Gone):
        worlds.step(other, player, view, rnd)


@pytest.mark.usefixtures("keeps_three")
@pytest.mark.parametrize("seed", some(range(20), 0))
def test_erasures_archive_games_and_two_compactions_at_once_leave_figures_that_add_up(
    make_services: Callable[..., Services],
    services: Services,
    clock: Clock,
    valkey_url: str,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
) -> None:
    monkeypatch.setattr(compaction, "BATCH", 2)
    rnd = random.Random(seed)
    clock.set(f"{OLD}T12:00")
    players = [services.players.new_id() for _ in range(12)]
    scores = {p: play_out(services, p, OLD, "yacht", n).total for n, p in enumerate(players)}
    half = [services.players.new_id() for _ in range(4)]
    for player in half:
        begin(services, player, OLD)
    clock.set("2026-12-30T12:00")
    erased = rnd.sample(players, 5) + half[:2]

    def compacts() -> None:
        worker = make_services(CHALLENGE_RETENTION_DAYS="5").worker
        for _ in range(ROUNDS):
            worker.round()

    def erases() -> None:
        for player in erased:
            services.erasure.erase(player)

    def plays() -> None:
        other = make_services()
        for _ in range(20):
            with contextlib.suppress(Gone):
                begin(other, other.players.new_id(), OLD)

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(work) for work in (compacts, erases, plays, compacts)]:
            done.result()
    compacts()
    (note,) = services.store.boards.notes([BOARD])
    assert note is not None
    assert note.swept
    assert services.store.players.erasing() == []
    left = {player: score for player, score in scores.items() if player not in erased}
    histogram = services.store.boards.histogram(BOARD, note.shards)
    assert histogram == Counter(left.values())
    for player in players:
        assert services.store.players.score_on(player, BOARD) == left.get(player)
    (numbers,) = services.store.boards.numbers([(BOARD, note.shards)], {BOARD})
    assert numbers.finished == len(left)
    held = [key.decode() for key in dump(valkey_url)]
    assert not any(key.endswith((":games", ":evidence", ":apart")) for key in held)
    assert not any(player in key for player in erased for key in held)
