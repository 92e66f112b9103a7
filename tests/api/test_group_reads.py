"""Looking at a group writes nothing, whichever day it is."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.api.contract import Api, board, play
from tests.api.dump import dump
from tests.api.friends import at, make_group
from tests.conftest import Clock

NEVER_OPENED = "2026-11-02"
PLAYED = "2026-11-28"


@pytest.fixture
def group(mia: Api, api: Api, clock: Clock) -> str:
    """A group that has played two days ago; nobody has closed that board since."""
    clock.set(f"{PLAYED} 12:00")
    ada = api.signed("Ada")
    for player in (mia, ada):
        play(player, PLAYED, "generala")
    clock.set("2026-11-30 12:00")
    return make_group(mia, ada)


@pytest.mark.parametrize("day", [NEVER_OPENED, PLAYED, "today"])
def test_no_read_of_a_group_opens_or_closes_a_board(
    mia: Api, client: FlaskClient, group: str, valkey_url: str, day: str
) -> None:
    before = dump(valkey_url)
    view = mia.get(f"{at(group)}?date={day}").json
    leaders = mia.get(board(day, "generala", f"leaderboard?group={group}")).json
    other = next(each["player"] for each in view["members"] if not each["me"])
    for tail in ("table", f"versus?b={other}"):
        assert mia.get(at(group, tail)).status_code == 200
    client.set_cookie("samedice_player", mia.token or "")
    for tail in (f"?date={day}", "/versus", "/weeks/2026-W48", "/months/2026-11", "/members"):
        assert client.get(f"/groups/{group}{tail}").status_code == 200
    assert dump(valkey_url) == before
    assert leaders["players"] == (2 if day == PLAYED else 0)
    if day != "today":
        assert {each["state"] for each in view["boards"]} == {"closed"}
