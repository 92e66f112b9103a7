"""What a player's hands do on the game page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Frame, Page, expect

API = "/api/v1/challenges/2026-11-30"


def ply(page: Page) -> int:
    """The number of moves the page shows as made."""
    return int(page.locator("main").get_attribute("data-ply") or 0)


def moved(page: Page, before: int) -> None:
    """Waits until the page shows the next move."""
    expect(page.locator("main")).to_have_attribute("data-ply", str(before + 1))


def hold(page: Page, *positions: int) -> None:
    """Holds exactly these dice by clicking on them."""
    for position in range(page.locator("label.die").count()):
        box = page.locator(f"[name=hold][value='{position}']")
        if box.is_checked() != (position in positions):
            page.locator("label.die").nth(position).click()


def roll(page: Page, *held: int) -> None:
    """Rolls the dice that are not held."""
    before = ply(page)
    hold(page, *held)
    page.locator("button#roll").click()
    moved(page, before)


def enter(page: Page, box: str | None = None) -> str:
    """Enters the dice into a box, by default the one that gives most; a zero is meant."""
    before = ply(page)
    box = box or best_box(page)
    button = page.locator(f"button.cell[value='{box}']")
    asks = button.get_attribute("name") == "ask"
    button.click()
    if asks:
        page.locator("button[name=zero]").click()
    moved(page, before)
    return box


def previews(page: Page) -> dict[str, int]:
    """Box -> what it would give, of every box that can be pressed."""
    shown = page.locator("button.cell:enabled").evaluate_all(
        "boxes => boxes.map(box => [box.value, +box.querySelector('.value').textContent])"
    )
    return dict(shown)


def faces(page: Page) -> list[int]:
    """The dice as they lie on the table."""
    found = page.locator(".die[data-face]").evaluate_all(
        "dice => dice.map(die => +die.dataset.face)"
    )
    return list(found)


def best_box(page: Page) -> str:
    """The box that gives most, the first of several."""
    return max(previews(page).items(), key=lambda choice: choice[1])[0]


def worthless_box(page: Page) -> str:
    """A box that would take a zero."""
    return next(box for box, points in previews(page).items() if not points)


def most(page: Page) -> list[int]:
    """Positions of the face that lies there most often (the higher one of two), never all."""
    dice = faces(page)
    face = max(dice, key=lambda each: (dice.count(each), each))
    held = [i for i, each in enumerate(dice) if each == face]
    return held if len(held) < len(dice) else held[1:]


def held(page: Page) -> list[int]:
    """Positions of the dice that are held."""
    found = page.locator("[name=hold]:checked").evaluate_all("all => all.map(box => +box.value)")
    return list(found)


def frames(page: Page, selector: str) -> list[dict[str, float]]:
    """Where the elements stand that take up room, in CSS pixels."""
    found = page.locator(selector).evaluate_all(
        """all => all.map(each => each.getBoundingClientRect()).filter(box => box.width)
        .map(({left, top, right, bottom, width, height}) =>
            ({left, top, right, bottom, width, height}))"""
    )
    return list(found)


def all_in_sight(page: Page) -> None:
    """Sheet, status, dice and roll are on the screen, and nothing lies over the sheet."""
    assert page.evaluate("scrollY") == 0
    size = page.viewport_size
    assert size is not None
    for box in frames(page, ".line, .die, #roll, #status, .counters, .brand"):
        assert box["top"] >= 0
        assert box["left"] >= 0
        assert box["bottom"] <= size["height"]
        assert box["right"] <= size["width"]
    lines, tray = frames(page, ".line"), frames(page, ".tray")[0]
    assert max(box["bottom"] for box in lines) <= tray["top"] + 1


def game(page: Page, sheet: str = "yacht") -> Any:
    """The game as the API has it for this browser's player."""
    return page.request.get(f"{API}/{sheet}/game").json()


def agrees(page: Page, sheet: str = "yacht") -> None:
    """Holds the page against the API."""
    state = game(page, sheet)
    legal = {box["box"]: box["preview"] for box in state["boxes"] if box["legal"]}
    assert previews(page) == legal
    assert faces(page) == (state["dice"] or [])
    assert ply(page) == state["ply"]


def pasted(page: Page | Frame) -> str:
    """What lies in the clipboard, pasted into a field as hands do: pages may not read it."""
    page.evaluate("document.body.append(document.createElement('textarea'))")
    field = page.locator("body > textarea")
    field.focus()
    keys = page.page.keyboard if isinstance(page, Frame) else page.keyboard
    keys.press("ControlOrMeta+V")
    expect(field).not_to_have_value("")
    found = field.input_value()
    field.evaluate("field => field.remove()")
    return found
