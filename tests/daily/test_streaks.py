"""Streaks: consecutive service days, never elapsed time."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from challenge.daily.streaks import current_streak, longest_streak, streak_on

TODAY = date(2026, 11, 30)
some_days = st.sets(
    st.integers(min_value=0, max_value=30).map(lambda ago: TODAY - timedelta(days=ago))
)


def _days(*ago):
    return {TODAY - timedelta(days=n) for n in ago}


def _by_hand(days, day):
    """Walk back from a day until one is missing."""
    length = 0
    while day in days:
        length, day = length + 1, date.fromordinal(day.toordinal() - 1)
    return length


@given(days=some_days, ago=st.integers(min_value=0, max_value=32))
def test_a_streak_is_as_long_as_the_run_of_days_that_ends_there(days, ago):
    day = TODAY - timedelta(days=ago)
    assert streak_on(days, day) == _by_hand(days, day)
    yesterday = day - timedelta(days=1)
    alive = _by_hand(days, day) if day in days else _by_hand(days, yesterday)
    assert current_streak(days, day) == alive


def test_a_streak_stays_alive_until_today_ends():
    assert current_streak(_days(1, 2, 3), TODAY) == 3
    assert current_streak(_days(0, 1, 2, 3), TODAY) == 4
    assert current_streak(_days(2, 3), TODAY) == 0


def test_a_gap_begins_a_new_streak():
    assert streak_on(_days(0, 1, 3, 4, 5), TODAY) == 2


def test_nobody_has_a_streak_without_a_finished_day():
    assert current_streak(set(), TODAY) == 0
    assert streak_on(set(), TODAY) == 0


def test_a_finish_in_the_grace_counts_for_its_own_day():
    """The record names service days, so that a late finish closes the gap it belongs to."""
    assert current_streak(_days(1, 2) | {TODAY}, TODAY) == 3


def test_a_streak_runs_over_leap_days_and_years():
    days = {date(2028, 2, 27) + timedelta(days=n) for n in range(4)}
    assert streak_on(days, date(2028, 3, 1)) == 4
    days = {date(2026, 12, 30) + timedelta(days=n) for n in range(4)}
    assert streak_on(days, date(2027, 1, 2)) == 4


@given(days=some_days)
def test_the_longest_streak_is_the_longest_there_was_on_any_day(days):
    assert longest_streak(days) == max((_by_hand(days, day) for day in days), default=0)


def test_the_longest_streak_outlives_the_one_that_stands():
    assert longest_streak(_days(0, 1, 5, 6, 7, 20)) == 3
    assert longest_streak(set()) == 0
