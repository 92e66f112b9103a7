"""The service day: its instants in every zone, its number, its name."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from challenge.daily.calendar import FIRST_DAY, LAST_DAY, Calendar, number, parse_date
from challenge.errors import BadInput

GRACE = timedelta(minutes=180)
SECOND = timedelta(seconds=1)
ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Pacific/Kiritimati",
    "Pacific/Niue",
    "Australia/Lord_Howe",
    "Africa/Cairo",
    "America/Havana",
    "America/Asuncion",
    "America/Santiago",
    "Asia/Beirut",
)
every_zone = pytest.mark.parametrize("zone", ZONES)


def _calendar(zone="UTC", grace=GRACE):
    return Calendar(ZoneInfo(zone), grace)


def _utc(*parts):
    return datetime(*parts, tzinfo=UTC)


def test_in_utc_a_day_opens_at_midnight_and_closes_three_hours_after_its_end():
    instants = _calendar().instants(date(2026, 11, 30))
    assert instants.opens_at == _utc(2026, 11, 30)
    assert instants.rolls_over_at == _utc(2026, 12, 1)
    assert instants.closes_at == _utc(2026, 12, 1, 3)


@pytest.mark.parametrize(
    ("day", "opens_at", "rolls_over_at"),
    [
        (date(2027, 3, 27), _utc(2027, 3, 26, 23), _utc(2027, 3, 27, 23)),
        (date(2027, 3, 28), _utc(2027, 3, 27, 23), _utc(2027, 3, 28, 22)),
        (date(2027, 3, 29), _utc(2027, 3, 28, 22), _utc(2027, 3, 29, 22)),
        (date(2027, 10, 30), _utc(2027, 10, 29, 22), _utc(2027, 10, 30, 22)),
        (date(2027, 10, 31), _utc(2027, 10, 30, 22), _utc(2027, 10, 31, 23)),
        (date(2027, 11, 1), _utc(2027, 10, 31, 23), _utc(2027, 11, 1, 23)),
    ],
)
def test_in_berlin_the_days_of_the_clock_changes_have_23_and_25_hours(day, opens_at, rolls_over_at):
    instants = _calendar("Europe/Berlin").instants(day)
    assert (instants.opens_at, instants.rolls_over_at) == (opens_at, rolls_over_at)
    assert instants.closes_at - rolls_over_at == GRACE


@every_zone
def test_over_three_years_each_day_begins_where_the_last_one_ends(zone):
    """Every day, clock changes at midnight included, is open from its first instant to its last."""
    calendar = _calendar(zone)
    for day in (date(2026, 1, 1) + timedelta(days=n) for n in range(3 * 366)):
        instants = calendar.instants(day)
        length = instants.rolls_over_at - instants.opens_at
        assert timedelta(hours=23) <= length <= timedelta(hours=25)
        assert calendar.opens_at(day + timedelta(days=1)) == instants.rolls_over_at
        assert calendar.date_at(instants.opens_at) == day
        assert calendar.date_at(instants.rolls_over_at - SECOND) == day
        assert calendar.date_at(instants.rolls_over_at) == day + timedelta(days=1)


@every_zone
@given(
    first=st.integers(min_value=0, max_value=40_000_000),
    later=st.integers(min_value=0, max_value=200_000),
)
def test_time_never_leads_back_to_an_earlier_day(zone, first, later):
    calendar = _calendar(zone)
    at = _utc(2026, 1, 1) + timedelta(seconds=first)
    assert calendar.date_at(at) <= calendar.date_at(at + timedelta(seconds=later))


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Africa/Cairo", date(2027, 4, 30), 23),
        ("Africa/Cairo", date(2027, 10, 28), 25),
        ("America/Havana", date(2027, 3, 14), 23),
        ("America/Havana", date(2027, 11, 7), 25),
        ("Asia/Beirut", date(2027, 3, 28), 23),
        ("Asia/Beirut", date(2027, 10, 30), 25),
        ("America/Asuncion", date(2023, 10, 1), 23),
        ("America/Asuncion", date(2024, 3, 23), 25),
        ("America/Santiago", date(2027, 9, 5), 23),
    ],
)
def test_where_the_clock_changes_at_midnight_the_day_opens_once(zone, day, hours):
    """The missing midnight opens an hour late by the wall clock, the repeated one once."""
    calendar = _calendar(zone)
    instants = calendar.instants(day)
    assert instants.rolls_over_at - instants.opens_at == timedelta(hours=hours)
    assert calendar.date_at(instants.opens_at) == day
    assert calendar.date_at(instants.opens_at - SECOND) == day - timedelta(days=1)
    assert calendar.date_at(instants.rolls_over_at - SECOND) == day


def test_a_grace_of_nothing_closes_a_day_with_its_rollover():
    instants = _calendar(grace=timedelta()).instants(date(2026, 11, 30))
    assert instants.closes_at == instants.rolls_over_at


def test_the_instants_are_in_utc_whatever_the_zone():
    for zone in ZONES:
        instants = _calendar(zone).instants(date(2027, 7, 1))
        for at in (instants.opens_at, instants.rolls_over_at, instants.closes_at):
            assert at.tzinfo is UTC


def test_the_first_of_january_2026_is_number_one_and_the_issue_day_number_334():
    assert number(FIRST_DAY) == 1
    assert number(date(2026, 11, 30)) == 334
    assert number(date(2027, 1, 1)) == 366


@given(day=st.dates(min_value=date(1000, 1, 1), max_value=LAST_DAY))
def test_every_date_is_read_as_it_is_written(day):
    assert parse_date(day.isoformat()) == day


def test_leap_days_exist_where_the_calendar_has_them():
    assert parse_date("2028-02-29") == date(2028, 2, 29)
    for text in ("2027-02-29", "2100-02-29"):
        with pytest.raises(BadInput):
            parse_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "today",
        "2026-11-3",
        "2026-11-31",
        "2026-13-01",
        "2026-00-10",
        "2026-11-00",
        "0000-01-01",
        "26-11-30",
        "20261130",
        "2026-W49-1",
        "2026-334",
        "2026/11/30",
        " 2026-11-30",
        "2026-11-30 ",
        "2026-11-30\n",
        "2026-11-30T00:00:00",
        "+2026-11-30",
        "-2026-11-30",
        "12026-11-30",
        "2026\u201311\u201330",
        "٢٠٢٦-١١-٣٠",
        "２０２６-11-30",
        "२०२६-११-३०",
        "2026-11-3\u00b2",
        "2026-11-30\x00",
        "\ud8002026-11-30",
        "9" * 10_000,
    ],
)
def test_anything_else_than_an_ascii_date_is_refused_in_one_short_line(text):
    with pytest.raises(BadInput) as refused:
        parse_date(text)
    assert len(str(refused.value)) < 120
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("zone", ["UTC", "Etc/GMT+12", "Pacific/Kiritimati"])
def test_the_last_day_that_is_read_still_closes_with_the_longest_grace(zone):
    day = parse_date(LAST_DAY.isoformat())
    assert Calendar(ZoneInfo(zone), timedelta(days=1)).instants(day).closes_at.year == 9999


@pytest.mark.parametrize("text", ["9999-12-29", "9999-12-30", "9999-12-31"])
def test_a_day_that_could_not_close_any_more_is_refused(text):
    with pytest.raises(BadInput, match="too far"):
        parse_date(text)


def test_a_clock_that_goes_back_over_midnight_does_not_bring_the_day_back():
    """St. John's, 2010-11-07: one minute past midnight the wall clock fell back to 23:01."""
    calendar = _calendar("America/St_Johns")
    day = date(2010, 11, 7)
    assert calendar.opens_at(day) == _utc(2010, 11, 7, 2, 30)
    for minutes in range(90):
        assert calendar.date_at(calendar.opens_at(day) + timedelta(minutes=minutes)) == day
