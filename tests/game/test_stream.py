"""The stream: fair, endless, and the same however it is asked."""

import hashlib
import hmac
from collections import Counter
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from challenge.game.stream import Stream, commitment_of, seed_of

seeds = st.binary(min_size=32, max_size=32)


def _by_the_letter(seed, count):
    """DESIGN.md "Dice stream", written out byte by byte."""
    values, i = [], 0
    while len(values) < count:
        for byte in hmac.new(seed, i.to_bytes(4, "big"), hashlib.sha256).digest():
            if byte < 252:
                values.append(byte % 6 + 1)
        i += 1
    return tuple(values[:count])


@given(seed=seeds, count=st.integers(min_value=0, max_value=700))
def test_the_values_are_those_the_design_spells_out(seed, count):
    assert Stream(seed).values(count) == _by_the_letter(seed, count)


@given(seed=seeds, order=st.lists(st.integers(min_value=0, max_value=130), max_size=20))
def test_a_block_is_the_same_in_whatever_order_blocks_are_read(seed, order):
    stream = Stream(seed)
    for n in (5, 6):
        for k in order:
            assert stream.block(k, n) == _by_the_letter(seed, n * k + n)[n * k :]


def test_every_face_is_as_likely_as_the_next():
    """120,000 values: each face within five standard deviations of its share."""
    seen = Counter(Stream(bytes(32)).values(120_000))
    assert sorted(seen) == [1, 2, 3, 4, 5, 6]
    assert all(abs(count - 20_000) < 5 * 130 for count in seen.values())


def test_each_date_and_each_sheet_has_a_stream_of_its_own():
    days = [date(2026, 11, 30), date(2026, 12, 1)]
    seeds = {seed_of(b"k" * 32, day, sheet) for day in days for sheet in ("yacht", "yatzy")}
    assert len(seeds) == 4
    assert seed_of(b"k" * 32, days[0], "yacht") != seed_of(b"l" * 32, days[0], "yacht")


def test_a_commitment_is_the_hash_of_the_seed_in_hex():
    seed = bytes(range(32))
    assert commitment_of(seed) == hashlib.sha256(seed).hexdigest()
