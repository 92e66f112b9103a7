"""A copy of a data directory while its store runs.

The store writes an append-only file in parts, which a manifest names: parts are only appended
to, and a rewrite makes new ones. So a link to every part, taken while the manifest stays the
same, holds all that was acknowledged before, whatever happens to the names afterwards; and a
part copied up to any length is what a crash at that moment would have left, which the store
reads. Source: https://valkey.io/topics/persistence, "Backing up AOF persistence".
"""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from pathlib import Path

from challenge.errors import DataDirError
from challenge.store.datadir import FOLDER, PRIVATE, DataDir, try_lock

MANIFEST = "appendonly.aof.manifest"
BESIDE = ("stream.secret", "signing.keys", "server.json")
TRIES = 100  # a rewrite comes once in a while, not a hundred times in a row


def backup(data_dir: DataDir, target: Path) -> list[str]:
    """Copies what a new data directory needs into ``target``; the names of what was copied.

    ``target`` must not be there, or be empty. It gets its name when all of it is written.

    Raises:
        DataDirError: there is nothing to copy, or it cannot be copied to there.
    """
    _check(data_dir, target)
    # Of the directory itself: a file made by root would keep the service's own user out for good.
    lock = try_lock(data_dir.path)
    if lock is None:
        raise DataDirError(f"Another backup of {data_dir.path} is being written.")
    try:
        return _written(data_dir, target)
    except OSError as error:
        raise DataDirError(f"The backup {target} cannot be written: {error.strerror}.") from None
    finally:
        os.close(lock)


def _check(data_dir: DataDir, target: Path) -> None:
    if not (data_dir.store / FOLDER / MANIFEST).is_file():
        raise DataDirError(
            f"The data directory {data_dir.path} has no store yet; `challenge serve` makes it. "
            "CHALLENGE_DATA_DIR names another directory."
        )
    if target.is_relative_to(data_dir.path) or data_dir.path.is_relative_to(target):
        raise DataDirError(f"{target} and the data directory {data_dir.path} lie in one another.")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise DataDirError(f"{target} is there already; a backup takes a new or empty directory.")
    if not target.parent.is_dir():
        raise DataDirError(f"There is no directory {target.parent}.")


def _written(data_dir: DataDir, target: Path) -> list[str]:
    """Under another name until it is whole."""
    links = data_dir.path / "backup.links"
    shutil.rmtree(links, ignore_errors=True)  # of one that was killed
    links.mkdir(mode=PRIVATE)
    partial = Path(
        tempfile.mkdtemp(prefix=f".{target.name}-", suffix=".partial", dir=target.parent)
    )
    try:
        parts = _held(data_dir.store / FOLDER, links)
        copied = _copied(data_dir, links, parts, partial)
        partial.rename(target)
        _sync(target.parent)
        return copied
    finally:
        shutil.rmtree(links, ignore_errors=True)
        shutil.rmtree(partial, ignore_errors=True)


def _held(source: Path, links: Path) -> list[str]:
    """Links to the parts of one moment, and the manifest of that moment; their names."""
    for _ in range(TRIES):
        manifest = (source / MANIFEST).read_bytes()
        names = _parts(manifest)
        try:
            for name in names:
                _hold(source / name, links / name)
        except FileNotFoundError:  # a rewrite took it away
            continue
        if (source / MANIFEST).read_bytes() == manifest:
            (links / MANIFEST).write_bytes(_without_history(manifest))
            return [*names, MANIFEST]
    raise DataDirError(f"The store in {source} is rewritten all the time; try again later.")


def _hold(part: Path, link: Path) -> None:
    link.unlink(missing_ok=True)
    try:
        os.link(part, link)
    except FileNotFoundError:
        raise
    except OSError:  # a file system without links: copied before the manifest is looked at again
        shutil.copyfile(part, link)


def _parts(manifest: bytes) -> list[str]:
    """The files a manifest names: ``file NAME seq N type b|i|h``; history is not needed."""
    facts = map(_facts, manifest.decode().splitlines())
    return [each["file"] for each in facts if each.get("type") in ("b", "i")]


def _without_history(manifest: bytes) -> bytes:
    lines = manifest.decode().splitlines()
    return "".join(f"{line}\n" for line in lines if _facts(line).get("type") != "h").encode()


def _facts(line: str) -> dict[str, str]:
    words = shlex.split(line)
    return dict(zip(words[::2], words[1::2], strict=False))


def _copied(data_dir: DataDir, links: Path, parts: list[str], partial: Path) -> list[str]:
    folder = partial / data_dir.store.name / FOLDER
    folder.parent.mkdir(mode=PRIVATE)
    folder.mkdir(mode=PRIVATE)
    for name in parts:
        _copy(links / name, folder / name)
    beside = [name for name in BESIDE if (data_dir.path / name).is_file()]
    for name in beside:
        _copy(data_dir.path / name, partial / name)
    for each in (folder, folder.parent, partial):
        _sync(each)
    return [*beside, *parts]


def _copy(source: Path, target: Path) -> None:
    """Every byte there is when it begins, and on disk before it is named."""
    with source.open("rb") as content, target.open("xb") as copy:
        os.fchmod(copy.fileno(), 0o600)
        shutil.copyfileobj(content, copy)
        copy.flush()
        os.fsync(copy.fileno())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
