"""GET …/leaderboard."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from importlib.resources import files

import pytest
import redis

from challenge.game import game as rules
from challenge.game.game import Game
from challenge.game.log import Roll, decode
from challenge.game.rulesets import find
from challenge.game.stream import Stream, seed_of
from challenge.service.services import Services
from challenge.web import create_app
from tests.api.contract import TODAY, Api, board, game, play, problem
from tests.conftest import SECRET

URL = board(ruleset="generala", tail="leaderboard")


def ranks(page: dict) -> list[int]:
    """The ranks of a page in order."""
    return [entry["rank"] for entry in page["entries"]]


@pytest.fixture
def four(api: Api) -> list[tuple[int, Api]]:
    """Four players, best first, the middle two with equal scores."""
    totals = {pick: play(api.signed(), ruleset="yams", pick=pick)["total"] for pick in range(3)}
    assert len(set(totals.values())) == 3
    middle = sorted(totals, key=totals.__getitem__)[1]
    field = []
    for pick in (*totals, middle):
        player = api.signed()
        field.append((play(player, ruleset="generala", pick=pick)["total"], player))
    return sorted(field, key=lambda one: (-one[0], one[1].player))


@pytest.fixture
def crowd(api: Api) -> list[tuple[int, str]]:
    """Twenty-three players with many ties: (score, id) in the order of the board."""
    found = []
    for i in range(23):
        player = api.signed(f"P{i}" if i % 2 else None)
        found.append((play(player, ruleset="generala", pick=i % 4)["total"], player.player))
    return sorted(found, key=lambda one: (-one[0], one[1]))


def test_an_empty_board_has_no_entries(api: Api) -> None:
    assert api.get(URL).json == {
        "players": 0,
        "offset": 0,
        "limit": 50,
        "entries": [],
        "me": None,
    }


def test_equal_scores_share_a_rank_and_the_next_rank_skips(four: list[tuple[int, Api]]) -> None:
    page = four[0][1].get(URL).json
    assert [entry["score"] for entry in page["entries"]] == [score for score, _ in four]
    assert ranks(page) == [1 + sum(s > score for s, _ in four) for score, _ in four]
    assert page["players"] == 4


def test_ties_are_listed_by_id(crowd: list[tuple[int, str]], api: Api) -> None:
    page = api.get(URL).json
    assert [(entry["score"], entry["player"]) for entry in page["entries"]] == crowd


def test_pages_never_repeat_or_skip_a_player_and_never_change_a_rank(
    crowd: list[tuple[int, str]], api: Api
) -> None:
    whole = api.get(f"{URL}?limit=100").json["entries"]
    assert [entry["player"] for entry in whole] == [id for _, id in crowd]
    for limit in (1, 4, 7, 23, 100):
        pages = []
        for offset in range(0, 23, limit):
            page = api.get(f"{URL}?limit={limit}&offset={offset}").json
            assert (page["offset"], page["limit"], page["players"]) == (offset, limit, 23)
            pages += page["entries"]
        assert pages == whole


@pytest.mark.parametrize("offset", [4, 5, 9_999, 10_000])
def test_an_offset_past_the_end_is_empty(four: list[tuple[int, Api]], offset: int) -> None:
    page = four[0][1].get(f"{URL}?offset={offset}").json
    assert (page["entries"], page["players"], page["offset"]) == ([], 4, offset)
    assert page["me"]["rank"] == 1


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=101",
        "limit=-1",
        "limit=abc",
        "limit=",
        "limit=1.0",
        "limit=1e1",
        "limit=%2B5",
        "limit=+5",
        "limit=0x10",
        "limit=%D9%A5",
        "limit=1_0",
        "limit=" + "9" * 400,
        "offset=-1",
        "offset=10001",
        "offset=abc",
        "offset=",
        "offset=" + "9" * 400,
        "around=you",
        "around=",
        "around=ME",
    ],
)
def test_what_is_out_of_range_is_refused_never_clamped(api: Api, query: str) -> None:
    problem(api.get(f"{URL}?{query}"), "bad-request", 400)


def test_the_caller_is_marked_and_placed(four: list[tuple[int, Api]]) -> None:
    for score, player in four:
        page = player.get(URL).json
        assert [e["player"] for e in page["entries"] if e["me"]] == [player.player]
        others = [s for s, other in four if other is not player]
        assert page["me"] == {
            "rank": 1 + sum(s > score for s in others),
            "score": score,
            "beaten": sum(s < score for s in others),
            "tied": sum(s == score for s in others),
        }


def test_a_caller_without_a_finished_game_has_no_place(mia: Api) -> None:
    play(mia, ruleset="generala", turns=3)
    page = mia.get(URL).json
    assert (page["players"], page["entries"], page["me"]) == (0, [], None)


def test_nobody_is_marked_for_an_anonymous_caller(four: list[tuple[int, Api]], api: Api) -> None:
    page = api.get(URL).json
    assert page["me"] is None
    assert not any(entry["me"] for entry in page["entries"])


def test_around_me_shows_the_caller_among_the_neighbours(
    crowd: list[tuple[int, str]], api: Api
) -> None:
    player = api.signed()
    score = play(player, ruleset="generala", pick=1)["total"]
    field = sorted([*crowd, (score, player.player)], key=lambda one: (-one[0], one[1]))
    page = player.get(f"{URL}?around=me&limit=5").json
    assert [e["me"] for e in page["entries"]].count(True) == 1
    expected = field[page["offset"] : page["offset"] + 5]
    assert [(e["score"], e["player"]) for e in page["entries"]] == expected
    assert page["entries"] == player.get(f"{URL}?limit=5&offset={page['offset']}").json["entries"]


def test_around_me_holds_at_both_ends_of_the_board(four: list[tuple[int, Api]]) -> None:
    for _, player in four:
        page = player.get(f"{URL}?around=me&limit=3").json
        assert player.player in [entry["player"] for entry in page["entries"]]


def test_around_me_needs_a_player(api: Api) -> None:
    problem(api.get(f"{URL}?around=me"), "not-signed", 401)


def test_names_are_shown_with_their_tags(api: Api) -> None:
    mia = api.signed("Mia")
    play(mia, ruleset="generala")
    (entry,) = api.get(URL).json["entries"]
    assert entry["name"] == mia.get("/api/v1/me").json["player"]["name"]


def line_to_zero(state: Game, stream: Stream) -> Game | None:
    """A game from ``state`` on that ends with 0 points, found by trying; None where none is."""
    if state.finished:
        return state
    for _ in range(state.rolls_left):
        state = rules.roll(state, stream, 0)
        for box in rules.legal_boxes(state):
            after = rules.score(state, box)
            found = line_to_zero(after, stream) if after.total == 0 else None
            if found is not None:
                return found
    return None


def test_a_score_of_0_is_shown(mia: Api, api: Api) -> None:
    sheet = find("generala")
    stream = Stream(seed_of(SECRET.encode(), date.fromisoformat(TODAY), sheet.id))
    zero = line_to_zero(rules.start(sheet), stream)
    assert zero is not None
    url = game(ruleset=sheet.id)
    mia.post(url)
    for ply, action in enumerate(map(decode, zero.log)):
        if isinstance(action, Roll):
            mia.post(f"{url}/roll", {"ply": ply, "hold": []})
        else:
            mia.post(f"{url}/score", {"ply": ply, "box": sheet.boxes[action.box].id})
    other = api.signed()
    best = play(other, ruleset=sheet.id)["total"]
    page = mia.get(URL).json
    assert [(e["rank"], e["score"], e["me"]) for e in page["entries"]] == [
        (1, best, False),
        (2, 0, True),
    ]
    assert page["me"] == {"rank": 2, "score": 0, "beaten": 0, "tied": 0}
    assert api.get(board(ruleset="generala", tail="distribution")).json["bins"][0]["score"] == 0


def test_a_board_of_several_shards_is_one_board(make_services: Callable[..., Services]) -> None:
    client = create_app(make_services(CHALLENGE_BOARD_SHARDS="5")).test_client(use_cookies=False)
    api = Api(client)
    players = [api.signed() for _ in range(17)]
    field = sorted(
        ((play(p, ruleset="generala", pick=i % 3)["total"], p) for i, p in enumerate(players)),
        key=lambda one: (-one[0], one[1].player),
    )
    whole = api.get(f"{URL}?limit=100").json
    assert whole["players"] == 17
    assert [(e["score"], e["player"]) for e in whole["entries"]] == [
        (score, player.player) for score, player in field
    ]
    assert ranks(whole) == [1 + sum(s > score for s, _ in field) for score, _ in field]
    pages = [api.get(f"{URL}?limit=4&offset={offset}").json for offset in range(0, 17, 4)]
    assert [entry for page in pages for entry in page["entries"]] == whole["entries"]
    for _, player in field:
        page = player.get(f"{URL}?around=me&limit=5").json
        at = page["offset"]
        plain = player.get(f"{URL}?limit=5&offset={at}").json
        assert page["entries"] == plain["entries"]
        assert sum(entry["me"] for entry in page["entries"]) == 1
        standing = player.get(game(ruleset="generala")).json["standing"]
        assert page["me"]["rank"] == standing["rank"]
    assert api.get(board(ruleset="generala")).json["finished"] == 17


def test_an_unknown_board_is_a_problem(api: Api) -> None:
    problem(api.get(board(ruleset="nope", tail="leaderboard")), "unknown-ruleset", 404)
    problem(api.get(board("2025-01-01", tail="leaderboard")), "not-found", 404)
    problem(
        api.get(board("2026-12-24", tail="leaderboard")),
        "not-open-yet",
        403,
        opens_at="2026-12-24T00:00:00Z",
    )


@pytest.mark.parametrize("locale", ["C", "en_US.UTF-8", "de_DE.UTF-8"])
def test_places_among_ties_do_not_follow_the_locale_of_the_server(
    valkey: redis.Redis, locale: str
) -> None:
    before = valkey.config_get("locale-collate")["locale-collate"]
    try:
        valkey.config_set("locale-collate", locale)
    except redis.ResponseError:
        pytest.skip(f"{locale} is not installed")
    ids = sorted(["AAAA", "aaaa", "ABab", "abAB", "-_-_", "0000", "Zzzz", "zZZZ"])
    valkey.zadd("ties", dict.fromkeys(ids, -5))
    script = files("challenge.store").joinpath("lua", "position.lua").read_text("utf-8")
    try:
        places = [valkey.eval(script, 1, "ties", -5, id) for id in ids]
    finally:
        valkey.config_set("locale-collate", before)
    assert places == list(range(len(ids)))
