"""Forged players and hostile names: refused, and nothing changed in Redis."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import pytest
from itsdangerous import TimestampSigner

from challenge.service.services import Services
from tests.api.contract import Api, board, game, problem

ROLL = game(tail="roll")
ME = "/api/v1/me"
PLAYERS = "/api/v1/players"


def other_character(value: str, at: int) -> str:
    """The value with one character changed; a middle one, since the last has spare bits."""
    return value[:at] + ("A" if value[at] != "A" else "B") + value[at + 1 :]


def signer(keys: Sequence[bytes], salt: str) -> TimestampSigner:
    """What signs like the product does, but for the salt or the keys."""
    return TimestampSigner(
        list(keys), salt=salt, key_derivation="hmac", digest_method=hashlib.sha256
    )


def forgeries(token: str, keys: Sequence[bytes]) -> dict[str, str]:
    """Values that look like a player's and are none."""
    player, stamp, signature = token.rsplit(".", 2)
    middle = len(player) + len(stamp) + 2 + len(signature) // 2
    foreign = ("samedice.fresh", "samedice.invite", "samedice.transfer", "samedice.result", "")
    return {
        "the signature altered": other_character(token, middle),
        "the player altered": other_character(token, len(player) // 2),
        "the time altered": other_character(token, len(player) + 2),
        "truncated": token[:-5],
        "without its signature": f"{player}.{stamp}",
        "the player alone": player,
        "an empty signature": f"{player}.{stamp}.",
        "two signatures": f"{token}.{signature}",
        "a signature of another key": signer([b"x" * 32], "samedice.player").sign(player).decode(),
        "no player under a good signature": signer(keys, "samedice.player").sign("Eve").decode(),
        "nothing": "",
        "dots": "...",
        "10,000 characters": token * 100,
        "no ASCII": token[:-5] + "éééé",
        **{f"the salt {salt!r}": signer(keys, salt).sign(player).decode() for salt in foreign},
    }


KINDS = list(forgeries("a.b.c" * 9, [b"k" * 32]))


def test_the_forger_signs_like_the_product_but_for_what_it_forges(
    seated: Api, services: Services
) -> None:
    value = signer(services.signing_keys, "samedice.player").sign(seated.player).decode()
    assert Api(seated.client, value).get(ME).json["player"]["id"] == seated.player


@pytest.mark.parametrize("way", ["bearer", "cookie"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_forged_player(
    seated: Api, services: Services, unchanged: None, kind: str, way: str
) -> None:
    assert seated.token
    value = forgeries(seated.token, services.signing_keys)[kind]
    headers = (
        {"Authorization": f"Bearer {value}"}
        if way == "bearer"
        else {"Cookie": f"samedice_player={value}", "Sec-Fetch-Site": "same-origin"}
    )
    nobody = Api(seated.client)
    problem(nobody.get(ME, headers=headers), "not-signed", 401)
    problem(nobody.patch(ME, {"name": "Eve"}, headers=headers), "not-signed", 401)
    problem(nobody.post(game(), headers=headers), "not-signed", 401)
    problem(nobody.post(ROLL, {"ply": 1, "hold": []}, headers=headers), "not-signed", 401)
    problem(nobody.get(board(tail="leaderboard?around=me"), headers=headers), "not-signed", 401)


def test_a_forged_player_reads_what_everybody_reads(seated: Api) -> None:
    response = Api(seated.client, "forged.forged.forged").get(board(tail="leaderboard"))
    assert (response.status_code, response.json["me"]) == (200, None)


NAMES = {
    "nothing": "",
    "a blank": " ",
    "zero width": "\u200b",
    "zero width inside": "Mi\u200ba",
    "joiners": "\u200d\u200c",
    "10,000 characters": "x" * 10_000,
    "3,000 characters": "x" * 3_000,
    "25 characters": "x" * 25,
    "direction marks": "\u202eaiM",
    "isolates": "\u2066Mia\u2069",
    "stacked accents": "Z" + "\u0301" * 30 + "a",
    "an accent first": "\u0301a",
    "an accent first once normalised": "\u00b4<",
    "accents alone": "\u0301\u0301",
    "a control": "Mi\x07a",
    "a null": "Mi\x00a",
    "a line break": "Mi\na",
    "a tab": "Mi\ta",
    "a soft hyphen": "Mi\u00ada",
    "a braille blank": "\u2800",
    "hangul fillers": "\u3164\u3164",
    "tags": "Mia\U000e0041",
    "private use": "\ue000",
    "unassigned": "\U000e0fff",
    "variation selectors": "\ufe0f",
}


@pytest.mark.parametrize("kind", NAMES)
def test_a_hostile_name(seated: Api, unchanged: None, kind: str) -> None:
    slug, status = ("too-large", 413) if kind.startswith("10,000") else ("bad-request", 400)
    problem(seated.patch(ME, {"name": NAMES[kind]}), slug, status)
    problem(seated.post(PLAYERS, {"name": NAMES[kind]}), slug, status)


@pytest.mark.parametrize("name", [None, 1, True, 1.5, [], ["Mia"], {"name": "Mia"}])
def test_a_name_that_is_no_text(seated: Api, unchanged: None, name: Any) -> None:
    problem(seated.patch(ME, {"name": name}), "bad-request", 400)
    problem(seated.post(PLAYERS, {"name": name}), "bad-request", 400)


def test_markup_in_a_name_is_text_like_any_other(seated: Api) -> None:
    name = "<b onclick=x>&amp;"
    assert seated.patch(ME, {"name": name}).json["player"]["name"].startswith(f"{name}·")
