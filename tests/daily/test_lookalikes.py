"""Letters that pass for others: refused where scripts are mixed, left alone where they are not."""

from __future__ import annotations

import pytest

from challenge.daily import names
from challenge.errors import BadInput

HONEST = {
    "latin with accents": "Zoë Łukasz-Müßig",
    "cyrillic": "Дмитрий",
    "cyrillic that could be latin": "Рома",
    "cyrillic, ukrainian": "Міа",
    "greek": "Αλέξανδρος",
    "hebrew": "עברית",
    "arabic with its digits": "محمد ٣",
    "devanagari": "नमस्ते",
    "thai": "สมชาย",
    "cherokee": "ᏣᎳᎩ",
    "japanese, three scripts": "東京タワーへ",
    "japanese and latin": "DJ東京タワー",
    "korean with chinese": "김金",
    "a word of each script": "DJ Кот",
    "a hyphen between": "Москва-City",
    "a mathematical sign": "Ωmega",
    "digits": "Кот007",
    "an emoji": "Mia🎲",
    "signs": "O'Neill & Söhne",
}


@pytest.mark.parametrize("name", HONEST.values(), ids=HONEST)
def test_a_name_that_deceives_nobody_is_kept(name: str) -> None:
    assert names.clean(name) == name


DECEPTIVE = {
    "a cyrillic i": "M\u0456a",
    "a cyrillic capital a": "\u0410nna",
    "a greek rho": "\u03c1aul",
    "a greek omicron": "T\u03bfm",
    "a latin letter in a cyrillic word": "Дмитpий",
    "a cherokee capital": "\u13aabc",
    "an armenian letter": "A\u0578na",
    "greek in cyrillic": "Ром\u03b1",
    "a whole word that passes for latin": "\u041c\u0456\u0430 Smith",
    "in the second word": "Smith M\u0456a",
    "with a digit": "M\u0456a7",
}


@pytest.mark.parametrize("name", DECEPTIVE.values(), ids=DECEPTIVE)
def test_letters_that_pass_for_those_beside_them_are_refused_and_it_is_said_why(name: str) -> None:
    with pytest.raises(BadInput, match="look alike"):
        names.clean(name)


def test_letters_made_for_mathematics_become_the_plain_ones() -> None:
    assert names.clean("\u2133\U0001d5c2\U0001d5ba") == "Mia"
