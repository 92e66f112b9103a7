"""The whole service on every topology: days, games, boards, groups, devices, erasure."""

from __future__ import annotations

import pytest

from challenge.web import create_app
from tests.api.contract import Api, game
from tests.store.test_waiting import play_out

BOARD = "/api/v1/challenges/today/yacht"


@pytest.fixture(params=["1", "3"])
def use(request: pytest.FixtureRequest, make_services):
    """Services with boards of one shard and of three."""
    return make_services(CHALLENGE_BOARD_SHARDS=request.param)


@pytest.fixture
def api(use) -> Api:
    """A caller of the API."""
    return Api(create_app(use).test_client(use_cookies=False))


def test_a_day_with_friends_from_the_first_roll_to_the_erasure(use, api: Api, clock):
    mia, ada, eve = (api.signed(name) for name in ("Mia", "Ada", "Eve"))
    for player in (mia, ada):
        play_out(player)
    eve.post(game())
    board = mia.get(f"{BOARD}/leaderboard").json
    assert (board["players"], {row["name"][:3] for row in board["entries"]}) == (2, {"Mia", "Ada"})
    assert board["me"]["rank"] == mia.get(game()).json["standing"]["rank"]
    assert mia.get(f"{BOARD}/distribution").json["players"] == 2

    group = mia.post("/api/v1/groups", {"name": "Friends"}).json
    invite = group["invite_url"].rsplit("/", 1)[1]
    assert ada.post("/api/v1/groups/join", {"invite": invite}).status_code == 200
    url = f"{BOARD}/leaderboard?group={group['id']}"
    assert mia.get(url).json["players"] == 2

    code = mia.post("/api/v1/me/transfer").json["code"]
    moved = api.post("/api/v1/transfer", {"code": code})
    assert moved.json["player"]["name"][:3] == "Mia"
    assert api.post("/api/v1/transfer", {"code": code}).status_code == 404

    use.worker.round()
    for player in (mia, ada):
        stats = player.get("/api/v1/me/stats").json
        assert (stats["played"], stats["streak"]["current"]) == (1, 1)
    assert ada.get("/api/v1/me/export").status_code == 200
    assert ada.delete("/api/v1/me").status_code in (200, 204)
    assert ada.get("/api/v1/me").status_code == 401
    assert mia.get(f"{BOARD}/distribution").json["players"] == 1
    assert mia.get(url).json["players"] == 1

    clock.forward(hours=30)
    use.worker.round()
    closed = f"/api/v1/challenges/{board_day()}/yacht"
    assert mia.get(f"{closed}/leaderboard").json["me"]["rank"] == 1
    assert mia.get(f"/api/v1/challenges/{board_day()}").status_code == 200
    assert not use.store.players.erasing()


def board_day() -> str:
    """The day the games were played."""
    return "2026-11-30"


def test_pages_are_shown_and_played(use):
    browser = create_app(use).test_client()
    for page in ("/", "/2026-11-30/yacht", "/2026-11-30/yacht/leaderboard", "/me"):
        answer = browser.get(page, follow_redirects=True)
        assert answer.status_code == 200, page
    assert browser.get("/readyz").status_code == 200
