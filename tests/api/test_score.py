"""POST …/game/score."""

from __future__ import annotations

import pytest

from tests.api.contract import Api, game, play, problem

ROLL = game(tail="roll")
SCORE = game(tail="score")


@pytest.fixture
def rolled(mia: Api) -> Api:
    """A player with five dice on the table."""
    mia.post(game())
    mia.post(ROLL, {"ply": 0, "hold": []})
    return mia


def scores(view: dict) -> dict[str, int]:
    """The filled boxes."""
    return {box["box"]: box["score"] for box in view["boxes"] if box["score"] is not None}


def test_an_entry_fills_its_box_and_ends_the_turn(rolled: Api) -> None:
    dice = rolled.get(game()).json["dice"]
    view = rolled.post(SCORE, {"ply": 1, "box": "chance"}).json
    assert scores(view) == {"chance": sum(dice)}
    assert (view["ply"], view["round"], view["dice"], view["held"]) == (2, 2, None, [])
    assert view["total"] == sum(dice)


def test_the_triple_sheet_names_its_columns(mia: Api) -> None:
    url = game(ruleset="yacht-triple")
    mia.post(url)
    dice = mia.post(f"{url}/roll", {"ply": 0, "hold": []}).json["dice"]
    problem(mia.post(f"{url}/score", {"ply": 1, "box": "chance"}), "bad-request", 400)
    view = mia.post(f"{url}/score", {"ply": 1, "box": "3:chance"}).json
    assert scores(view) == {"3:chance": sum(dice)}
    assert view["total"] == 3 * sum(dice)
    assert len(view["upper"]) == len(view["extra"]) == 3


def test_scoring_before_the_first_roll_is_illegal(mia: Api) -> None:
    mia.post(game())
    response = mia.post(SCORE, {"ply": 0, "box": "chance"})
    problem(response, "illegal-action", 422, reason="roll_first")


def test_a_filled_box_is_illegal(rolled: Api) -> None:
    rolled.post(SCORE, {"ply": 1, "box": "chance"})
    rolled.post(ROLL, {"ply": 2, "hold": []})
    response = rolled.post(SCORE, {"ply": 3, "box": "chance"})
    problem(response, "illegal-action", 422, reason="box_filled")


def test_a_barred_box_is_illegal(mia: Api) -> None:
    url = game(ruleset="yatzy-order")
    mia.post(url)
    mia.post(f"{url}/roll", {"ply": 0, "hold": []})
    response = mia.post(f"{url}/score", {"ply": 1, "box": "sixes"})
    problem(response, "illegal-action", 422, reason="box_barred")


def test_a_finished_game_takes_no_entry(mia: Api) -> None:
    ply = play(mia)["ply"]
    response = mia.post(SCORE, {"ply": ply, "box": "chance"})
    problem(response, "illegal-action", 422, reason="game_finished")


@pytest.mark.parametrize("box", ["", "nope", "Chance", "chance ", "1:chance", "0", "x" * 40])
def test_an_unknown_box_is_a_bad_request(rolled: Api, box: str) -> None:
    problem(rolled.post(SCORE, {"ply": 1, "box": box}), "bad-request", 400)


def test_the_same_entry_again_answers_with_the_game_as_it_is(rolled: Api) -> None:
    first = rolled.post(SCORE, {"ply": 1, "box": "chance"})
    again = rolled.post(SCORE, {"ply": 1, "box": "chance"})
    assert first.status_code == again.status_code == 200
    assert first.json == again.json


def test_another_entry_at_a_ply_taken_is_a_conflict_with_the_game(rolled: Api) -> None:
    now = rolled.post(SCORE, {"ply": 1, "box": "chance"}).json
    response = rolled.post(SCORE, {"ply": 1, "box": "ones"})
    problem(response, "ply-conflict", 409, game=now)
    assert rolled.get(game()).json == now


def test_a_retry_of_the_last_entry_answers_with_the_finished_game(mia: Api) -> None:
    end = play(mia, ruleset="generala")
    url = game(ruleset="generala", tail="score")
    last = next(box["box"] for box in reversed(end["boxes"]))
    response = mia.post(url, {"ply": end["ply"] - 1, "box": last})
    assert (response.status_code, response.json) == (200, end)


def test_another_entry_in_place_of_the_last_one_is_a_conflict(mia: Api) -> None:
    end = play(mia, ruleset="generala")
    url = game(ruleset="generala", tail="score")
    response = mia.post(url, {"ply": end["ply"] - 1, "box": end["boxes"][0]["box"]})
    problem(response, "ply-conflict", 409, game=end)


def test_shape_comes_before_the_missing_game_and_the_ply_before_the_rules(mia: Api) -> None:
    problem(mia.post(SCORE, {"ply": 0, "box": "nope"}), "bad-request", 400)
    problem(mia.post(SCORE, {"ply": 0, "box": "chance"}), "not-found", 404)
    mia.post(game())
    problem(mia.post(SCORE, {"ply": 7, "box": "nope"}), "bad-request", 400)
    problem(mia.post(SCORE, {"ply": 7, "box": "chance"}), "ply-conflict", 409, game=...)
    response = mia.post(SCORE, {"ply": 0, "box": "chance"})
    problem(response, "illegal-action", 422, reason="roll_first")


def test_the_upper_bonus_is_awarded_at_its_threshold_and_not_before(mia: Api) -> None:
    view = play(mia)
    for column in view["upper"]:
        reached = column["sum"] >= column["threshold"]
        assert column["awarded"] == (column["points"] if reached else 0)
    upper, extra = view["upper"][0], view["extra"][0]
    assert view["total"] == sum(scores(view).values()) + upper["awarded"] + extra["points"]
