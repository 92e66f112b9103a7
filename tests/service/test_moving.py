"""Export and import: another, empty service answers word for word what the first one did."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import redis
from flask import Flask

from challenge import bootstrap
from challenge.cli.exportfile import ExportFile
from challenge.errors import BadInput, SamediceError
from challenge.game import log as notation
from challenge.service.moving import exporting, lines
from challenge.service.moving.exporting import Exporter
from challenge.service.moving.importing import Importer, Refused, Report
from challenge.service.services import Services
from challenge.store import exporting as source
from challenge.store.importing import Importing
from challenge.store.keys import BoardId
from challenge.web import create_app
from tests.api.dump import dump
from tests.conftest import SECRET, Clock
from tests.marks import long, some
from tests.service import world as worlds
from tests.service.players import begin, play_out
from tests.service.world import OLD, World, answers, callers

STREAM = SECRET.encode()
Lines = list[dict[str, Any]]


@pytest.fixture(params=[long(1), 3], ids=["one shard", "three shards"])
def services(make_services: Callable[..., Services], request: pytest.FixtureRequest) -> Services:
    return make_services(CHALLENGE_BOARD_SHARDS=str(request.param))


@pytest.fixture
def world(services: Services, clock: Clock, app: Flask, valkey: redis.Redis) -> World:
    return worlds.build(services, clock, app, valkey)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "samedice.jsonl"


def compact_old(services: Services, clock: Clock, sheet: str) -> None:
    (board,) = [
        board for board in services.compacting.due(OLD, OLD, 5, clock.now)
        if board.id.ruleset == sheet
    ]  # fmt: skip
    services.compacting.mark(board, clock.now)
    list(services.compacting.sweep(board.id, clock.now))


def exporter(services: Services, clock: Clock) -> Exporter:
    return Exporter(services.store, services.erasure, clock.now)


def export(services: Services, clock: Clock, file: Path) -> Lines:
    """Writes the file; its lines but those that say how far it was."""
    list(ExportFile(file, STREAM).write(exporter(services, clock)))
    return read(file)


def read(file: Path) -> Lines:
    found = [json.loads(line) for line in file.read_bytes().splitlines()]
    return [line for line in found if line["line"] != "at"]


def take(services: Services, made: Lines | Path) -> tuple[list[Refused], Report]:
    """Imports lines; those refused, and the report."""
    text = made.read_bytes() if isinstance(made, Path) else _written(made)
    first, *rest = text.splitlines(keepends=True)
    lines.check_header(first, STREAM)
    work = bootstrap.importer(services.settings, STREAM)
    return list(work.read(enumerate(rest, start=2))), work.report


def _written(made: Lines) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in made)


def kind(made: Lines, name: str) -> Lines:
    return [line for line in made if line["line"] == name]


def test_an_empty_service_answers_as_the_first_one_did(
    services: Services,
    world: World,
    app: Flask,
    clock: Clock,
    file: Path,
    valkey: redis.Redis,
    valkey_url: str,
    make_services: Callable[..., Services],
) -> None:
    compact_old(services, clock, "yatzy-order")
    before = answers(app, world)
    export(services, clock, file)
    services.worker.round()
    held = dump(valkey_url)
    valkey.flushall()
    other = make_services(CHALLENGE_BOARD_SHARDS="2")  # boards keep the shards they opened with
    refused, report = take(other, file)
    other.worker.round()
    assert refused == []
    assert report.whole
    left_out = {key for key in held if b":erased" in key}
    left_out |= {key for key in held if key.endswith(b":started") and held[key][1] == b"0"}
    assert dump(valkey_url) == {k: v for k, v in held.items() if k not in left_out}
    assert answers(create_app(other), world) == before
    zoe = callers(create_app(other), world)["Zoe"]
    assert zoe.get("/api/v1/me").status_code == 401
    assert other.devices.look(world.recovery, clock.now).player.id == world.players["Mia"]


def test_importing_again_changes_nothing(
    services: Services, world: World, clock: Clock, file: Path, valkey_url: str
) -> None:
    compact_old(services, clock, "yatzy-order")
    export(services, clock, file)
    services.worker.round()
    held = dump(valkey_url)
    refused, report = take(services, file)
    assert refused == []
    assert report.taken["game"] == report.taken["board"] == report.taken["group"] == 0
    assert report.there["game"] > 5
    assert dump(valkey_url) == held


def test_who_was_erased_since_the_export_stays_erased(
    services: Services, world: World, clock: Clock, file: Path, valkey_url: str
) -> None:
    export(services, clock, file)
    services.erasure.erase(world.players["Mia"])
    services.worker.round()
    held = dump(valkey_url)
    refused, report = take(services, file)
    assert refused == []
    assert report.erased
    assert dump(valkey_url) == held


def test_who_was_erased_while_it_was_exported_goes_with_the_import(
    services: Services,
    world: World,
    clock: Clock,
    file: Path,
    tmp_path: Path,
    valkey: redis.Redis,
) -> None:
    mia = world.players["Mia"]
    for done in ExportFile(file, STREAM).write(exporter(services, clock)):
        if done >= 0.8 and not services.store.players.is_gone(mia):
            services.erasure.erase(mia)
    assert any(line["player"] == mia for line in kind(read(file), "game"))
    valkey.flushall()
    refused, _ = take(services, file)
    assert refused == []
    assert services.store.players.is_gone(mia)
    assert services.store.players.begun(mia) == []
    assert not services.store.players.exists(mia)
    assert all(
        mia not in line["members"]
        for line in kind(export(services, clock, tmp_path / "b"), "group")
    )


@pytest.mark.parametrize("when", ["here", "while it was exported"])
def test_who_was_erased_stands_on_no_compacted_board(
    services: Services, world: World, clock: Clock, file: Path, valkey: redis.Redis, when: str
) -> None:
    mia = world.players["Mia"]
    compact_old(services, clock, "yacht")
    writer = ExportFile(file, STREAM).write(exporter(services, clock))
    next(done for done in writer if b'"kept"' in file.read_bytes())
    if when != "here":
        services.erasure.erase(mia)
    list(writer)
    valkey.flushall()
    if when == "here":
        services.erasure.erase(mia)
    refused, _ = take(services, file)
    assert refused == []
    board = services.standings.leaderboard(OLD, "yacht", None, clock.now)
    assert sorted(entry.player for entry in board.entries) == sorted(
        world.players[name] for name in ("Ben", "Ida", "Tom")
    )
    assert board.players == 3
    assert not services.store.players.exists(mia)


def test_a_compacted_board_is_exported_so_that_it_adds_up_whenever_somebody_is_erased(
    services: Services,
    world: World,
    clock: Clock,
    app: Flask,
    valkey: redis.Redis,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client, steps, at = services.store.link.redis, 0, 0
    begin_step = client.pipeline

    def step_with_an_erasure(*args: Any, **options: Any) -> Any:
        nonlocal steps
        steps += 1
        if steps == at:
            services.erasure.erase(world.players["Mia"])
        return begin_step(*args, **options)

    while steps >= at:
        worlds.build(services, clock, app, valkey)
        compact_old(services, clock, "yacht")
        begun = lines.AtLine(f"{OLD}:yacht", "", services.store.exporting.servers())
        steps, at = 0, at + 1
        with monkeypatch.context() as watched:
            watched.setattr(client, "pipeline", step_with_an_erasure)
            piece = next(exporter(services, clock).pieces(begun))
        valkey.flushall()
        made = [json.loads(lines.encode(line)) for line in (lines.header(STREAM), *piece.lines)]
        assert "kept" in made[1]
        assert take(services, made)[0] == []
    assert at > 3


def test_who_left_a_group_while_it_was_exported_finds_it_again_and_leaves_it_when_erased(
    services: Services, world: World, clock: Clock, file: Path, valkey: redis.Redis
) -> None:
    ben = world.players["Ben"]
    writer = ExportFile(file, STREAM).write(exporter(services, clock))
    next(done for done in writer if b'"line":"group"' in file.read_bytes())
    services.groups.leave(ben, world.group)
    list(writer)
    valkey.flushall()
    assert take(services, file)[0] == []
    assert [group.id for group in services.groups.mine(ben)] == [world.group]
    services.erasure.erase(ben)
    assert ben not in services.store.groups.members([world.group])[0]


def test_a_finish_not_settled_there_is_in_the_record_though_the_worker_was_here_before_it(
    services: Services,
    world: World,
    clock: Clock,
    file: Path,
    valkey: redis.Redis,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ida = world.players["Ida"]
    export(services, clock, file)
    assert any(line.get("unsettled") for line in kind(read(file), "game"))
    valkey.flushall()
    clock.set("2026-12-02T12:00")  # the board of these games has closed
    put = Importing.games

    def put_after_a_round(self: Importing, *args: Any) -> list[str]:
        services.worker.round()
        return put(self, *args)

    monkeypatch.setattr(Importing, "games", put_after_a_round)
    assert take(services, file)[0] == []
    services.worker.round()
    board = BoardId(worlds.TODAY, "yacht")
    (note,) = services.store.boards.notes([board])
    assert note is not None
    score = services.store.boards.score_of(board, note.shards, ida)
    assert score is not None
    assert services.store.players.record(ida)[board] == score
    assert services.records.streak(ida, worlds.TODAY) == 1


@pytest.mark.parametrize("shards", ["3", "2"])
def test_who_came_between_two_exports_counts_among_those_who_began(
    make_services: Callable[..., Services],
    clock: Clock,
    tmp_path: Path,
    valkey: redis.Redis,
    shards: str,
) -> None:
    """The board has closed on both sides before the second one; there it had opened by itself."""
    first, board = make_services(CHALLENGE_BOARD_SHARDS="3"), BoardId(worlds.TODAY, "yacht")
    ids = iter(first.players.new_id, "")
    late = [id for id in islice(ids, 200) if board.shard_of(id, 2) is board.shards(2)[1]][:6]
    players = [*islice(ids, 6), *late]
    for player in players[:5]:
        play_out(first, player, board.day)
    begin(first, players[5], board.day)
    export(first, clock, tmp_path / "one")
    for player in players[6:]:
        play_out(first, player, board.day)
    clock.set("2026-12-01T04:00")
    first.worker.round()
    export(first, clock, tmp_path / "two")
    valkey.flushall()
    other = make_services(CHALLENGE_BOARD_SHARDS=shards)
    clock.set("2026-11-30T20:00")
    other.worker.round()
    assert take(other, tmp_path / "one")[0] == []
    clock.set("2026-12-01T04:00")
    other.worker.round()
    for _ in range(2):
        assert take(other, tmp_path / "two")[0] == []
        (numbers,) = other.store.boards.numbers([(board, int(shards))])
        assert (numbers.started, numbers.finished) == (12, 11)
    for player in (*players[:4], *late):
        other.erasure.erase(player)
    assert take(other, tmp_path / "two")[0] == []
    export(other, clock, tmp_path / "three")
    valkey.flushall()
    assert take(other, tmp_path / "three")[0] == []
    (numbers,) = other.store.boards.numbers([(board, int(shards))])
    assert (numbers.started, numbers.finished) == (2, 1)


def test_who_was_erased_since_an_older_import_goes_with_a_newer_one(
    services: Services,
    world: World,
    clock: Clock,
    file: Path,
    tmp_path: Path,
    valkey: redis.Redis,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mia = world.players["Mia"]
    export(services, clock, file)
    services.erasure.erase(mia)
    newer = tmp_path / "newer.jsonl"
    export(services, clock, newer)
    valkey.flushall()
    take(services, file)
    assert services.store.players.exists(mia)
    with monkeypatch.context() as broken:  # broken off before its end
        broken.setattr(Importer, "_erase_gone", lambda _: None)
        take(services, newer)
    refused, report = take(services, newer)
    assert (refused, report.whole, report.lost) == ([], True, 0)
    assert services.store.players.is_gone(mia)
    assert not services.store.players.exists(mia)
    for board in (BoardId(OLD, "yacht"), BoardId(worlds.LAST, "yacht")):
        (note,) = services.store.boards.notes([board])
        assert note is not None
        assert services.store.games.read(board, note.shards, mia).log is None
    assert mia not in services.store.groups.members([world.group])[0]


def test_who_is_erased_while_it_is_imported_goes_as_well(
    services: Services,
    world: World,
    clock: Clock,
    file: Path,
    valkey: redis.Redis,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    export(services, clock, file)
    valkey.flushall()
    mia, ben, tom = (world.players[name] for name in ("Mia", "Ben", "Tom"))
    for method, player in (("games", mia), ("person", ben), ("circle", tom)):
        _erase_before(monkeypatch, services, method, player)
    refused, _ = take(services, file)
    assert refused == []
    for player in (mia, ben):
        assert not services.store.players.exists(player)
        assert services.store.players.begun(player) == []
    assert services.store.players.erasing() == []
    assert not {mia, tom} & set(services.store.groups.members([world.group])[0])


def _erase_before(
    monkeypatch: pytest.MonkeyPatch, services: Services, method: str, player: str
) -> None:
    """An erasure comes between the look of an import and what it first writes of a player."""
    write, erased = getattr(Importing, method), []

    def late(self: Importing, *args: Any) -> Any:
        if not erased and player in repr(args):
            services.erasure.erase(player)
            erased.append(player)
        return write(self, *args)

    monkeypatch.setattr(Importing, method, late)


def test_a_board_compacted_after_its_games_were_exported_costs_no_player_anything(
    services: Services, world: World, clock: Clock, file: Path, app: Flask, valkey: redis.Redis
) -> None:
    before = answers(app, world)
    writer = ExportFile(file, STREAM).write(exporter(services, clock))
    for _ in writer:
        if f'"section":"{worlds.LAST}'.encode() in file.read_bytes():
            compact_old(services, clock, "yacht")
            break
    list(writer)
    assert any("kept" in line for line in kind(read(file), "player"))
    valkey.flushall()
    refused, report = take(services, file)
    assert (refused, report.whole) == ([], True)
    services.worker.round()
    assert answers(create_app(services), world) == before


def test_what_goes_on_further_here_stays_and_what_goes_on_further_there_is_taken(
    make_services: Callable[..., Services], clock: Clock, file: Path, valkey: redis.Redis
) -> None:
    services, player = make_services(), "AAAAAAAAAAAAAAAAAAAAAA"
    view = play_out(services, player, worlds.TODAY)
    whole = export(services, clock, file)
    (line,) = kind(whole, "game")
    short = {**line, "log": _shorter(line["log"])}
    del short["score"], short["unsettled"]
    valkey.flushall()
    others = [each for each in whole if each is not line]
    for part, log in (
        ([*others, short], short["log"]),
        (whole, line["log"]),
        ([*others, short], line["log"]),
    ):
        refused, _ = take(services, part)
        assert refused == []
        game = services.play.view(player, worlds.TODAY, "yacht", clock.now)
        assert game.log == log
    assert game.standing is not None
    assert game.total == view.total
    services.worker.round()
    assert services.records.stats(player, None, clock.now).best == view.total
    (numbers,) = services.store.boards.numbers([(BoardId(worlds.TODAY, "yacht"), 1)])
    assert (numbers.started, numbers.finished) == (1, 1)


def test_another_game_at_the_same_place_is_refused_and_stays(
    make_services: Callable[..., Services], clock: Clock, file: Path, valkey: redis.Redis
) -> None:
    services, player = make_services(), "AAAAAAAAAAAAAAAAAAAAAA"
    play_out(services, player, worlds.TODAY, seed=1)
    export(services, clock, file)
    valkey.flushall()
    mine = play_out(services, player, worlds.TODAY, seed=2)
    ((first,), report) = take(services, file)
    assert "another game of this player" in first.why
    assert report.refused == 1
    assert services.play.view(player, worlds.TODAY, "yacht", clock.now).log == mine.log


WRONG: list[tuple[str, Callable[[dict[str, Any]], dict[str, Any]], str]] = [
    ("game", lambda line: {**line, "score": line["score"] + 1}, "the log gives"),
    ("game", lambda line: {**line, "log": "AA" + line["log"][2:]}, "not a game of this sheet"),
    ("game", lambda line: {**line, "log": _shorter(line["log"])}, "the log gives no finished game"),
    ("game", lambda line: {**line, "log": line["log"] + "="}, "no line of an export"),
    ("game", lambda line: {**line, "log": "A" * 5000}, "no line of an export"),
    ("game", lambda line: {**line, "board": "2026-11-19:yacht"}, "is not here"),
    ("game", lambda line: {**line, "board": "2026-02-30:yacht"}, "is no board"),
    ("game", lambda line: {**line, "player": "../../etc/passwd"}, "no line of an export"),
    ("game", lambda line: {**line, "surprise": 1}, "no line of an export"),
    ("board", lambda line: {**line, "seed": "00" * 32}, "not the one its commitment"),
    ("board", lambda line: {**line, "closed": False}, "if and only if"),
    ("board", lambda line: {**line, "started": []}, "for each shard"),
    ("board", lambda line: _noted(line, commitment="00" * 32), "not the one its commitment"),
    ("board", lambda line: _noted(line, fingerprint="00"), "lacks the edition"),
    ("board", lambda line: _noted(line, stream_version=2), "stream version 2"),
    ("board", lambda line: _noted(line, closes_at=5), "in this order"),
    ("board", lambda line: _noted(line, shards=65), "no line of an export"),
    ("board", lambda line: _noted(line, closes_at=10**12), "no line of an export"),
    ("board", lambda line: _noted(line, closes_at=10**4000), "no line of an export"),
    ("board", lambda line: {**line, "insight": {"best": "many"}}, "worked out about its dice"),
    ("board", lambda line: {**line, "insight": {"bot:cat": "?"}}, "unpadded base64url"),
    ("board", lambda line: {**line, "insight": {"best": "9" * 5000}}, "no line of an export"),
    ("board", lambda line: {**line, "board": "2025-11-19:yacht"}, "first day"),
    ("player", lambda line: {**line, "kept": {"2026-11-19:yacht": 5}}, "is not here"),
    ("player", lambda line: {**line, "epoch": -1}, "no line of an export"),
    ("player", lambda line: {**line, "player": line["player"] + "\n"}, "no line of an export"),
    ("player", lambda line: {**line, "name": "\ud800"}, "no line of an export"),
    ("player", lambda line: {**line, "skill": {f"{OLD}:yacht": "1 2"}}, "no skill"),
    ("player", lambda line: {**line, "skill": {f"{OLD}:yacht": "1 2 nan"}}, "no skill"),
    ("player", lambda line: {**line, "skill": {"2026-02-30:yacht": "1 2 3"}}, "is no board"),
    ("group", lambda line: {**line, "members": {}}, "no line of an export"),
]


def _shorter(text: str) -> str:
    return notation.to_text(notation.from_text(text)[:-1])


def _noted(line: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**line, "note": {**line["note"], **more}}


def test_a_line_that_was_tampered_with_is_refused_and_the_others_are_taken(
    make_services: Callable[..., Services],
    clock: Clock,
    app: Flask,
    file: Path,
    valkey: redis.Redis,
    valkey_url: str,
) -> None:
    services = make_services()
    worlds.build(services, clock, app, valkey)
    whole = export(services, clock, file)
    valkey.flushall()
    header = whole[0]
    take(services, [header, *kind(whole, "board")])
    for name, tamper, why in WRONG:
        place = next(
            i for i, line in enumerate(whole)
            if line["line"] == name and (name != "game" or line.get("score"))
            and (name != "board" or line.get("seed"))
        )  # fmt: skip
        made = tamper(whole[place])
        refused, report = take(services, [header, made])
        assert len(refused) == report.refused == 1, (name, why)
        assert refused[0].number == 2
        assert why in refused[0].why, refused[0].why
        assert not any(b":games" in key for key in dump(valkey_url))
    refused, _ = take(services, whole)
    assert refused == []


VALUES = (
    *(None, True, -1, 0, 1, 7, 10**6, 10**12, 10**30, 1.5, -1e308, "", "\n", "0", "x" * 300),
    *(
        "A" * 22,
        "\u202e",
        "\x00",
        [],
        {},
        [[]],
        {"": 0},
        {"0": 1},
        "2026-11-20:yacht",
        "nan nan nan",
    ),
)


@pytest.mark.parametrize("seed", some(range(12), 0))
def test_whatever_is_done_to_lines_they_are_refused_or_taken_and_pages_answer(
    services: Services, world: World, clock: Clock, file: Path, app: Flask, valkey: redis.Redis,
    seed: int,
) -> None:  # fmt: skip
    compact_old(services, clock, "yatzy-order")
    whole = export(services, clock, file)
    valkey.flushall()
    rnd = random.Random(seed)
    for _ in range(12):
        made = json.loads(json.dumps(whole[1:]))
        for line in rnd.sample(made, 8):
            _spoil(line, rnd)
        text = _written([whole[0], *made]).splitlines(keepends=True)
        for place in rnd.sample(range(1, len(text)), 2):
            text[place] = _torn(text[place], rnd)
        work = bootstrap.importer(services.settings, STREAM)
        list(work.read(enumerate(text[1:], start=2)))
    services.worker.round()
    for url, (status, _) in answers(create_app(services), world).items():
        assert status < 500 or (status == 503 and "/review" in url), url  # no tables are here


def _spoil(line: dict[str, Any], rnd: random.Random) -> None:
    """Something in it becomes something else, or goes."""
    into: Any = line
    while True:
        keys = list(into) if isinstance(into, dict) else list(range(len(into)))
        if not keys:
            return
        key = rnd.choice(keys)
        if isinstance(into[key], (dict, list)) and into[key] and rnd.random() < 0.7:
            into = into[key]
            continue
        break
    what = rnd.randrange(4)
    if what == 0:
        del into[key]
    elif what == 1 and isinstance(into, dict):
        into[str(rnd.choice(VALUES))[:60]] = into.pop(key)
    else:
        into[key] = rnd.choice(VALUES)


def _torn(text: bytes, rnd: random.Random) -> bytes:
    """Some bytes of it are others."""
    torn = bytearray(text)
    for _ in range(rnd.randrange(1, 4)):
        torn[rnd.randrange(len(torn) - 1)] = rnd.choice([0, 34, 92, 123, 125, 128, 255])
    return bytes(torn)


def test_a_compacted_board_that_does_not_add_up_is_refused(
    services: Services, world: World, clock: Clock, file: Path, valkey: redis.Redis
) -> None:
    compact_old(services, clock, "yacht")
    whole = export(services, clock, file)
    valkey.flushall()
    header, board = whole[0], next(b for b in kind(whole, "board") if "kept" in b)
    kept = board["kept"]
    for changed, why in (
        ({**kept, "best": [*kept["best"], ["A" * 22, 7]]}, "does not count"),
        ({**kept, "histogram": kept["histogram"][1:]}, "for each shard"),
        ({**kept, "histogram": [{"5": 0}, *kept["histogram"][1:]]}, "counts nobody"),
    ):
        ((refused,), _) = take(services, [header, {**board, "kept": changed}])
        assert why in refused.why or "does not count" in refused.why, refused.why
    player = next(line for line in kind(whole, "player") if line.get("kept"))
    wrong = {**player, "kept": {f"{OLD}:yacht": 3}}
    ((refused,), _) = take(services, [header, board, wrong])
    assert "counts no score of 3" in refused.why


def test_a_file_that_ends_early_is_not_whole(
    services: Services, world: World, clock: Clock, file: Path, valkey: redis.Redis
) -> None:
    export(services, clock, file)
    valkey.flushall()
    file.write_bytes(file.read_bytes()[:-100])
    _, report = take(services, file)
    assert not report.whole


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"\xff\xfe",
        b'{"line":"gone","mark":"\xff"}',
        b"[" * 200_000,
        b'{"line":"game","log":' + b"[" * 200_000,
        b'{"x":' * 200_000,
        b'{"line":"player","epoch":' + b"9" * 200_000 + b"}",
        b'{"line":"player","epoch":1e400}',
        b'{"line":"group","members":{"' + b"A" * 22 + b'":NaN}}',
        b'{"line":' * 2,
    ],
)
def test_what_is_no_line_is_said_to_be_none_however_it_is_made(text: bytes) -> None:
    with pytest.raises(BadInput, match="no line of an export"):
        lines.decode(text)


def test_lines_cut_out_of_the_middle_are_missed(
    services: Services, world: World, clock: Clock, file: Path, valkey: redis.Redis
) -> None:
    whole = export(services, clock, file)
    valkey.flushall()
    some = [line for line in whole if line["line"] != "group"]
    some.remove(next(line for line in some if line["line"] == "game"))
    refused, report = take(services, [*some, *some])
    assert (refused, report.whole) == ([], True)
    assert report.lost == 1  # the group; another game came twice


@pytest.mark.parametrize(
    "header",
    [b"", b"{}\n", b"[1]\n", b"\xff\xfe\n", lines.encode(lines.header(b"another secret"))],
)
def test_what_is_no_export_of_this_service_is_refused_up_front(header: bytes) -> None:
    with pytest.raises(BadInput, match=r"no export|another stream secret"):
        lines.check_header(header, STREAM)


def test_the_header_gives_the_secret_not_away() -> None:
    assert STREAM not in lines.encode(lines.header(STREAM))
    later = lines.Header(version=2, secret=lines.fingerprint(STREAM))
    with pytest.raises(BadInput, match="version 2"):
        lines.check_header(lines.encode(later), STREAM)


def test_one_that_breaks_off_anywhere_goes_on_where_it_was(
    services: Services,
    world: World,
    clock: Clock,
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(source, "BATCH", 8)
    whole = export(services, clock, file)
    broken, steps = tmp_path / "broken.jsonl", 0
    while steps < 200 and not (broken.exists() and b'{"line":"end"' in broken.read_bytes()):
        writer = ExportFile(broken, STREAM).write(exporter(services, clock))
        for _ in range(10):
            if next(writer, None) is None:
                break
        writer.close()
        steps += 1
        if b'{"line":"end"' not in broken.read_bytes():
            with broken.open("ab") as tail:
                tail.write(b'{"line":"game","boa')  # as a kill leaves it
    assert steps > 2
    assert _sorted(read(broken)) == _sorted(whole)
    with pytest.raises(BadInput, match="whole export already"):
        export(services, clock, broken)
    broken.write_bytes(broken.read_bytes()[:-9])  # killed in its very last line
    assert _sorted(export(services, clock, broken)) == _sorted(whole)


def test_two_exports_do_not_write_one_file(
    services: Services, world: World, clock: Clock, file: Path
) -> None:
    writer = ExportFile(file, STREAM).write(exporter(services, clock))
    next(writer)
    with pytest.raises(BadInput, match="Another export is being written"):
        export(services, clock, file)
    list(writer)
    _, report = take(services, file)
    assert report.whole


def _sorted(made: Lines) -> list[str]:
    return sorted(json.dumps(line, sort_keys=True) for line in made)


def test_after_the_servers_have_changed_a_section_is_read_anew(
    services: Services,
    world: World,
    clock: Clock,
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(source, "BATCH", 3)
    whole = export(services, clock, file)
    broken = tmp_path / "broken.jsonl"
    writer = ExportFile(broken, STREAM).write(exporter(services, clock))
    for _ in range(12):
        next(writer)
    writer.close()
    text = broken.read_bytes()
    last = text.rindex(b'"servers":"')
    broken.write_bytes(text[:last] + b'"servers":"x' + text[last + 12 :])
    export(services, clock, broken)
    assert _sorted(read(broken)) == _sorted(whole)


def test_a_board_compacted_under_our_hands_is_read_anew(
    services: Services,
    world: World,
    clock: Clock,
    file: Path,
    valkey: redis.Redis,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(source, "BATCH", 3)
    done = False
    for _ in ExportFile(file, STREAM).write(exporter(services, clock)):
        if not done and b'"line":"game"' in file.read_bytes():
            compact_old(services, clock, "yacht")
            done = True
    boards = [b for b in kind(read(file), "board") if b["board"] == f"{OLD}:yacht"]
    assert ["kept" in board for board in boards] == [True]
    valkey.flushall()
    refused, report = take(services, file)
    assert (refused, report.whole) == ([], True)


def test_a_board_compacted_while_its_export_is_broken_off_is_read_anew(
    services: Services,
    world: World,
    clock: Clock,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(source, "BATCH", 3)
    writer = ExportFile(file, STREAM).write(exporter(services, clock))
    next(done for done in writer if b'"line":"game"' in file.read_bytes())
    writer.close()
    compact_old(services, clock, "yacht")
    made = export(services, clock, file)
    boards = [b for b in kind(made, "board") if b["board"] == f"{OLD}:yacht"]
    assert ["kept" in board for board in boards] == [True]
    assert not [line for line in kind(made, "game") if line["board"] == f"{OLD}:yacht"]


def test_a_pipe_says_so_instead(services: Services, world: World, clock: Clock) -> None:
    pieces = exporter(services, clock).pieces()
    next(piece for piece in pieces if any(isinstance(o, lines.BoardLine) for o in piece.lines))
    for board in services.compacting.due(OLD, OLD, 5, clock.now):
        services.compacting.mark(board, clock.now)
    with pytest.raises(exporting.ChangedMeanwhile, match="compacted while the export"):
        list(pieces)


@pytest.mark.parametrize("content", [b"my letters\n", b"\n", b"{}"])
def test_a_file_that_is_something_else_stays_what_it_is(
    services: Services, clock: Clock, file: Path, content: bytes
) -> None:
    file.write_bytes(content)
    with pytest.raises(SamediceError, match="no export"):
        export(services, clock, file)
    assert file.read_bytes() == content


@pytest.mark.soak
def test_ten_thousand_games_come_over_whole(
    make_services: Callable[..., Services],
    clock: Clock,
    file: Path,
    valkey: redis.Redis,
    valkey_url: str,
) -> None:
    services = make_services(CHALLENGE_BOARD_SHARDS="3")
    for seed in range(20):
        play_out(services, services.players.new_id(), worlds.TODAY, seed=seed)
    whole = export(services, clock, file)
    header, end = whole[0], whole[-1]
    made = [
        {**game, "player": f"{i:022d}"}
        for i, game in zip(range(10_000), kind(whole, "game") * 500, strict=True)
    ]
    valkey.flushall()
    refused, report = take(services, [header, *kind(whole, "board"), *made, end])
    assert (refused, report.taken["game"]) == ([], 10_000)
    held = dump(valkey_url)
    file.unlink()
    export(services, clock, file)
    valkey.flushall()
    refused, report = take(services, file)
    assert (refused, report.taken["game"]) == ([], 10_000)
    assert dump(valkey_url) == held
