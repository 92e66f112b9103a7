"""GET …/leaderboard."""

from __future__ import annotations

import pytest

from tests.api.contract import Api, board, play, problem

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


@pytest.mark.parametrize("limit", [1, 4, 7, 23, 100])
def test_pages_never_repeat_or_skip_a_player(
    crowd: list[tuple[int, str]], api: Api, limit: int
) -> None:
    whole = api.get(f"{URL}?limit=100").json["entries"]
    pages = []
    for offset in range(0, 23, limit):
        page = api.get(f"{URL}?limit={limit}&offset={offset}").json
        assert (page["offset"], page["limit"], page["players"]) == (offset, limit, 23)
        pages += page["entries"]
    assert pages == whole
    assert [entry["player"] for entry in pages] == [id for _, id in crowd]


def test_a_rank_never_depends_on_paging(crowd: list[tuple[int, str]], api: Api) -> None:
    whole = api.get(URL).json["entries"]
    for offset in range(23):
        (entry,) = api.get(f"{URL}?limit=1&offset={offset}").json["entries"]
        assert entry == whole[offset]


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
    assert len(page["entries"]) == 5
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


def test_an_unknown_board_is_a_problem(api: Api) -> None:
    problem(api.get(board(ruleset="nope", tail="leaderboard")), "unknown-ruleset", 404)
    problem(api.get(board("2025-01-01", tail="leaderboard")), "not-found", 404)
    problem(
        api.get(board("2026-12-24", tail="leaderboard")),
        "not-open-yet",
        403,
        opens_at="2026-12-24T00:00:00Z",
    )
