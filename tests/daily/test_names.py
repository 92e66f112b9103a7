"""Player names: what is kept, and a long list of what must not get through."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from challenge.daily import names
from challenge.errors import BadInput

ME = "5f1d6c2ab0e94c7d8a1b2c3d4e5f6071"
OTHER = "00112233445566778899aabbccddeeff"


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        ("Mia", "Mia"),
        ("  Mia  ", "Mia"),
        ("Mia  Maria", "Mia Maria"),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("Þóra Jónsdóttir", "Þóra Jónsdóttir"),
        ("Ｍｉａ", "Mia"),
        ("李小龍", "李小龍"),
        ("Дмитрий", "Дмитрий"),
        ("محمد", "محمد"),
        ("नमस्ते", "नमस्ते"),
        ("🎲", "🎲"),
        ("O'Neill-7", "O'Neill-7"),
        ("x", "x"),
        ("A" * 24, "A" * 24),
    ],
)
def test_a_name_of_any_script_is_kept_in_its_normal_form(given_name, kept):
    assert names.clean(given_name) == kept


@pytest.mark.parametrize(
    "name", ["<b>Mia</b>", '"><script>', "{{7*7}}", "'; DROP--", "&amp;", "%s%n"]
)
def test_markup_is_a_name_like_any_other_since_output_escapes_it(name):
    assert names.clean(name) == name


HOSTILE = {
    "empty": "",
    "blanks": "   ",
    "no-break blanks": "\u00a0\u00a0",
    "ideographic blank": "\u3000",
    "zero width space": "\u200b",
    "zero width inside": "Mi\u200ba",
    "zero width non-joiner": "Mi\u200ca",
    "zero width joiner": "Mi\u200da",
    "word joiner": "Mi\u2060a",
    "byte order mark": "\ufeffMia",
    "soft hyphen": "Mi\u00ada",
    "left-to-right mark": "Mia\u200e",
    "right-to-left override": "\u202eaiM",
    "direction isolate": "\u2066Mia\u2069",
    "arabic letter mark": "\u061cMia",
    "line feed": "Mia\nMax",
    "carriage return": "Mia\r",
    "tab": "Mia\tMax",
    "null": "Mia\x00",
    "escape": "\x1b[31mMia",
    "delete": "Mia\x7f",
    "next line": "Mia\x85",
    "line separator": "Mia\u2028Max",
    "paragraph separator": "Mia\u2029",
    "hangul filler": "\u3164",
    "halfwidth hangul filler": "\uffa0",
    "hangul choseong filler": "\u115f",
    "khmer inherent vowel": "\u17b4",
    "mongolian vowel separator": "\u180e",
    "combining grapheme joiner": "\u034f",
    "blank braille": "\u2800",
    "blank braille inside": "Mi\u2800a",
    "variation selector alone": "\ufe0f",
    "tag characters": "Mia\U000e0041",
    "only marks": "\u0301\u0301",
    "stacked accents": "Z" + "\u0300" * 12,
    "stacked accents over every letter": "".join(c + "\u0353\u0300\u0489" for c in "Mia"),
    "private use": "\ue000",
    "unassigned": "\u0378",
    "non-character": "\ufffe",
    "lone surrogate": "\ud800",
    "lone surrogate inside": "Mi\udfffa",
    "interlinear annotation": "\ufff9Mia\ufffb",
    "25 letters": "A" * 25,
    "10,000 letters": "A" * 10_000,
    "10,000 marks": "A" + "\u0301" * 10_000,
    "10,000 blanks": " " * 10_000,
}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_is_refused_in_one_line(name):
    with pytest.raises(BadInput) as refused:
        names.clean(name)
    assert str(refused.value).isprintable()


@given(st.text(max_size=40))
def test_whatever_is_kept_is_visible_short_and_stays_as_it_is(name):
    try:
        kept = names.clean(name)
    except BadInput:
        return
    assert names.clean(kept) == kept
    assert unicodedata.is_normalized("NFKC", kept)
    assert kept.strip() == kept
    assert 1 <= sum(unicodedata.category(c)[0] != "M" for c in kept) <= names.MAX_VISIBLE
    assert not any(unicodedata.category(c)[0] == "C" for c in kept)
    kept.encode("utf-8")


def test_a_tag_is_three_plain_characters_that_belong_to_the_player():
    assert names.tag_of(ME) == names.tag_of(ME)
    assert names.tag_of(ME) != names.tag_of(OTHER)
    assert len(names.tag_of(ME)) == 3
    assert set(names.tag_of(ME)) <= set("0123456789abcdefghjkmnpqrstvwxyz")


def test_lookalikes_differ_by_their_tags():
    assert names.display(ME, "Mia") == f"Mia·{names.tag_of(ME)}"
    assert names.display(ME, "Mia") != names.display(OTHER, "Mia")
    assert names.display(ME, None) == f"Player·{names.tag_of(ME)}"
    assert names.display(ME, None, "Spieler") == f"Spieler·{names.tag_of(ME)}"


def test_a_name_typed_with_its_own_tag_loses_it():
    assert names.clean(names.display(ME, "Mia"), ME) == "Mia"


def test_nobody_can_put_on_the_tag_of_another():
    """The separator is allowed between two l alone, and no tag has an l."""
    with pytest.raises(BadInput):
        names.clean(names.display(OTHER, "Mia"), ME)
    assert names.clean("Col·lege", ME) == "Col·lege"
    assert "l" not in names.tag_of(ME) + names.tag_of(OTHER)


def test_a_tag_alone_is_no_name():
    with pytest.raises(BadInput):
        names.clean(f"·{names.tag_of(ME)}", ME)
