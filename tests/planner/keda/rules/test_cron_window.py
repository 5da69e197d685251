"""Cron windows of KEDA on the days on which clocks change: Berlin on 2026-03-29 and 2026-10-25."""

import pytest

from planner.keda.rules.cron_window import CronWindow
from planner.plan.values.cron import parse_cron
from planner.plan.values.zoned_cron import zone_named
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
    window = CronWindow(parse_cron(start), parse_cron(end), zone_named("Europe/Berlin"), 3)
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
    window = CronWindow(parse_cron(start), parse_cron(end), zone_named("UTC"), 3)
    assert [window.value(hour * 60 * MIN) for hour in range(12)] == [wanted] * 12
