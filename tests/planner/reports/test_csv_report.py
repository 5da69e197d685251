"""CSV files: what the csv module reads back is what the run says."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given, strategies

from planner.metrics.result import build_result
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.scheduling import Unschedulable
from planner.record.result import RunResult
from planner.record.series import SeriesStore
from planner.reports.csv_report import cell, csv_text, decisions_csv, summary_csv, table_csv, timeseries_csv
from tests.planner.metrics.small_run import small_run


def rows_of(pieces):
    return list(csv.reader(io.StringIO("".join(pieces), newline=""), strict=True))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (float("nan"), ""),
        (float("inf"), ""),
        (0.1, "0.1"),
        (-2.5, "-2.5"),
        (3.0, "3"),
        (-0.0, "0"),
        (1e-7, "0.0000001"),
        (1e22, "10000000000000000000000"),
        (17179869184, "17179869184"),
        (np.int64(5), "5"),
        (np.float64(0.25), "0.25"),
        (True, "true"),
        ("plain", "plain"),
        ("", ""),
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'=1"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\x00b\x7f\u202ec", "a\\x00b\\x7f\\u202ec"),
        ("two\r\nlines\tand a tab", "two  lines and a tab"),
        ("\x00=1", "\\x00=1"),
        ("한국어 ü 🙂", "한국어 ü 🙂"),
        ("a=b", "a=b"),
    ],
)
def test_cell(value, text):
    assert cell(value) == text


@pytest.mark.parametrize("value", [0.1 + 0.2, 1e-300, 123456789.123456789, 2.0**70, 1.5e16])
def test_numbers_come_back_exactly(value):
    assert float(cell(value)) == value
    assert "e" not in cell(value)


def test_commas_and_quotes_survive():
    odd = ["a,b", 'say "hi"', "한국어"]
    text = csv_text(("x", "y", "z"), [odd])
    assert text.startswith("x,y,z\r\n") and text.endswith("\r\n")
    assert rows_of(text)[1] == odd


def test_time_series_start_with_the_time_and_have_a_row_per_record():
    run = small_run()
    header, *rows = rows_of(timeseries_csv(build_result(run, seed=1)))
    assert header == ["time_s", *run.series]
    assert [row[0] for row in rows] == ["0", "60", "320"]
    column = header.index("offered_rps[shop]")
    assert [row[column] for row in rows] == ["100", "300", "100"]


@given(
    strategies.lists(strategies.floats() | strategies.integers(-(10**17), 10**17).map(float), min_size=1, max_size=200)
)
def test_a_time_series_shows_every_value_as_its_cell_would(values):
    times = np.arange(len(values)) * 15_000_000
    run = RunResult("p", 1, 0, times, SeriesStore.of({"x_count": values}), (), {})
    _, *rows = rows_of(timeseries_csv(run))
    assert [row[1] for row in rows] == [cell(value) for value in values]
    assert [row[0] for row in rows] == [str(15 * at) for at in range(len(values))]


def test_summary_has_figure_value_and_unit():
    rows = rows_of(summary_csv(build_result(small_run(), seed=1)))
    assert rows[0] == ["figure", "value", "unit"]
    assert ["requests_lost[shop]", "15000", "requests"] in rows


def test_decisions_say_who_whom_what_and_why():
    decision = Decision(
        1_500_000, Actor.SCHEDULER, Verdict.UNSCHEDULABLE, "=cmd()", details=Unschedulable(2, {"Insufficient cpu": 2})
    )
    result = RunResult("p", 1, 0, np.array([], dtype=np.int64), SeriesStore(), (decision,), {})
    assert rows_of(decisions_csv(result)) == [
        ["time_s", "actor", "subject", "verdict", "why"],
        ["1.5", "scheduler", "'=cmd()", "unschedulable", "0/2 nodes are available: 2 Insufficient cpu."],
    ]


def test_an_empty_table_still_has_its_header():
    assert "".join(table_csv("costs", ())) == "kind,subject,node_hours_h,cost_currency\r\n"
