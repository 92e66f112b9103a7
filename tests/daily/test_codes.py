"""Codes: shown in groups of four, read in whatever way they come in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from challenge.daily import codes
from challenge.daily.names import ALPHABET

CODES = st.sampled_from((codes.TRANSFER_SIGNS, codes.RECOVERY_SIGNS)).flatmap(
    lambda signs: st.text(ALPHABET, min_size=signs, max_size=signs)
)


@given(CODES)
def test_a_code_is_read_as_it_was_shown(code: str) -> None:
    assert codes.read(codes.shown(code)) == code
    assert codes.read(code.upper()) == code


def test_a_code_is_shown_in_groups_of_four() -> None:
    assert codes.shown("k3fm9pqr") == "k3fm-9pqr"
    assert codes.shown("0123456789abcdefghjk") == "0123-4567-89ab-cdef-ghjk"


@pytest.mark.parametrize(
    "typed",
    ["K3FM-9PQ0", "k3fm 9pqo", " k3fm—9pqO\n", "k3fm9pq0", "k3fm\u00a09pq0", "ｋ３ｆｍ９ｐｑ０"],
)
def test_case_spaces_dashes_and_letters_like_digits_are_forgiven(typed: str) -> None:
    assert codes.read(typed) == "k3fm9pq0"


def test_i_and_l_are_a_one() -> None:
    assert codes.read("iIlL-0000") == "11110000"


@pytest.mark.parametrize(
    "typed", ["", "k3fm", "k3fm-9pq", "k3fm-9pqrs", "k3fm-9pqu", "k3fm_9pqr", "🎲" * 8, "0" * 81]
)
def test_what_can_be_no_code_is_none(typed: str) -> None:
    assert codes.read(typed) is None


@given(st.text(max_size=100))
def test_any_input_is_a_code_or_none(typed: str) -> None:
    code = codes.read(typed)
    assert code is None or (len(code) in (8, 20) and set(code) <= set(ALPHABET))
