"""The check in the visitor's own browser: of one mind with ``challenge verify``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from challenge.cli import main
from tests.browser import hands
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.test_access import clean
from tests.conftest import Clock
from tests.marks import long, some

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]

BOARDS = [
    ("2026-11-29", "yacht"),
    ("2026-11-28", "yatzy"),
    ("2026-11-01", "maxi-yatzy"),
    ("2026-10-25", "yacht-triple"),
    ("2026-09-30", "generala"),
    ("2026-07-04", "yatzy-order"),
    ("2026-03-29", "maxi-yatzy-saved"),
    ("2026-02-28", "yams"),
    ("2026-01-02", "german-block"),
    ("2026-01-01", "yacht-plain"),
]


def verify(page: Page, seed: str) -> Any:
    """What the command says to this seed against the commitment the API has."""
    date, sheet = page.locator("#check").get_attribute("data-board").split("/")
    board = page.request.get(f"/api/v1/challenges/{date}/{sheet}").json()
    args = ["verify", date, sheet, "--seed", seed, "--commitment", board["commitment"], "--json"]
    done = CliRunner().invoke(main, args)
    facts = json.loads(done.stdout)
    assert done.exit_code == (0 if facts["matches"] else 1)
    return facts


def rolls(page: Page) -> list[list[int]]:
    """The dice of every roll as the page worked them out."""
    lines = page.locator("#list li").all_text_contents()
    return [[int(die) for die in re.match(r"[1-6 ]+", line)[0].split()] for line in lines]


def agrees(page: Page, verdict: str) -> None:
    """Holds all the page says about the seed in its field against the command."""
    expect(page.locator("#verdict")).to_contain_text(verdict)
    facts = verify(page, page.locator("#seed").input_value())
    right = "right" in page.locator("#verdict").get_attribute("class")
    assert right == facts["matches"]
    assert page.locator("#hash").text_content() == facts["commitment"]
    assert rolls(page) == facts["rolls"]
    drawn = page.locator("#first .die .vh").all_text_contents()
    assert [int(face) for face in drawn] == facts["rolls"][0]


def another(seed: str, place: int) -> str:
    """The seed with one byte changed."""
    raw = bytearray.fromhex(seed)
    raw[place] ^= 1
    return raw.hex()


@pytest.mark.parametrize(("date", "sheet"), BOARDS, ids="-".join)
def test_the_browser_agrees_with_the_command_and_sees_one_changed_byte(
    visit: Visit, date: str, sheet: str
) -> None:
    page = visit(f"/{date}/{sheet}/fairness")
    agrees(page, "It matches.")
    seed = page.locator("#seed").input_value()
    place = BOARDS.index((date, sheet)) * 31 // (len(BOARDS) - 1)
    page.locator("#seed").fill(another(seed, place))
    agrees(page, "It does not match. This is not the key that was sealed.")
    page.locator("#seed").fill(seed.upper() + " ")
    expect(page.locator("#verdict")).to_contain_text("It matches.")


@pytest.mark.parametrize("text", some(["", "abc", "0" * 63, "g" * 64, "0" * 66], 1, 3))
def test_what_is_no_key_is_said_to_be_none(visit: Visit, text: str) -> None:
    page = visit("/fairness", locale="de")
    expect(page.locator("#verdict")).to_contain_text("Stimmt.")
    page.locator("#seed").fill(text)
    expect(page.locator("#verdict")).to_have_text(
        "Stimmt nicht. Ein Schlüssel hat 64 Zeichen, 0 bis 9 und a bis f."
    )


def play(page: Page, rounds: int) -> None:
    """A game with rolls and holds."""
    for _ in range(rounds):
        hands.roll(page)
        hands.roll(page, 0, 2)
        hands.enter(page)


@pytest.mark.parametrize(
    ("sheet", "rounds", "locale", "words"),
    [
        ("yacht", 13, "en", "It matches. All 26 rolls of your game follow from this key."),
        ("generala", 11, "de", "Stimmt. Alle 22 Würfe deines Spiels folgen aus diesem Schlüssel."),
        long(
            "yacht-triple", 39, "en", "It matches. All 78 rolls of your game follow from this key."
        ),
    ],
)
def test_ones_own_game_is_replayed_once_its_board_is_closed(
    visit: Visit, clock: Clock, sheet: str, rounds: int, locale: str, words: str
) -> None:
    page = visit(f"/2026-11-30/{sheet}", locale=locale)
    play(page, rounds)
    total = hands.game(page, sheet)["total"]
    page.goto(f"/2026-11-30/{sheet}/fairness")
    assert page.locator("#check").get_attribute("data-board") == f"2026-11-29/{sheet}"
    clock.set("2026-12-01 03:00")
    page.goto(f"/2026-11-30/{sheet}/fairness")
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text(words)
    expect(verdict).to_contain_text(str(total))
    noted = {"en": f"({rounds * 2} rolls): they are", "de": f"({rounds * 2} Würfe): Es sind"}
    expect(verdict).to_contain_text(noted[locale])
    as_the_command_replays_it(page, sheet)
    page.locator("#seed").fill(another(page.locator("#seed").input_value(), 0))
    expect(verdict).to_have_class(re.compile("wrong"))


def as_the_command_replays_it(page: Page, sheet: str) -> None:
    """The list of the page has the dice of every action as ``challenge replay`` has them."""
    log, seed = hands.game(page, sheet)["log"], page.locator("#seed").input_value()
    done = CliRunner().invoke(main, ["replay", sheet, "--seed", seed, "--log", log, "--json"])
    assert rolls(page) == [action["dice"] for action in json.loads(done.stdout)["actions"]]


def test_dice_that_were_shown_otherwise_are_named(visit: Visit, clock: Clock) -> None:
    page = visit("/2026-11-30/generala")
    play(page, 11)
    page.evaluate(
        """() => {
        const all = JSON.parse(localStorage["samedice.dice"]);
        delete all["2026-11-30/generala"][1];
        all["2026-11-30/generala"][4] = "11111";
        localStorage["samedice.dice"] = JSON.stringify(all);
        }"""
    )
    clock.set("2026-12-01 03:00")
    page.goto("/2026-11-30/generala/fairness")
    expect(page.locator("#verdict")).to_contain_text(
        re.compile(r"^It does not match\. In roll 3 your browser saw 1 1 1 1 1, but this key ")
    )


def test_another_browser_has_noted_nothing_and_checks_all_the_same(
    visit: Visit, clock: Clock
) -> None:
    page = visit("/2026-11-30/generala")
    play(page, 11)
    page.evaluate("localStorage.clear()")
    clock.set("2026-12-01 03:00")
    page.goto("/2026-11-30/generala/fairness")
    expect(page.locator("#verdict")).to_contain_text("All 22 rolls of your game follow")
    expect(page.locator("#verdict")).not_to_contain_text("noted")


def test_a_second_player_in_the_same_browser_is_not_held_against_the_first(
    visit: Visit, clock: Clock
) -> None:
    page = visit("/2026-11-30/generala")
    hands.roll(page)
    hands.roll(page, 0, 1)
    page.context.clear_cookies()
    page.goto("/2026-11-30/generala")
    play(page, 11)
    clock.set("2026-12-01 03:00")
    page.goto("/2026-11-30/generala/fairness")
    expect(page.locator("#verdict")).to_contain_text("(22 rolls): they are the same.")


@pytest.mark.parametrize("locale", [long("en"), "de"])
def test_without_webcrypto_the_page_says_so_and_offers_the_script(
    visit: Visit, site: str, locale: str
) -> None:
    page = visit("/fairness", locale=locale)
    page.goto(f"{site.replace('127.0.0.1', 'dice.test')}/fairness")
    assert page.evaluate("[isSecureContext, typeof crypto.subtle]") == [False, "undefined"]
    told = {"en": "Your browser only calculates with hashes over https.", "de": "nur über https."}
    expect(page.locator("#verdict")).to_contain_text(told[locale])
    expect(page.locator("#again")).to_be_hidden()
    with page.expect_download() as download:
        page.locator("a[href='/verify.py']").click()
    assert download.value.suggested_filename == "verify.py"


def test_without_javascript_the_page_says_so_and_shows_all_it_has(visit: Visit) -> None:
    page = visit("/fairness", java_script_enabled=False)
    expect(page.get_by_text("Without JavaScript this page cannot calculate.")).to_be_visible()
    assert len(page.locator("#seed").input_value()) == 64
    page.locator(".choice button").first.click()
    expect(page.locator("#seed")).to_be_visible()
    page.locator(".month summary").first.click()
    expect(page.locator(".month li").first).to_be_visible()


def test_day_and_sheet_can_be_chosen(visit: Visit) -> None:
    page = visit("/fairness")
    page.locator("#day").fill("2026-02-28")
    page.locator("#sheet").select_option("maxi-yatzy")
    page.get_by_role("button", name="Show").first.click()
    agrees(page, "It matches.")
    assert page.locator("#check").get_attribute("data-board") == "2026-02-28/maxi-yatzy"


@pytest.mark.parametrize(
    "look",
    [
        {"color_scheme": "light", "size": PHONE, "locale": "de"},
        long({"color_scheme": "dark", "size": DESKTOP, "locale": "en"}),
        long({"color_scheme": "dark", "size": PHONE, "locale": "en"}),
        long({"forced_colors": "active", "size": PHONE}),
    ],
    ids=["light", "dark-desktop", "dark", "forced"],
)
def test_axe_finds_nothing_and_nothing_sticks_out(visit: Visit, look: dict[str, Any]) -> None:
    page = visit("/fairness", **look)
    expect(page.locator("#verdict")).to_have_class(re.compile("right"))
    for summary in page.locator("main summary").all():
        summary.click()
    clean(page)
    page.locator("#seed").fill("0" * 64)
    expect(page.locator("#verdict")).to_have_class(re.compile("wrong"))
    clean(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= look["size"]["width"]


@pytest.mark.parametrize("path", ["/privacy", "/offline", "/nothing"])
@pytest.mark.parametrize(
    ("locale", "scheme"),
    [long("en", "light"), ("de", "dark"), long("en", "dark"), long("de", "light")],
)
def test_axe_finds_nothing_on_the_pages_about_the_site(
    visit: Visit, path: str, locale: str, scheme: str
) -> None:
    clean(visit(path, locale=locale, color_scheme=scheme))
