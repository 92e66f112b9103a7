"""POST /api/v1/players and GET, PATCH /api/v1/me."""

from __future__ import annotations

import pytest

from tests.api.contract import Api, problem

ME = "/api/v1/me"
PLAYERS = "/api/v1/players"


def test_a_player_needs_no_name_and_gets_a_token(api: Api) -> None:
    response = api.post(PLAYERS, {})
    assert response.status_code == 201
    assert response.json["player"]["name"].startswith("Player·")
    assert "Set-Cookie" not in response.headers


def test_a_player_may_be_made_without_any_body(api: Api) -> None:
    assert api.post(PLAYERS).status_code == 201


def test_a_name_is_shown_with_its_tag(api: Api) -> None:
    player = api.post(PLAYERS, {"name": "Mia"}).json["player"]
    assert player["name"].startswith("Mia·")
    assert len(player["name"]) == len("Mia·") + 3


def test_equal_names_differ_by_their_tags(api: Api) -> None:
    names = {api.post(PLAYERS, {"name": "Mia"}).json["player"]["name"] for _ in range(5)}
    assert len(names) > 1


def test_the_token_is_the_player(api: Api) -> None:
    made = api.post(PLAYERS, {"name": "Mia"}).json
    me = Api(api.client, made["token"]).get(ME)
    assert me.json == {"player": made["player"]}
    assert me.headers["Cache-Control"] == "no-store"


def test_the_cookie_carries_the_same_value_as_the_token(api: Api) -> None:
    made = api.post(PLAYERS, {}).json
    response = api.get(ME, headers={"Cookie": f"samedice_player={made['token']}"})
    assert response.json == {"player": made["player"]}


def test_a_name_can_be_changed(mia: Api) -> None:
    renamed = mia.patch(ME, {"name": "Mia Maria"}).json["player"]
    assert renamed["name"].startswith("Mia Maria·")
    assert renamed["id"] == mia.player
    assert mia.get(ME).json["player"] == renamed


def test_the_own_tag_may_be_sent_along(mia: Api) -> None:
    shown = mia.get(ME).json["player"]["name"]
    assert mia.patch(ME, {"name": shown}).json["player"]["name"] == shown


@pytest.mark.parametrize(
    "name", ["Zoë", "Σωκράτης", "李小龙", "R2-D2", "a", "x" * 24, "O'Hara & Co <3"]
)
def test_names_of_any_script_are_kept(mia: Api, name: str) -> None:
    assert mia.patch(ME, {"name": name}).json["player"]["name"].startswith(f"{name}·")


def test_blanks_around_a_name_and_doubled_ones_in_it_are_dropped(mia: Api) -> None:
    renamed = mia.patch(ME, {"name": "  Mia   Maria "}).json["player"]
    assert renamed["name"].startswith("Mia Maria·")


def test_me_needs_a_player(api: Api) -> None:
    problem(api.get(ME), "not-signed", 401)
    problem(api.patch(ME, {"name": "Mia"}), "not-signed", 401)


def test_a_bad_name_makes_no_player(api: Api) -> None:
    problem(api.post(PLAYERS, {"name": "\u200b"}), "bad-request", 400)
