"""Static files: addressed by content, kept for ever, all from this host."""

from __future__ import annotations

import gzip
import re

from flask.testing import FlaskClient

from challenge.web import assets
from challenge.web.pages.site import shell

SCRIPTS_AT_MOST = 20_000  # bytes, compressed
FIRST_VISIT_AT_MOST = 60_000


def _url(client: FlaskClient, name: str) -> str:
    return re.search(rf'"(/assets/\w+/{re.escape(name)})"', client.get("/").text)[1]


def test_a_file_under_the_running_digest_may_be_kept_for_ever(client: FlaskClient) -> None:
    answer = client.get(_url(client, "page.css"))
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.content_type == "text/css; charset=utf-8"
    assert answer.data == (assets.FOLDER / "page.css").read_bytes()


def test_a_file_under_an_older_digest_is_answered_but_not_kept(client: FlaskClient) -> None:
    answer = client.get("/assets/0123456789ab/page.js")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")


def test_a_file_is_compressed_for_who_can_read_it(client: FlaskClient) -> None:
    answer = client.get(_url(client, "page.css"), headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.data) == (assets.FOLDER / "page.css").read_bytes()
    assert "Content-Encoding" not in client.get(_url(client, "page.css")).headers


def test_no_other_file_can_be_reached(client: FlaskClient) -> None:
    for name in ("../i18n.py", "%2e%2e/i18n.py", "nothing.css", ""):
        assert client.get(f"/assets/{assets.digest()}/{name}").status_code == 404


def test_the_page_names_no_other_host_and_nothing_inline(client: FlaskClient) -> None:
    page = client.get("/").text
    assert not re.findall(r'(?:src|href|action)="(?:https?:)?//', page)
    assert " style=" not in page
    assert "<style" not in page
    assert re.findall(r"<script[^>]*>([^<]*)", page) == [""]
    assert not re.findall(r"\son\w+=", page)


def test_the_first_visit_is_light(client: FlaskClient) -> None:
    """By its parts; ``tests/browser/test_wire.py`` measures it over the wire."""
    page = client.get("/", headers={"Accept-Encoding": "gzip"})
    named = re.findall(r'"/assets/\w+/([\w.-]+)"', client.get("/").text)
    scripts = {module for name in named if name.endswith(".js") for module in shell.modules(name)}
    sizes = {name: len(assets.assets()[name].compressed) for name in {*named, *scripts}}
    assert sum(sizes[name] for name in scripts) <= SCRIPTS_AT_MOST
    assert sum(sizes.values()) + len(page.data) <= FIRST_VISIT_AT_MOST
