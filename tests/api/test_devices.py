"""One player on several devices: transfer codes, the recovery code, signing out everywhere."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
import redis
from flask import Flask

from challenge.errors import NotFound, NotSigned, StoreUnavailable
from challenge.service.services import Services
from tests.api.contract import Api, game, play, problem
from tests.api.dump import dump
from tests.api.racers import Call, Racers
from tests.conftest import Clock

OFFER, TAKE = "/api/v1/me/transfer", "/api/v1/transfer"
RECOVERY, SIGN_OUT = "/api/v1/me/recovery", "/api/v1/me/sign-out"


def offered(api: Api) -> str:
    """A transfer code of a player."""
    response = api.post(OFFER)
    assert response.status_code == 201, response.text
    return str(response.json["code"])


def written_down(api: Api) -> str:
    """A recovery code of a player."""
    response = api.post(RECOVERY)
    assert response.status_code == 201, response.text
    return str(response.json["code"])


def taken(api: Api, code: str) -> Api:
    """Another device, on which the code was entered."""
    response = Api(api.client).post(TAKE, {"code": code})
    assert response.status_code == 200, response.text
    return Api(api.client, response.json["token"], response.json["player"]["id"])


def wrong(api: Api, code: str) -> bytes:
    """The answer to a code that is not valid."""
    response = Api(api.client).post(TAKE, {"code": code})
    problem(response, "not-found", 404)
    return bytes(response.data)


# -- transfer ----------------------------------------------------------------------------


def test_a_transfer_in_mid_game_makes_one_player_of_two_devices(mia: Api) -> None:
    begun = play(mia, turns=2)
    phone = taken(mia, offered(mia))
    assert phone.player == mia.player
    assert phone.get(game()).json == begun
    further = play(phone, turns=3)
    assert mia.get(game()).json == further
    assert play(mia)["finished"]
    assert phone.get(game()).json == mia.get(game()).json


def test_an_offer_is_a_code_a_link_and_ten_minutes(mia: Api) -> None:
    offer = mia.post(OFFER).json
    assert offer["expires_at"] == "2026-11-30T12:10:00Z"
    assert re.fullmatch(r"[0-9a-z]{4}-[0-9a-z]{4}", offer["code"])
    link = urlsplit(offer["url"])
    assert link.path.startswith("/transfer/")
    assert mia.client.get(link.path).status_code == 200


def test_the_second_use_the_eleventh_minute_and_a_guess_fail_alike(mia: Api, clock: Clock) -> None:
    used, late = offered(mia), ""
    taken(mia, used)
    answers = {wrong(mia, used), wrong(mia, "0000-0000"), wrong(mia, "abc"), wrong(mia, "")}
    late = offered(mia)
    clock.forward(minutes=10)
    answers |= {wrong(mia, late), wrong(mia, "x" * 300), wrong(mia, "ü" * 8)}
    answers |= {wrong(mia, "0000-0000-0000-0000-0000")}
    assert len(answers) == 1


def test_a_code_is_good_until_the_last_second(mia: Api, clock: Clock) -> None:
    code = offered(mia)
    clock.forward(minutes=9, seconds=59)
    assert taken(mia, code).player == mia.player


def test_another_code_voids_the_one_before(mia: Api) -> None:
    first, second = offered(mia), offered(mia)
    wrong(mia, first)
    assert taken(mia, second).player == mia.player


def test_a_code_is_forgiven_its_case_its_spaces_and_letters_that_look_like_digits(
    mia: Api, services: Services
) -> None:
    for spoken in (str.upper, lambda c: c.replace("-", " "), lambda c: f"\t{c.replace('-', '')} "):
        assert taken(mia, spoken(offered(mia))).player == mia.player
    look = services.devices.look
    code = written_down(mia)
    for letters in ("o", "O"):
        assert look(code.replace("0", letters), services.clock()).player.id == mia.player
    for letters in ("i", "I", "l", "L"):
        assert look(code.replace("1", letters), services.clock()).player.id == mia.player


def test_a_code_of_the_transfer_needs_a_player(api: Api) -> None:
    for url in (OFFER, RECOVERY, SIGN_OUT):
        problem(api.post(url), "not-signed", 401)


def test_the_body_is_a_code_and_nothing_else(api: Api, unchanged: None) -> None:
    for body in ({}, {"code": 5}, {"code": "a", "player": "b"}, []):
        problem(api.post(TAKE, body), "bad-request", 400)


def test_taking_a_code_sets_no_cookie(mia: Api, app: Flask) -> None:
    client = app.test_client()
    response = client.post(TAKE, json={"code": offered(mia)})
    assert response.status_code == 200
    assert "Set-Cookie" not in response.headers
    assert response.headers["Cache-Control"] == "no-store"


# -- recovery ----------------------------------------------------------------------------


def test_a_recovery_code_brings_a_player_back_any_number_of_times(mia: Api, clock: Clock) -> None:
    code = written_down(mia)
    clock.forward(days=500)
    assert [taken(mia, code).player for _ in range(3)] == [mia.player] * 3


def test_a_renewed_recovery_code_voids_the_one_before(mia: Api) -> None:
    first, second = written_down(mia), written_down(mia)
    assert wrong(mia, first) == wrong(mia, "0000-0000")
    assert taken(mia, second).player == mia.player


def test_a_recovery_code_outlives_signing_out_everywhere(mia: Api) -> None:
    code = written_down(mia)
    mia.post(SIGN_OUT)
    back = taken(mia, code)
    assert back.get("/api/v1/me").json["player"]["id"] == mia.player


# -- signing out -------------------------------------------------------------------------


def test_signing_out_voids_every_other_token_and_open_code(mia: Api) -> None:
    phone, code = taken(mia, offered(mia)), offered(mia)
    token = mia.post(SIGN_OUT).json["token"]
    for old in (mia, phone):
        problem(old.get("/api/v1/me"), "not-signed", 401)
        problem(old.post(game()), "not-signed", 401)
    wrong(mia, code)
    here = Api(mia.client, token)
    assert here.get("/api/v1/me").json["player"]["id"] == mia.player
    assert play(here)["finished"]
    assert taken(here, offered(here)).player == mia.player


# -- what lies in the store --------------------------------------------------------------


def test_a_browser_that_signs_out_everywhere_stays_in(mia: Api, app: Flask) -> None:
    browser = app.test_client()
    browser.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    browser.set_cookie("samedice_player", mia.token or "")
    assert browser.post(SIGN_OUT).status_code == 200
    assert browser.get("/api/v1/me").json["player"]["id"] == mia.player
    problem(mia.get("/api/v1/me"), "not-signed", 401)


def test_no_code_lies_in_the_store_as_it_is(mia: Api, valkey_url: str) -> None:
    codes = [offered(mia), written_down(mia)]
    held = repr(dump(valkey_url))
    for code in codes:
        assert code not in held
        assert code.replace("-", "") not in held


def test_codes_that_were_replaced_leave_nothing_behind(mia: Api, valkey: redis.Redis) -> None:
    for _ in range(3):
        offered(mia)
        written_down(mia)
    assert len(list(valkey.scan_iter("sd1:{t:*"))) == 1
    (kept,) = valkey.scan_iter("sd1:{r:*")
    assert valkey.ttl(kept) == -1


def test_erasure_takes_every_code_along(mia: Api, services: Services, valkey_url: str) -> None:
    codes = [offered(mia), written_down(mia)]
    services.erasure.erase(mia.player)
    assert mia.player not in repr(dump(valkey_url))
    assert len({wrong(mia, code) for code in codes}) == 1


@pytest.mark.parametrize("act", ["transfer", "recovery", "sign_out"])
def test_what_is_made_for_a_player_just_erased_is_erased_again(
    mia: Api, services: Services, valkey_url: str, act: str
) -> None:
    services.erasure.erase(mia.player)
    make = getattr(services.devices, act)
    with pytest.raises(NotSigned):
        make(mia.player, *{"transfer": (0, services.clock()), "sign_out": (0,)}.get(act, ()))
    services.erasure.resume()
    assert mia.player not in repr(dump(valkey_url))


# -- races -------------------------------------------------------------------------------


def test_of_devices_that_enter_one_code_at_one_moment_one_gets_it(
    mia: Api, valkey_url: str
) -> None:
    with Racers(valkey_url, 3) as racers:
        for _ in range(8):
            call = Call(str(mia.token), TAKE, {"code": offered(mia)})
            answers = racers.race([call] * 3)
            assert sorted(answer.status for answer in answers) == [200, 404, 404]


def test_of_codes_made_at_one_moment_the_last_one_alone_is_valid(
    mia: Api, services: Services, valkey: redis.Redis
) -> None:
    with ThreadPoolExecutor(4) as threads:
        codes = list(threads.map(lambda _: services.devices.recovery(mia.player), range(12)))
    assert len(list(valkey.scan_iter("sd1:{r:*"))) == 1
    valid = [code for code in codes if _leads(services, code)]
    assert len(valid) == 1


def _leads(services: Services, code: str) -> bool:
    try:
        services.devices.look(code, services.clock())
    except NotFound:
        return False
    return True


@pytest.mark.parametrize("make", ["transfer", "recovery"])
def test_a_code_whose_making_broke_off_ends_by_itself_and_is_not_said_to_be_there(
    mia: Api, services: Services, valkey: redis.Redis, monkeypatch: pytest.MonkeyPatch, make: str
) -> None:
    """Nobody has seen it, and the code before stays valid."""

    def away(*_: object) -> None:
        raise StoreUnavailable("away")

    monkeypatch.setattr(services.store.devices, "_renew", away)
    problem(mia.post(f"/api/v1/me/{make}"), "store-unavailable", 503)
    (key,) = valkey.scan_iter(match=f"sd1:{{{make[0]}:*")
    assert 0 < valkey.ttl(key) <= 10
    assert mia.get("/api/v1/me/export").json["recovery_code"] is False


@pytest.mark.parametrize("step", ["_renew", "_drop"])
@pytest.mark.parametrize("make", ["transfer", "recovery"])
def test_an_erasure_finds_codes_whose_making_broke_off(
    mia: Api,
    services: Services,
    valkey_url: str,
    monkeypatch: pytest.MonkeyPatch,
    make: str,
    step: str,
) -> None:
    def away(*_: object) -> None:
        raise StoreUnavailable("away")

    assert mia.post(f"/api/v1/me/{make}").status_code == 201
    with monkeypatch.context() as patched:
        patched.setattr(services.store.devices, step, away)
        problem(mia.post(f"/api/v1/me/{make}"), "store-unavailable", 503)
    assert mia.post(f"/api/v1/me/{make}").status_code == 201
    assert mia.call("DELETE", "/api/v1/me").status_code == 204
    assert mia.player not in str(dump(valkey_url))


def test_a_recovery_code_that_ended_half_made_is_none(mia: Api, valkey: redis.Redis) -> None:
    written_down(mia)
    assert mia.get("/api/v1/me/export").json["recovery_code"] is True
    valkey.delete(*valkey.scan_iter(match="sd1:{r:*"))
    assert mia.get("/api/v1/me/export").json["recovery_code"] is False
