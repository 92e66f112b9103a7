"""The result text, byte for byte, in both languages."""

from gettext import NullTranslations

import pytest

from challenge.daily.ranking import Standing
from challenge.daily.share import Result, ordinal, text

LINK = "https://example.org/2026-11-30/yacht"


@pytest.fixture(params=["en", "de"])
def language(request):
    """English and German in turn."""
    return request.param


def _catalogue(language):
    from challenge.web.i18n import translations

    return translations(language)


def _say(language, **changes):
    facts = {
        "number": 334,
        "sheet": "Yacht",
        "score": 246,
        "link": LINK,
        "standing": _top_eight_percent(),
        "final": False,
        "streak": 5,
    }
    return text(Result(**{**facts, **changes}), _catalogue(language), language)


def _top_eight_percent():
    """Of 347 others 320 are beaten: 92.2 %."""
    return Standing(players=348, beaten=320, tied=3)


def _place(rank, players):
    return Standing(players=players, beaten=players - rank, tied=0)


GOLDEN = [
    (
        "open board with many players and a streak",
        {},
        "Samedice #334 · Yacht · 246 points\n"
        "Better than 92 % of 348 so far · streak 5\n"
        "https://example.org/2026-11-30/yacht",
        "Samedice Nr. 334 · Yacht · 246 Punkte\n"
        "Besser als 92 % von bisher 348 · Serie 5\n"
        "https://example.org/2026-11-30/yacht",
    ),
    (
        "closed board",
        {"final": True},
        "Samedice #334 · Yacht · 246 points\n"
        "Better than 92 % of 348 · streak 5\n"
        "https://example.org/2026-11-30/yacht",
        "Samedice Nr. 334 · Yacht · 246 Punkte\n"
        "Besser als 92 % von 348 · Serie 5\n"
        "https://example.org/2026-11-30/yacht",
    ),
    (
        "no streak yet",
        {"streak": 1},
        "Samedice #334 · Yacht · 246 points\n"
        "Better than 92 % of 348 so far\n"
        "https://example.org/2026-11-30/yacht",
        "Samedice Nr. 334 · Yacht · 246 Punkte\n"
        "Besser als 92 % von bisher 348\n"
        "https://example.org/2026-11-30/yacht",
    ),
    (
        "a streak of two days",
        {"streak": 2},
        "Samedice #334 · Yacht · 246 points\n"
        "Better than 92 % of 348 so far · streak 2\n"
        "https://example.org/2026-11-30/yacht",
        "Samedice Nr. 334 · Yacht · 246 Punkte\n"
        "Besser als 92 % von bisher 348 · Serie 2\n"
        "https://example.org/2026-11-30/yacht",
    ),
    (
        "few players on an open board",
        {"standing": _place(12, 14)},
        "Samedice #334 · Yacht · 246 points\n"
        "12th of 14 so far · streak 5\n"
        "https://example.org/2026-11-30/yacht",
        "Samedice Nr. 334 · Yacht · 246 Punkte\n"
        "Platz 12 von bisher 14 · Serie 5\n"
        "https://example.org/2026-11-30/yacht",
    ),
    (
        "few players on a closed board",
        {"standing": _place(12, 14), "final": True, "streak": 0},
        "Samedice #334 · Yacht · 246 points\n12th of 14\nhttps://example.org/2026-11-30/yacht",
        "Samedice Nr. 334 · Yacht · 246 Punkte\n"
        "Platz 12 von 14\n"
        "https://example.org/2026-11-30/yacht",
    ),
    (
        "alone on the board",
        {"standing": _place(1, 1), "streak": 1},
        "Samedice #334 · Yacht · 246 points\n1st of 1 so far\nhttps://example.org/2026-11-30/yacht",
        "Samedice Nr. 334 · Yacht · 246 Punkte\n"
        "Platz 1 von bisher 1\n"
        "https://example.org/2026-11-30/yacht",
    ),
    (
        "skill between place and streak",
        {"skill": 96},
        "Samedice #334 · Yacht · 246 points\n"
        "Better than 92 % of 348 so far · 96 % skill · streak 5\n"
        "https://example.org/2026-11-30/yacht",
        "Samedice Nr. 334 · Yacht · 246 Punkte\n"
        "Besser als 92 % von bisher 348 · 96 % Können · Serie 5\n"
        "https://example.org/2026-11-30/yacht",
    ),
    (
        "skill of a game without a streak among few",
        {"skill": 100, "standing": _place(12, 14), "final": True, "streak": 0},
        "Samedice #334 · Yacht · 246 points\n"
        "12th of 14 · 100 % skill\n"
        "https://example.org/2026-11-30/yacht",
        "Samedice Nr. 334 · Yacht · 246 Punkte\n"
        "Platz 12 von 14 · 100 % Können\n"
        "https://example.org/2026-11-30/yacht",
    ),
    (
        "no skill at all",
        {"skill": 0, "streak": 0},
        "Samedice #334 · Yacht · 246 points\n"
        "Better than 92 % of 348 so far · 0 % skill\n"
        "https://example.org/2026-11-30/yacht",
        "Samedice Nr. 334 · Yacht · 246 Punkte\n"
        "Besser als 92 % von bisher 348 · 0 % Können\n"
        "https://example.org/2026-11-30/yacht",
    ),
    (
        "archive with skill",
        {"standing": None, "final": True, "skill": 96},
        "Samedice #334 · Yacht · 246 points\n"
        "archive · 96 % skill\n"
        "https://example.org/2026-11-30/yacht",
        "Samedice Nr. 334 · Yacht · 246 Punkte\n"
        "Archiv · 96 % Können\n"
        "https://example.org/2026-11-30/yacht",
    ),
    (
        "archive: neither place nor streak",
        {"standing": None, "final": True},
        "Samedice #334 · Yacht · 246 points\narchive\nhttps://example.org/2026-11-30/yacht",
        "Samedice Nr. 334 · Yacht · 246 Punkte\nArchiv\nhttps://example.org/2026-11-30/yacht",
    ),
    (
        "one point",
        {"score": 1, "streak": 0},
        "Samedice #334 · Yacht · 1 point\n"
        "Better than 92 % of 348 so far\n"
        "https://example.org/2026-11-30/yacht",
        "Samedice Nr. 334 · Yacht · 1 Punkt\n"
        "Besser als 92 % von bisher 348\n"
        "https://example.org/2026-11-30/yacht",
    ),
    (
        "no point",
        {"score": 0, "streak": 0},
        "Samedice #334 · Yacht · 0 points\n"
        "Better than 92 % of 348 so far\n"
        "https://example.org/2026-11-30/yacht",
        "Samedice Nr. 334 · Yacht · 0 Punkte\n"
        "Besser als 92 % von bisher 348\n"
        "https://example.org/2026-11-30/yacht",
    ),
    (
        "large numbers are not grouped",
        {
            "number": 12345,
            "score": 9450,
            "standing": Standing(players=1_234_567, beaten=1_234_566, tied=0),
            "streak": 1000,
        },
        "Samedice #12345 · Yacht · 9450 points\n"
        "Better than 100 % of 1234567 so far · streak 1000\n"
        "https://example.org/2026-11-30/yacht",
        "Samedice Nr. 12345 · Yacht · 9450 Punkte\n"
        "Besser als 100 % von bisher 1234567 · Serie 1000\n"
        "https://example.org/2026-11-30/yacht",
    ),
]


@pytest.mark.parametrize(
    ("_case", "changes", "english", "_german"), GOLDEN, ids=lambda v: str(v)[:40]
)
def test_the_english_text_is_byte_for_byte_that_of_the_design(_case, changes, english, _german):
    assert _say("en", **changes).encode() == english.encode()
    facts = {"number": 334, "sheet": "Yacht", "score": 246, "link": LINK, "final": False}
    facts |= {"standing": _top_eight_percent(), "streak": 5, **changes}
    assert text(Result(**facts), NullTranslations(), "en") == english


@pytest.mark.parametrize(
    ("_case", "changes", "_english", "german"), GOLDEN, ids=lambda v: str(v)[:40]
)
def test_the_german_text_is_byte_for_byte_that_of_the_design(_case, changes, _english, german):
    assert _say("de", **changes).encode() == german.encode()


def test_nineteen_players_are_told_a_place_and_twenty_a_percentage(language):
    place = {"en": "10th of 19 so far", "de": "Platz 10 von bisher 19"}
    percent = {"en": "Better than 52 % of 20 so far", "de": "Besser als 52 % von bisher 20"}
    assert _say(language, standing=_place(10, 19), streak=0).split("\n")[1] == place[language]
    assert _say(language, standing=_place(10, 20), streak=0).split("\n")[1] == percent[language]


def test_three_lines_without_a_blank_at_any_end_and_the_link_last(language):
    for _, changes, *_ in GOLDEN:
        said = _say(language, **changes)
        lines = said.split("\n")
        assert len(lines) == 3
        assert lines[2] == LINK
        assert all(line == line.strip() and line for line in lines)
        assert "\r" not in said
        assert "\u00a0" not in said
        assert "\u202f" not in said


@pytest.mark.parametrize(
    ("n", "written"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (10, "10th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (14, "14th"),
        (20, "20th"),
        (21, "21st"),
        (22, "22nd"),
        (23, "23rd"),
        (101, "101st"),
        (111, "111th"),
        (112, "112th"),
        (113, "113th"),
        (121, "121st"),
        (1011, "1011th"),
    ],
)
def test_a_place_is_written_as_english_writes_it_and_german_as_a_number(n, written):
    assert ordinal(n, "en") == written
    assert ordinal(n, "de") == str(n)
