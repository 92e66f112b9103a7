"""What ``challenge doctor`` looks at. Everything is read; the one write is Redis's own proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from challenge import bootstrap
from challenge.cli import operator
from challenge.cli.hints import hint
from challenge.config import Settings
from challenge.errors import NoSolver, NotSolvable, SamediceError, SettingError, StoreUnavailable
from challenge.game import rulesets
from challenge.game.stream import VERSION, commitment_of, seed_of
from challenge.redis_url import parse, without_login
from challenge.service.solved import Solved
from challenge.store import trouble
from challenge.store.boards import Note
from challenge.store.datadir import DataDir
from challenge.store.keys import BoardId
from challenge.store.server import find_server
from challenge.store.store import Store

OLDEST = (7,)
Info = dict[str, Any]
DAYS_BACK = 32  # boards of these days are looked at, and every one not yet closed


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: what it is, whether it is right, and what was seen."""

    check: str
    level: Literal["ok", "note", "wrong"]
    detail: str


def findings(settings: Settings, now: datetime) -> Iterator[Finding]:
    """Every finding, from the settings down to the boards."""
    for warning in settings.warnings():
        yield Finding("settings", "wrong", warning)
    yield _tried("stream secret", lambda: _length(operator.stream_secret(settings)))
    yield _tried("signing keys", lambda: f"{len(operator.signing_keys(settings))} found")
    if settings.redis_url is None:
        yield from _embedded(settings)
    yield from _tables(settings)
    try:
        store = Store(bootstrap.store_url(settings), erasure_key=b"")  # it only looks
        yield from _server(store, settings)
        yield from _boards(store, settings, now)
    except StoreUnavailable as error:
        found = " Is `challenge serve` running?"
        if settings.redis_url:
            found = hint(error.cause, settings.redis_url)
        yield Finding("store", "wrong", f"{_place(settings)}: {error}.{found}")
    except SettingError as error:
        yield Finding("settings", "wrong", str(error))


def _tried(check: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(check, "ok", look())
    except SamediceError as error:
        return Finding(check, "wrong", str(error))


def _length(secret: bytes) -> str:
    return f"{len(secret)} bytes (hidden)"


def _embedded(settings: Settings) -> Iterator[Finding]:
    data_dir = DataDir(settings.data_dir)
    if not data_dir.path.is_dir():
        why = f"{data_dir.path} does not exist yet; `challenge serve` makes it."
        yield Finding("data directory", "note", why)
        return
    yield Finding("data directory", "ok", str(data_dir.path))
    yield _tried("store program", lambda: _program(data_dir))


def _program(data_dir: DataDir) -> str:
    server = find_server(data_dir)
    return f"{server.note} at {server.binary}"


def _tables(settings: Settings) -> Iterator[Finding]:
    """Which offered sheets are solved, and why the others are not."""
    solved = Solved(DataDir(settings.data_dir).solver)
    there, missing = [], []
    for id in settings.rulesets:
        try:
            fault = solved.fault(rulesets.find(id))
        except NotSolvable:
            continue
        except NoSolver as error:
            yield Finding("tables", "note", str(error))
            return
        if fault is None:
            there.append(id)
        else:
            missing.append(id)
            if fault.path.exists():
                yield Finding("tables", "note", f"{fault} It is solved anew.")
    what = f"{len(there)} of {len(there) + len(missing)} offered sheets are solved"
    if not missing:
        yield Finding("tables", "ok", what)
        return
    how = "the worker does it" if settings.solve else "CHALLENGE_SOLVE is off"
    yield Finding("tables", "note", f"{what}, not {', '.join(missing)}; {how}.")


def _server(store: Store, settings: Settings) -> Iterator[Finding]:
    """Each server answers, is new enough, takes a write and throws nothing away."""
    servers = store.servers()
    for name, info in servers:
        if isinstance(info, StoreUnavailable):
            yield _silent(name, info, settings)
            continue
        yield _version(info, f"{name} of {_place(settings)}" if name else _place(settings))
        yield from _kind(info, settings)
        yield from _keeping(info, f" at {name}" if name else "")
        yield from _following(info, f" of {name}" if name else "", settings)
    if servers:  # else nobody was found to take it, and what comes next says why
        yield _tried("store write", lambda: _write(store))


def _silent(name: str, error: StoreUnavailable, settings: Settings) -> Finding:
    """A server that does not answer, one of several where it has a name."""
    if name:
        return Finding("store", "wrong", f"{name}: {error}. {trouble.hint(error.cause)}".rstrip())
    found = hint(error.cause, bootstrap.store_url(settings))
    return Finding("store", "wrong", f"{_place(settings)}: {error}.{found}")


def _version(info: Info, place: str) -> Finding:
    kind = str(info.get("server_name", "redis"))
    version = str(info.get(f"{kind}_version", info["redis_version"]))
    said = f"{kind} {version} answers at {place}"
    if tuple(int(part) for part in version.split(".")[:1]) >= OLDEST:
        return Finding("store", "ok", said)
    return Finding("store", "wrong", f"{said}; 7 or newer is needed.")


def _kind(info: Info, settings: Settings) -> Iterator[Finding]:
    """Whether the URL is of the kind that the server is."""
    is_cluster = bool(info.get("cluster_enabled"))
    asked = parse(bootstrap.store_url(settings)).kind
    if is_cluster and asked != "cluster":
        why = "the server is a node of a cluster: CHALLENGE_REDIS_URL must be redis+cluster://."
        yield Finding("store kind", "wrong", why)
    if "sentinel" in (info.get("redis_mode"), info.get("server_mode")):
        why = "the server is a sentinel: CHALLENGE_REDIS_URL must be redis+sentinel://."
        yield Finding("store kind", "wrong", why)
    elif info.get("role") != "master":
        yield Finding("store kind", "wrong", "the server is a replica and takes no writes.")


def _write(store: Store) -> str:
    store.check_write()
    return "a write was taken"


def _following(info: Info, whose: str, settings: Settings) -> Iterator[Finding]:
    """Whether there are as many replicas as a write, and the end of a game, waits for."""
    if info.get("min_slaves_good_slaves") == 0:  # told only where min-replicas-to-write is set
        why = f"min-replicas-to-write is set and no replica{whose} follows: every write is refused"
        yield Finding("store replicas", "wrong", f"{why} until one is back (NOREPLICAS).")
    there, asked = int(str(info.get("connected_slaves", 0))), settings.wait_replicas
    if there < asked:
        why = f"CHALLENGE_WAIT_REPLICAS is {asked}, replicas connected{whose}: {there}."
        yield Finding("store replicas", "wrong", f"{why} Finishes there are answered as degraded.")


def _keeping(info: Info, where: str) -> Iterator[Finding]:
    policy = info.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        why = f"maxmemory-policy{where} is {policy}: games may be thrown away; set noeviction."
        yield Finding("store memory", "wrong", why)
    if not info.get("aof_enabled"):
        why = f"appendonly{where} is off: a crash of the server may lose its last moves."
        yield Finding("store persistence", "note", why)


def _place(settings: Settings) -> str:
    """Where the store is, without user and password."""
    return without_login(bootstrap.store_url(settings))


def _boards(store: Store, settings: Settings, now: datetime) -> Iterator[Finding]:
    """Every board that would be refused, by name."""
    looked_at = _board_ids(store, settings, now)
    notes = store.boards.notes(looked_at)
    opened = [(id, note) for id, note in zip(looked_at, notes, strict=True) if note is not None]
    refused = 0
    for id, note in opened:
        why = _why_refused(id, note, settings)
        if why:
            refused += 1
            yield Finding("board", "wrong", f"{id.day}/{id.ruleset} is refused: {why}")
    if not refused:
        yield Finding("boards", "ok", f"{len(opened)} boards, none refused")


def _board_ids(store: Store, settings: Settings, now: datetime) -> list[BoardId]:
    today = settings.calendar.date_at(now) + timedelta(days=1)
    recent = [
        BoardId(today - timedelta(days=back), sheet.id)
        for back in range(DAYS_BACK)
        for sheet in rulesets.RULESETS
    ]
    return list(dict.fromkeys([*store.boards.live(), *recent]))


def _why_refused(id: BoardId, note: Note, settings: Settings) -> str:
    """Why a board cannot be played or read under these settings; empty where it can."""
    if rulesets.find_edition(note.fingerprint) is None:
        return "it was opened with a sheet this code lacks (fingerprint unknown)."
    if note.stream_version != VERSION:
        return f"it was opened with stream version {note.stream_version}, this code has {VERSION}."
    try:
        seed = note.seed or seed_of(operator.stream_secret(settings), id.day, id.ruleset)
    except SamediceError:
        return "its stream secret is missing."
    if commitment_of(seed) != note.commitment:
        return (
            "it was opened under another stream secret; bring back the one it was opened with "
            "(CHALLENGE_STREAM_SECRET, or stream.secret in the data directory)."
        )
    return ""
