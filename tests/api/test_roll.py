"""POST …/game/roll."""

from __future__ import annotations

import pytest

from tests.api.contract import Api, game, play, problem

ROLL = game(tail="roll")
SCORE = game(tail="score")


@pytest.fixture
def begun(mia: Api) -> Api:
    """A player who has begun today's game."""
    mia.post(game())
    return mia


def test_the_first_roll_throws_all_dice(begun: Api) -> None:
    view = begun.post(ROLL, {"ply": 0, "hold": []}).json
    assert (view["ply"], view["rolls_used"], view["rolls_left"]) == (1, 1, 2)
    assert len(view["dice"]) == 5
    assert view["held"] == []
    assert all(box["legal"] for box in view["boxes"])


def test_held_positions_keep_their_dice_in_place(begun: Api) -> None:
    before = begun.post(ROLL, {"ply": 0, "hold": []}).json["dice"]
    view = begun.post(ROLL, {"ply": 1, "hold": [3, 1]}).json
    assert view["held"] == [1, 3]
    assert [view["dice"][i] for i in (1, 3)] == [before[i] for i in (1, 3)]


def test_what_is_held_never_changes_what_the_stream_deals(api: Api) -> None:
    thrown = []
    for hold in ([], [0], [4, 2]):
        player = api.signed()
        player.post(game())
        player.post(ROLL, {"ply": 0, "hold": []})
        view = player.post(ROLL, {"ply": 1, "hold": hold}).json
        thrown.append({i: die for i, die in enumerate(view["dice"]) if i not in hold})
    assert all(thrown[0][i] == die for other in thrown for i, die in other.items())


def test_a_player_who_stops_early_reads_the_next_block(api: Api) -> None:
    early, late = api.signed(), api.signed()
    for player in (early, late):
        player.post(game())
        player.post(ROLL, {"ply": 0, "hold": []})
    early.post(SCORE, {"ply": 1, "box": "chance"})
    second_of_early = early.post(ROLL, {"ply": 2, "hold": []}).json["dice"]
    assert second_of_early == late.post(ROLL, {"ply": 1, "hold": []}).json["dice"]


def test_six_dice_have_a_sixth_position(mia: Api) -> None:
    url = game(ruleset="maxi-yatzy")
    mia.post(url)
    mia.post(f"{url}/roll", {"ply": 0, "hold": []})
    view = mia.post(f"{url}/roll", {"ply": 1, "hold": [5]}).json
    assert (view["held"], len(view["dice"])) == ([5], 6)


def test_saved_rolls_are_rolled_later(mia: Api) -> None:
    url = game(ruleset="maxi-yatzy-saved")
    mia.post(url)
    mia.post(f"{url}/roll", {"ply": 0, "hold": []})
    view = mia.post(f"{url}/score", {"ply": 1, "box": "chance"}).json
    assert (view["bank"], view["rolls_left"]) == (2, 5)
    for ply in range(2, 7):
        view = mia.post(f"{url}/roll", {"ply": ply, "hold": []}).json
    assert view["rolls_left"] == 0
    refused = mia.post(f"{url}/roll", {"ply": 7, "hold": []})
    problem(refused, "illegal-action", 422, reason="no_rolls_left")


def test_a_hold_on_a_first_roll_is_illegal(begun: Api) -> None:
    response = begun.post(ROLL, {"ply": 0, "hold": [2]})
    problem(response, "illegal-action", 422, reason="first_roll_takes_all_dice")


def test_a_hold_on_the_first_roll_of_a_later_turn_is_illegal(begun: Api) -> None:
    ply = play(begun, turns=2)["ply"]
    response = begun.post(ROLL, {"ply": ply, "hold": [0]})
    problem(response, "illegal-action", 422, reason="first_roll_takes_all_dice")


def test_holding_every_die_is_illegal(begun: Api) -> None:
    begun.post(ROLL, {"ply": 0, "hold": []})
    response = begun.post(ROLL, {"ply": 1, "hold": [0, 1, 2, 3, 4]})
    problem(response, "illegal-action", 422, reason="nothing_to_roll")


def test_a_fourth_roll_is_illegal(begun: Api) -> None:
    for ply in range(3):
        begun.post(ROLL, {"ply": ply, "hold": []})
    response = begun.post(ROLL, {"ply": 3, "hold": [0]})
    problem(response, "illegal-action", 422, reason="no_rolls_left")


def test_a_finished_game_takes_no_roll(begun: Api) -> None:
    ply = play(begun)["ply"]
    response = begun.post(ROLL, {"ply": ply, "hold": []})
    problem(response, "illegal-action", 422, reason="game_finished")


@pytest.mark.parametrize("hold", [[5], [-1], [0, 0], [1, 2, 1], [64], list(range(6))])
def test_a_position_out_of_range_or_twice_is_a_bad_request(begun: Api, hold: list[int]) -> None:
    begun.post(ROLL, {"ply": 0, "hold": []})
    problem(begun.post(ROLL, {"ply": 1, "hold": hold}), "bad-request", 400)


def test_the_same_roll_again_answers_with_the_game_as_it_is(begun: Api) -> None:
    first = begun.post(ROLL, {"ply": 0, "hold": []})
    again = begun.post(ROLL, {"ply": 0, "hold": []})
    assert first.status_code == again.status_code == 200
    assert first.json == again.json


def test_a_late_retry_answers_with_the_game_as_it_has_become(begun: Api) -> None:
    begun.post(ROLL, {"ply": 0, "hold": []})
    now = begun.post(ROLL, {"ply": 1, "hold": [0, 2]}).json
    assert begun.post(ROLL, {"ply": 0, "hold": []}).json == now
    assert begun.post(ROLL, {"ply": 1, "hold": [2, 0]}).json == now


def test_a_retry_on_a_finished_game_does_no_harm(begun: Api) -> None:
    end = play(begun)
    response = begun.post(ROLL, {"ply": 0, "hold": []})
    assert (response.status_code, response.json) == (200, end)


def test_another_roll_at_a_ply_taken_is_a_conflict_with_the_game(begun: Api) -> None:
    begun.post(ROLL, {"ply": 0, "hold": []})
    now = begun.post(ROLL, {"ply": 1, "hold": [0]}).json
    problem(begun.post(ROLL, {"ply": 1, "hold": [1]}), "ply-conflict", 409, game=now)


@pytest.mark.parametrize("ply", [1, 2, 200, 2147483647])
def test_a_ply_ahead_is_a_conflict_with_the_game(begun: Api, ply: int) -> None:
    now = begun.get(game()).json
    problem(begun.post(ROLL, {"ply": ply, "hold": []}), "ply-conflict", 409, game=now)


def test_a_second_tab_cannot_play_another_move_at_the_same_ply(begun: Api) -> None:
    begun.post(ROLL, {"ply": 0, "hold": []})
    now = begun.post(SCORE, {"ply": 1, "box": "chance"}).json
    problem(begun.post(ROLL, {"ply": 1, "hold": [0]}), "ply-conflict", 409, game=now)


def test_shape_comes_before_the_missing_game_and_the_ply_before_the_rules(mia: Api) -> None:
    problem(mia.post(ROLL, {"ply": 0, "hold": [9]}), "bad-request", 400)
    problem(mia.post(ROLL, {"ply": 0, "hold": [1]}), "not-found", 404)
    mia.post(game())
    problem(mia.post(ROLL, {"ply": 7, "hold": [9]}), "bad-request", 400)
    problem(mia.post(ROLL, {"ply": 7, "hold": [1]}), "ply-conflict", 409, game=...)
    response = mia.post(ROLL, {"ply": 0, "hold": [1]})
    problem(response, "illegal-action", 422, reason="first_roll_takes_all_dice")


def test_an_archive_game_is_rolled_like_any_other(mia: Api) -> None:
    url = game("2026-06-01")
    mia.post(url)
    assert mia.post(f"{url}/roll", {"ply": 0, "hold": []}).json["mode"] == "archive"
