"""The picture beside a link: its size, its letters, and that even the longest name fits."""

from __future__ import annotations

from io import BytesIO

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image, ImageFont

from challenge.daily.ranking import Standing
from challenge.game import rulesets
from challenge.service.services import Services
from challenge.web import create_app, i18n
from challenge.web.pages import result
from challenge.web.pages.links import drawing
from challenge.web.pages.links.drawing import Caption, draw, fitting

MARGIN = 60  # px on either side, empty above the dice
CROWD = Standing(players=25_348, beaten=15_323, tied=0)


def words_in(language: str, app: Flask) -> list[tuple[str, ...]]:
    """The words beside a score: of a crowd, of a few, of the archive; final and not."""
    with app.test_request_context(f"/?lang={language}"):
        few = Standing(players=14, beaten=2, tied=0)
        found = [result.headline(each, final) for each in (CROWD, few) for final in (True, False)]
        return [*found, (i18n.gettext("From the archive"),)]


@pytest.fixture(scope="module")
def longest() -> dict[str, str]:
    """Language -> the longest name a sheet has in it."""
    return {
        code: max((i18n.sheet_short(each, code) for each in rulesets.RULESETS), key=len)
        for code in i18n.languages()
    }


@pytest.mark.parametrize("language", i18n.languages())
@pytest.mark.parametrize("score", ["0", "3165"])
def test_the_longest_name_the_widest_score_and_the_longest_words_stay_within_the_margins(
    services: Services, longest: dict[str, str], language: str, score: str
) -> None:
    lines = max(words_in(language, create_app(services)), key=lambda words: len("".join(words)))
    caption = Caption("No. 12345", longest[language], score, "points", lines, 6)
    stays_within(draw(caption))


@pytest.mark.parametrize("language", i18n.languages())
def test_so_does_the_picture_of_the_site(client: FlaskClient, language: str) -> None:
    stays_within(client.get(f"/picture.png?lang={language}").data)


def stays_within(picture: bytes) -> None:
    """The margins are bare paper, all the way down to the dice."""
    image = Image.open(BytesIO(picture)).convert("RGB")
    assert image.size == (1200, 630)
    for left in (0, 1200 - MARGIN):
        margin = image.crop((left, 0, left + MARGIN, 440))
        assert margin.getcolors() == [(MARGIN * 440, (0xF6, 0xF1, 0xE4))]


@pytest.mark.parametrize("language", i18n.languages())
def test_every_name_of_a_sheet_stands_in_one_row(language: str) -> None:
    for sheet in rulesets.RULESETS:
        rows, size = fitting(
            i18n.sheet_short(sheet, language), drawing.SERIF, 1056, (60, 52, 44, 38)
        )
        assert (len(rows), size >= 38) == (1, True), sheet.id


@pytest.mark.parametrize(
    "name", ["NotoSerif-Bold.ttf", "NotoSans-Regular.ttf", "NotoSans-Bold.ttf"]
)
def test_the_fonts_have_every_letter_of_every_name_and_word(services: Services, name: str) -> None:
    font = ImageFont.truetype(drawing.FONTS / name, 40)
    missing = bytes(font.getmask("\uffff"))
    app = create_app(services)
    letters = {"0123456789", "Samedice", "No. Nr.", "ÄÖÜäöüßéèçñøåæłšž“”„–"}
    for code in i18n.languages():
        letters |= {i18n.sheet_short(each, code) for each in rulesets.RULESETS}
        letters |= {word for words in words_in(code, app) for word in words}
    for letter in sorted(set("".join(letters)) - {" ", "\xa0"}):
        assert bytes(font.getmask(letter)) != missing, f"{name} lacks {letter!r}"
    assert bytes(font.getmask("漢")) == missing  # what is not there is noticed


def test_a_picture_is_light_and_drawn_once() -> None:
    caption = Caption("No. 334", "Yacht", "246", "points", ("Better than 92 %",), 5)
    assert len(draw(caption)) < 60_000
    assert draw(caption) is draw(Caption(*(getattr(caption, f) for f in caption.__slots__)))


def test_words_too_long_for_a_row_stand_in_two() -> None:
    rows, size = fitting("the same dice for everyone on this earth", drawing.SERIF, 500, (60, 40))
    assert (rows, size) == (["the same dice for", "everyone on this earth"], 40)
    assert fitting("Donaudampfschifffahrtsgesellschaft", drawing.SERIF, 50, (60, 40))[0] == [
        "Donaudampfschifffahrtsgesellschaft"
    ]
