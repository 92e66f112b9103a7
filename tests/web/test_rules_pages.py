"""The pages of rules: every stated score is worked out again by the second engine."""

from __future__ import annotations

import re

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient

from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.web.pages.rules import aliases, differences, questions
from challenge.web.pages.rules.examples import Example
from challenge.web.pages.rules.rulebook import Rulebook
from tests.api.dump import written
from tests.game import reference
from tests.marks import long
from tests.web.reader import read

IDS = [ruleset.id for ruleset in rulesets.RULESETS]
EXAMPLE = re.compile(
    r'<td data-box="(\w+)" data-points="(\d+)"><svg[^>]*data-dice="(\d+)".*?</svg> '
    r'<b class="gives"><span class="vh">\w+</span> (\d+)</b>',
    re.DOTALL,
)
ASKED = re.compile(
    r'<div data-box="(\w+)"><dt>.*?data-dice="(\d+)".*?</svg> <span>(\w+): (\d+) ', re.DOTALL
)


def _above(sheet: reference.Sheet, line: str) -> dict[str, int]:
    """What stands on the sheet so that a line is open and counts."""
    if sheet["order"] == "fixed":
        boxes = reference.box_ids(sheet)
        return dict.fromkeys(boxes[: boxes.index(line)], 0)
    return {"yatzy": 50} if line == "double" else {}


def _points(sheet: reference.Sheet, line: str, dice: str) -> int:
    box = f"1:{line}" if len(sheet["columns"]) > 1 else line
    throw = tuple(map(int, dice))
    return reference.offers(sheet, _above(sheet, line), 0, throw)[box][0]


@pytest.mark.parametrize("language", [long("en"), "de"])
@pytest.mark.parametrize("id", IDS)
def test_every_box_has_an_example_with_the_score_of_the_second_engine(
    client: FlaskClient, id: str, language: str
) -> None:
    sheet = reference.SHEETS[id]
    found = EXAMPLE.findall(client.get(f"/rules/{id}?lang={language}").text)
    assert [line for line, *_ in found] == [box["id"] for box in sheet["boxes"]]
    for line, points, dice, said in found:
        assert points == said
        assert int(points) == _points(sheet, line, dice) > 0
        assert len(dice) == sheet["dice"]


@pytest.mark.parametrize("id", IDS)
def test_every_answer_is_the_one_of_the_second_engine(client: FlaskClient, id: str) -> None:
    sheet = reference.SHEETS[id]
    found = ASKED.findall(client.get(f"/rules/{id}?lang=en").text)
    assert found
    for line, dice, said, points in found:
        expected = _points(sheet, line, dice)
        whole = sum(map(int, dice)) if line == "three_kind" else 1
        assert int(points) == expected
        assert said == ("Yes" if expected >= whole else "No")


def _first_column(offers: dict[str, reference.Offer]) -> dict[str, reference.Offer]:
    found: dict[str, reference.Offer] = {}
    for box, offer in offers.items():
        found.setdefault(box.rpartition(":")[2], offer)
    return found


def _agrees(sheet: Ruleset, example: Example) -> bool:
    met = any(box.rpartition(":")[2] == "yatzy" for box in example.scores)
    told = reference.offers(
        reference.SHEETS[sheet.id], dict(example.scores), int(met), example.dice
    )
    mine = {offer.category.id: (offer.points, offer.extra) for offer in example.offers}
    return mine == _first_column(told)


@pytest.mark.parametrize("id", IDS)
def test_the_second_engine_places_every_further_equal_throw_alike(app: Flask, id: str) -> None:
    sheet = rulesets.find(id)
    with app.test_request_context("/"):
        shown = [step.example for step in Rulebook(sheet).steps]
        shown += [question.example for question in questions.of(sheet)]
        bonus = Rulebook(sheet).extra_example
    shown += [bonus.example] if bonus else []
    assert all(_agrees(sheet, example) for example in shown)
    steps = {"forced": 3, "free": 2, None: 0}
    joker = reference.SHEETS[id]["joker"]
    with app.test_request_context("/"):
        assert len(Rulebook(sheet).steps) == steps[joker and joker["mode"]]


def test_the_joker_is_explained_step_by_step(client: FlaskClient) -> None:
    page = read(client.get("/rules/yacht?lang=en")).words
    assert "If its own upper box is open, it must go there. Fours 20 + 100" in page
    assert "Full house 25 + 100 Small straight 30 + 100 Large straight 40 + 100" in page
    assert "Ones 0 + 100" in page
    page = read(client.get("/rules/german-block?lang=en")).words
    assert "Fours 20 + 50" in page
    assert "Full house 25 Small straight 30 Large straight 40" in page
    page = read(client.get("/rules/yams-joker?lang=de")).words
    assert "Full 25 Kleine Suite 30 Große Suite 40" in page


@pytest.mark.parametrize(
    ("id", "words"),
    [
        ("yacht", "From 63 points in the upper boxes on you get 35 more. That is three of each"),
        ("yatzy-order", "From 42 points in the upper boxes on you get 50 more. That is two of"),
        ("maxi-yatzy", "From 84 points in the upper boxes on you get 100 more. That is four of"),
        ("yacht-12", "There is no bonus for the upper boxes."),
        ("yatzy-order", "only the next one is open"),
        ("yatzy-order", "7. One pair"),
        ("maxi-yatzy-saved", "Rolls you leave unused are saved for later turns"),
        ("yacht-triple", "three columns of these boxes"),
        ("yacht-triple", "its sum counts ×1, ×2, ×3 in the end. An extra counts in the column"),
        ("yacht-triple", "Once “Five of a kind” in every column holds 50"),
        ("yatzy-13", "Once “Yatzy” holds 50, this holds for every further throw"),
        ("yams-joker", "Once “Yatzy” is filled and a turn has ended with equal dice"),
        ("yacht-plain", "There is no joker"),
        ("generala", "20 points; 25 with the first roll"),
        ("generala", "counts only once “Generala” has scored"),
        ("yacht-no-joker", "Is the extra paid where the box itself gives 0? Yes."),
        ("yacht", "Do the extra points count for the upper bonus? No."),
        ("yacht", "Do equal dice alone count as “Full house”? No: 0 points. As a joker: 25."),
        ("yatzy", "Do equal dice alone count as “Full house”? No: 0 points. Are four"),
        ("maxi-yatzy", "Do three and three equal dice count as “Two pairs”? Yes: 14 points."),
        ("yatzy-side", "at least three equal dice sum of all dice"),
    ],
)
def test_each_sheet_says_its_own_rules(client: FlaskClient, id: str, words: str) -> None:
    assert words in read(client.get(f"/rules/{id}?lang=en")).words


@pytest.mark.parametrize("id", IDS)
def test_the_highest_score_and_the_number_of_rounds_are_those_of_the_data(
    client: FlaskClient, id: str
) -> None:
    sheet = reference.SHEETS[id]
    page = read(client.get(f"/rules/{id}?lang=en")).words
    assert f"{sheet['rounds']} boxes · at most {sheet['max_score']:,}" in page
    assert f"After {sheet['rounds']} turns" in page


def test_what_differs_stands_row_by_row_and_a_mere_name_is_no_difference(app: Flask) -> None:
    yacht = rulesets.find("yacht")
    with app.test_request_context("/"):
        rows = {
            id: {row.name: (row.here, row.there) for row in differences.rows(sheet, yacht)}
            for id, sheet in ((id, rulesets.find(id)) for id in IDS)
        }
    assert rows.pop("yacht") == {}
    assert all(rows.values())
    assert rows["german-block"] == {
        "Extra": ("+50, only in its own upper box", "+100"),
        "Highest score": ("675", "1,575"),
    }
    assert rows["yacht-plain"]["Joker"] == ("none", "forced, as soon as the box is filled")
    assert rows["yacht-triple"]["Columns"] == ("×1 ×2 ×3", "1")
    assert rows["yatzy"]["One pair"] == ("a pair: sum of the highest pair", "no such box")
    assert "Ones" not in rows["maxi-yatzy"]


def test_the_page_of_the_default_sheet_says_that_it_is_the_usual_one(client: FlaskClient) -> None:
    assert "This is the usual sheet." in client.get("/rules/yacht?lang=en").text
    assert '<table class="differs">' in client.get("/rules/yatzy").text


def test_reading_writes_nothing_and_sets_no_cookie(
    client: FlaskClient, valkey: redis.Redis
) -> None:
    for path in ("/rules", "/rules?q=yam", "/rules/yacht", "/archive", "/archive?sheet=yatzy"):
        answer = client.get(path)
        assert (answer.status_code, "Set-Cookie" in answer.headers) == (200, False)
    assert written(valkey) == []


def test_a_sheet_nobody_knows_has_no_page_of_rules(client: FlaskClient) -> None:
    assert client.get("/rules/nothing").status_code == 404


def test_the_other_names_of_a_sheet_stand_on_its_page(client: FlaskClient) -> None:
    assert "Also called: Yam, Yams, Yam’s" in read(client.get("/rules/yams?lang=en")).words
    german = read(client.get("/rules/yatzy-order?lang=de")).words
    assert "Auch bekannt als Tvungen Yatzy, Zwangsyatzy Heute spielen" in german
    for alias in aliases.ALIASES:
        assert alias.source
        assert all(rulesets.find(id) for id in alias.sheets)


# -- search -------------------------------------------------------------------------------


def _found(client: FlaskClient, query: str) -> list[str]:
    page = client.get("/rules", query_string={"q": query, "lang": "en"}).text
    return re.findall(r'<li><a href="/rules/([\w-]+)"', page)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Yacht", "yacht"),
        ("YATZY", "yatzy"),
        ("yatzi", "yatzy"),
        ("yazty", "yatzy"),
        ("Jatsi", "yatzy"),
        ("Yatzee", "yatzy"),
        ("Yam", "yams"),
        ("Yams", "yams"),
        ("yam's", "yams"),
        ("Yam’s", "yams"),
        ("YÄMS", "yams"),
        ("generale", "generala"),
        ("Genralla", "generala"),
        ("maxi yatzy", "maxi-yatzy"),
        ("maxiyatzy", "maxi-yatzy"),
        ("Sechs Wuerfel", "maxi-yatzy"),
        ("sechs würfel", "maxi-yatzy"),
        ("tvungen", "yatzy-order"),
        ("der Reihe nach", "yatzy-order"),
        ("französisch", "yams"),
        ("franzosischer block", "yams"),
        ("Old Yacht", "yacht-12"),
        ("1938", "yacht-12"),
        ("Yacht von 1938", "yacht-12"),
        ("Zwangsyatzy", "yatzy-order"),
        ("Dreifach", "yacht-triple"),
        ("Turm", "maxi-yatzy"),
        ("Brelan", "yams"),
        ("escalera", "generala"),
        ("Viererpasch", "yacht"),
        ("Pasch", "yacht"),
    ],
)
def test_a_sheet_is_found_by_any_name_in_any_spelling(
    client: FlaskClient, query: str, first: str
) -> None:
    assert _found(client, query)[0] == first


@pytest.mark.parametrize("query", ["qqqq", "Schach", "zq", " ·  · ", "<script>", "y" * 500])
def test_what_no_sheet_is_called_finds_none_and_offers_them_all(
    client: FlaskClient, query: str
) -> None:
    page = client.get("/rules", query_string={"q": query, "lang": "en"}).text
    assert "no sheet" in page
    assert len(_found(client, query)) == len(IDS)
    assert "<script>." not in page


def test_the_number_of_sheets_found_is_announced(client: FlaskClient) -> None:
    page = client.get("/rules?q=yam&lang=en").text
    assert '<small role="status">4 sheets</small>' in page
    assert '<small role="status">1 Block</small>' in client.get("/rules?q=dreifach&lang=de").text
    assert 'value="yam"' in page
    assert "<title>4 sheets · yam · Rules · Samedice</title>" in page


def test_without_a_query_all_sheets_are_listed_by_family(client: FlaskClient) -> None:
    assert sorted(_found(client, "")) == sorted(IDS)
    assert sorted(_found(client, "   ")) == sorted(IDS)
