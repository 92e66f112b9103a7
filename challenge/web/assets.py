"""Static files under an address that carries the digest of all of them.

The files are read once and answered from memory, compressed where that helps. An
address with the running digest never changes its content, so it may be kept for ever;
modules import each other by relative addresses and stay within one digest.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from functools import cache
from pathlib import Path
from typing import NamedTuple

from flask import Flask, Response, abort, request, url_for

FOLDER = Path(__file__).parent / "static"
FOREVER = "public, max-age=31536000, immutable"
# Documents alone are governed by it; the whole list would weigh more than some of the files.
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=()"

# What systems disagree about; a module of a wrong type is not run.
_TYPES = {".js": "text/javascript", ".svg": "image/svg+xml", ".css": "text/css"}


class Asset(NamedTuple):
    """One file: its content, the same compressed, its media type."""

    content: bytes
    compressed: bytes
    type: str


@cache
def assets() -> dict[str, Asset]:
    """Every static file by its path below the folder."""
    files = sorted(path for path in FOLDER.rglob("*") if path.is_file())
    return {path.relative_to(FOLDER).as_posix(): _load(path) for path in files}


def _load(path: Path) -> Asset:
    content = path.read_bytes()
    guessed = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    return Asset(content, gzip.compress(content, 9, mtime=0), guessed or "application/octet-stream")


@cache
def digest() -> str:
    """Twelve hex digits that change with any static file."""
    found = hashlib.sha256()
    for name, asset in assets().items():
        found.update(f"{name}\0{len(asset.content)}\0".encode() + asset.content)
    return found.hexdigest()[:12]


def asset_url(name: str) -> str:
    """The address of a static file.

    Raises:
        KeyError: there is none of this name.
    """
    assets()[name]
    return url_for("asset", version=digest(), name=name)


def serve(version: str, name: str) -> Response:
    """The file; one asked for under an older digest is answered too, but not to be kept."""
    asset = assets().get(name) or abort(404)
    packed = request.accept_encodings.quality("gzip") > 0 and len(asset.compressed) < len(
        asset.content
    )
    answer = Response(asset.compressed if packed else asset.content, content_type=asset.type)
    if packed:
        answer.headers["Content-Encoding"] = "gzip"
    if asset.type.startswith("text/"):
        answer.headers["Content-Type"] = f"{asset.type}; charset=utf-8"
    answer.headers["Permissions-Policy"] = PERMISSIONS
    answer.headers["Vary"] = "Accept-Encoding"
    answer.headers["Cache-Control"] = FOREVER if version == digest() else "no-store"
    return answer


def init_app(app: Flask) -> None:
    """Serve the files at ``/assets/<digest>/…`` and give the templates ``asset(name)``."""
    digest()  # reads all files now, not in the first request
    app.add_url_rule("/assets/<version>/<path:name>", "asset", serve)
    app.jinja_env.globals["asset"] = asset_url
