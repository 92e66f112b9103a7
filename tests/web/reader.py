"""Reads a page as a browser without JavaScript would: its form, its buttons, its words."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from flask.testing import FlaskClient
from werkzeug.test import TestResponse


@dataclass
class Button:
    """A submit button as it stands in the form."""

    name: str
    value: str
    enabled: bool
    text: str = ""


@dataclass
class Page(HTMLParser):
    """The game's form on a page; ``words`` is all its text in one line."""

    source: str
    fields: dict[str, str] = field(default_factory=dict)
    held: list[str] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    words: str = ""
    faces: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._form = ""
        self._button: Button | None = None
        self.feed(self.source)
        self.words = " ".join(self.words.split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collects what a submit would send."""
        given = dict(attrs)
        if tag == "form":
            self._form = given.get("id") or "other"
        if "data-face" in given:
            self.faces.append(int(given["data-face"] or 0))
        if self._form != "game":
            return
        if tag == "button":
            self._button = Button(
                given.get("name") or "", given.get("value") or "", "disabled" not in given
            )
            self.buttons.append(self._button)
        if tag == "input" and given.get("type") == "hidden":
            self.fields[given["name"] or ""] = given["value"] or ""
        if tag == "input" and given.get("name") == "hold" and "checked" in given:
            self.held.append(given["value"] or "")

    def handle_endtag(self, tag: str) -> None:
        """Ends a form or a button."""
        if tag == "form":
            self._form = ""
        if tag == "button":
            self._button = None

    def handle_data(self, data: str) -> None:
        """Collects the words."""
        self.words += f" {data}"
        if self._button is not None:
            self._button.text += data

    @property
    def choices(self) -> dict[str, int]:
        """Box id -> preview, of every box that can be chosen."""
        return {
            button.value: int(next(part for part in button.text.split() if part.isdigit()))
            for button in self.buttons
            if button.name in ("box", "ask") and button.enabled
        }


def read(answer: TestResponse) -> Page:
    """The page of an answer."""
    return Page(answer.text)


def send(client: FlaskClient, path: str, page: Page, **pressed: object) -> TestResponse:
    """Submits the form of a page with the pressed button; ``hold`` replaces the held dice."""
    hold = pressed.pop("hold", page.held)
    return client.post(path, data={**page.fields, "hold": hold, **pressed})


def play_on(client: FlaskClient, path: str, page: Page, **pressed: object) -> Page:
    """Submits and follows, as a browser does."""
    answer = send(client, path, page, **pressed)
    assert (answer.status_code, answer.location) == (303, path)
    return read(client.get(path))
