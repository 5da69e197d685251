"""Cron windows of KEDA on the days on which clocks change: Berlin on 2026-03-29 and 2026-10-25."""

import pytest

from planner.keda.rules.cron_window import CronWindow
from planner.plan.values.zoned_cron import parse_zoned_fields
from planner.units import US_PER_S, format_moment, parse_moment_us

MIN = 60 * US_PER_S


@pytest.mark.parametrize(
    ("start", "end", "begins", "expected"),
    [
        pytest.param("15 2 * * *", "45 2 * * *", "2026-03-28T12:00:00Z", [], id="skipped as a whole"),
        pytest.param("15 2 * * *", "45 2 * * *", "2026-10-24T12:00:00Z", [
            ("2026-10-25T00:15:00Z", True), ("2026-10-25T00:45:00Z", False),
            ("2026-10-25T01:15:00Z", True), ("2026-10-25T01:45:00Z", False),
        ], id="twice"),
        pytest.param("30 1 * * *", "30 2 * * *", "2026-03-28T12:00:00Z", [],
                     id="without an end the next start comes first: it never opens"),
        pytest.param("30 2 * * *", "0 6 * * *", "2026-03-28T04:00:00Z", [
            ("2026-03-29T04:00:00Z", False),
        ], id="without a start the next end comes first: open since the end before"),
        pytest.param("30 1 * * *", "30 2 * * *", "2026-10-24T12:00:00Z", [
            ("2026-10-24T23:30:00Z", True), ("2026-10-25T01:30:00Z", False),
        ], id="open until the second end"),
    ],
)  # fmt: skip
def test_a_window_opens_and_closes_as_its_lines_are_due(start, end, begins, expected):
    window = _window(start, end, "Europe/Berlin")
    first_us = parse_moment_us(begins)
    values = [(first_us + n * MIN, window.value(first_us + n * MIN) > 0) for n in range(25 * 60)]
    changes = [
        (format_moment(at), active)
        for (_, before), (at, active) in zip(values, values[1:], strict=False)
        if before != active
    ]
    assert changes == expected


@pytest.mark.parametrize(
    ("start", "end", "wanted"),
    [
        pytest.param("0 0 30 2 *", "0 6 * * *", 3, id="without any start it is open"),
        pytest.param("0 6 * * *", "0 0 30 2 *", 0, id="without any end it never opens"),
        pytest.param("0 0 30 2 *", "0 6 31 4 *", 3, id="without both it is open"),
    ],
)
def test_a_line_that_is_never_due(start, end, wanted):
    window = _window(start, end, "UTC")
    assert [window.value(hour * 60 * MIN) for hour in range(12)] == [wanted] * 12


@pytest.mark.parametrize(
    ("start", "end", "zone", "open_hours"),
    [
        pytest.param("0 8 * * *", "0 10 * * *", "Asia/Seoul", [23, 0], id="the zone of the trigger"),
        pytest.param("TZ=UTC 0 8 * * *", "CRON_TZ=UTC 0 10 * * *", "Asia/Seoul", [8, 9], id="a line has its own"),
        pytest.param("TZ=UTC 0 2 * * *", "0 13 * * *", "Asia/Seoul", [2, 3], id="start and end differ"),
        pytest.param("TZ= 0 8 * * *", "TZ=Local 0 18 * * *", "Asia/Seoul", [8], id="without a name UTC"),
    ],
)
def test_a_zone_before_the_fields_counts_instead_of_the_trigger_s(start, end, zone, open_hours):
    window = _window(start, end, zone)
    expected = [(hour, 3 if hour in open_hours else 0) for hour in range(24)]
    assert [(hour, window.value(hour * 60 * MIN)) for hour in range(24)] == expected


@pytest.mark.parametrize("line", ["TZ=UTC", "TZ=Nowhere/Here 0 8 * * *", "TZ=UTC @daily", "@daily", "tz=UTC 0 8 * * *"])
def test_other_lines_are_refused(line):
    with pytest.raises(ValueError, match=";"):
        parse_zoned_fields(line, "UTC")


def _window(start: str, end: str, zone: str) -> CronWindow:
    return CronWindow(parse_zoned_fields(start, zone), parse_zoned_fields(end, zone), 3)
