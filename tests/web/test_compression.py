"""Compression: pages and data shrink, nothing else about an answer changes, secrets stay out."""

from __future__ import annotations

import gzip

import pytest
from flask.testing import FlaskClient

GZIP = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.mark.parametrize(
    "path",
    ["/", "/2026-11-30", "/fairness", "/nothing", "/sw.js", "/verify.py", "/commitments.txt"],
)  # fmt: skip
def test_what_is_read_comes_compressed_and_is_the_same(client: FlaskClient, path: str) -> None:
    plain, packed = client.get(path), client.get(path, headers=GZIP)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert len(packed.data) == packed.content_length < len(plain.data)
    assert (packed.status_code, packed.content_type) == (plain.status_code, plain.content_type)
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.headers["Vary"]
    if path != "/":  # each copy of it carries another fresh player
        assert gzip.decompress(packed.data) == plain.data


@pytest.mark.parametrize("path", ["/healthz", "/robots.txt", "/manifest.webmanifest"])
def test_what_fits_a_packet_stays_as_it_is(client: FlaskClient, path: str) -> None:
    assert "Content-Encoding" not in client.get(path, headers=GZIP).headers


def test_who_refuses_gzip_gets_none(client: FlaskClient) -> None:
    answer = client.get("/fairness", headers={"Accept-Encoding": "gzip;q=0, br"})
    assert "Content-Encoding" not in answer.headers


def test_a_head_has_no_body_and_the_same_headers(client: FlaskClient) -> None:
    asked, got = client.head("/privacy", headers=GZIP), client.get("/privacy", headers=GZIP)
    assert asked.data == b""
    assert asked.headers["Content-Length"] == got.headers["Content-Length"]


def test_a_token_is_never_compressed(client: FlaskClient) -> None:
    name = {"name": "Mia"}
    answer = client.post("/api/v1/players", json=name, headers=GZIP)
    assert "token" in answer.get_json()
    assert "Content-Encoding" not in answer.headers


def test_the_value_that_makes_a_player_is_another_one_in_every_answer(
    client: FlaskClient,
) -> None:
    def secret() -> str:
        return client.get("/").text.partition('name="player" value="')[2].partition('"')[0]

    values = {secret() for _ in range(5)}
    assert len(values) == 5
    assert all(len(value) > 40 for value in values)
    # Not only the signature differs: no two share a beginning worth guessing.
    assert len({value[:4] for value in values}) == 5


def test_json_is_left_as_it_is(client: FlaskClient) -> None:
    answer = client.get("/api/v1/rulesets", headers=GZIP)
    assert "Content-Encoding" not in answer.headers
    assert answer.get_json()["default"] == "yacht"
