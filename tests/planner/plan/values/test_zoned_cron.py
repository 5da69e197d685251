"""Cron lines in time zones, where clocks change too."""

import pytest

from planner.plan.values.cron import parse_cron
from planner.plan.values.zoned_cron import clock_changes, due_between, next_due_us, zone_named
from planner.units import format_moment, parse_moment_us


@pytest.mark.parametrize(
    ("line", "zone", "after", "due"),
    [
        pytest.param("30 8 * * 1-5", "UTC", "2026-01-09T08:30:00Z", "2026-01-12T08:30:00Z", id="over the weekend"),
        pytest.param("0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z", id="the next leap year"),
        pytest.param("0 9 13 * 5", "UTC", "2026-01-10T00:00:00Z", "2026-01-13T09:00:00Z", id="either day suffices"),
        pytest.param("*/20 * * * *", "UTC", "2026-01-01T00:00:00Z", "2026-01-01T00:20:00Z", id="steps"),
        pytest.param("0 9 * JAN MON", "UTC", "2026-01-01T00:00:00Z", "2026-01-05T09:00:00Z", id="names"),
        pytest.param("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-30T00:30:00Z",
                     id="a time that the clocks skip does not happen"),
        pytest.param("30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z",
                     id="a time that happens twice is due twice"),
        pytest.param("0 7 * * 5", "Africa/Cairo", "2026-04-20T00:00:00Z", "2026-05-01T04:00:00Z",
                     id="a Friday without midnight is missed"),
        pytest.param("0 7 * * *", "Africa/Cairo", "2026-04-23T12:00:00Z", "2026-04-24T04:00:00Z",
                     id="unless the day before it fits, too"),
        pytest.param("30 1 28 3 *", "Asia/Beirut", "2026-03-28T08:00:00Z", "2026-03-28T22:30:00Z",
                     id="the hour after the skipped midnight still counts for the day before"),
        pytest.param("5 0 1 * *", "America/Havana", "2026-02-10T03:30:59.5Z", "2026-03-01T05:05:00Z", id="next month"),
        pytest.param("1,,5 *-3 * * *", "UTC", "2026-01-01T00:01:00Z", "2026-01-01T00:05:00Z",
                     id="empty parts of a list, and the end of a star, do not count"),
        pytest.param("0 9 * * *", "Asia/Kolkata", "2026-01-01T00:00:00Z", "2026-01-01T03:30:00Z", id="half an hour"),
    ],
)  # fmt: skip
def test_a_line_is_due_next(line, zone, after, due):
    found = next_due_us(parse_cron(line), zone_named(zone), parse_moment_us(after))
    assert found is not None and format_moment(found) == due


def test_a_day_that_does_not_exist_is_never_due():
    assert next_due_us(parse_cron("0 0 30 2 *"), zone_named("UTC"), 0) is None


@pytest.mark.parametrize("line", ["* * * *", "60 * * * *", "* * * * 7", "5-1 * * * *", "*/0 * * * *", ", * * * *"])
def test_a_wrong_line_is_refused_with_a_remedy(line):
    with pytest.raises(ValueError, match=";"):
        parse_cron(line)


def test_days_on_which_clocks_skip_or_double_a_time_are_known():
    zone, at_half_past_two = zone_named("Europe/Berlin"), parse_cron("30 2 * * *")
    year = (1_767_225_600_000_000, 1_767_225_600_000_000 + 365 * 86_400_000_000)
    found = [(day.isoformat(), twice) for day, twice in clock_changes(at_half_past_two, zone, *year)]
    assert found == [("2026-03-29", False), ("2026-10-25", True)]
    assert list(clock_changes(at_half_past_two, zone_named("UTC"), *year)) == []
    assert len(list(due_between(at_half_past_two, zone, *year))) == 365
