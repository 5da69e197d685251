"""All figures of a finished run, its cost and its waste."""

import math

import pytest
from PySide6.QtGui import QGuiApplication

from planner.api import load_plan, run_plan
from planner.plan.edits.edit import replace_at
from planner.record.result import Figure
from planner.record.text.latency_bounds import LatencyBounds
from planner.reports.content.known_figures import KNOWN, OTHER, TOPICS, known_figure
from planner.units import US_PER_MIN
from tests.ui.shell.conftest import FLASH_SALE
from ui.runs.messages import RunStarted
from ui.runs.run_data import RunData, RunState
from ui.runs.session import RunSession
from ui.summary.figure_rows import RunFigures, figure_rows, figure_text
from ui.summary.money_rows import cost_rows, waste_rows
from ui.summary.summary_panel import SummaryPanel
from ui.widgets.plain_table import Tone


@pytest.fixture(scope="module")
def plan():
    plan = load_plan(FLASH_SALE)
    return replace_at(replace_at(plan, ("costs", "currency"), "EUR"), ("simulation", "duration"), 20 * US_PER_MIN)


@pytest.fixture(scope="module")
def result(plan):
    return run_plan(plan)


def a_finished_run(plan, result, number=1):
    run = RunData(number, f"run {number}", plan, 1)
    run.begin(RunStarted(tuple(result.series), result.until_us))
    run.finish(result, RunState.FINISHED)
    return run


@pytest.fixture
def session(qapp):
    return RunSession()


@pytest.fixture
def panel(session, theme, qtbot):
    panel = SummaryPanel(session, theme)
    qtbot.addWidget(panel)
    panel.resize(900, 500)
    panel.show()
    return panel


def test_every_figure_of_a_run_has_a_name_on_the_screen(result):
    unknown = {name.partition("[")[0] for name in result.figures if known_figure(name.partition("[")[0]).topic == OTHER}
    assert unknown == set()


def test_every_topic_is_known():
    assert {known.topic for known in KNOWN.values()} | {OTHER} == set(TOPICS)


def test_a_new_figure_is_shown_under_its_own_name():
    rows = figure_rows(RunFigures({"shiny_new_count[web]": Figure(3.0, "count")}), RunFigures({}), "USD")
    assert [cell.text.strip() for cell in rows[1]] == ["Shiny new count", "web", "3", "", ""]


@pytest.mark.parametrize(
    ("name", "value", "unit", "expected"),
    [
        ("slo_attainment", 0.9934, "ratio", "99.3 %"),
        ("latency_p95_worst", 1240.0, "ms", "1.24 s"),
        ("latency_p95_worst", float("inf"), "ms", "∞"),
        ("latency_p95_worst_at", 795.0, "s", "00:13:15"),
        ("pod_start_p95", 283.0, "s", "4m 43s"),
        ("cost", 1.5739, "EUR", "€1.57"),
        ("cpu_used_mean", 18.23, "cores", "18.2 cores"),
        ("waste_slack_memory", 3 * 2.0**30, "bytes", "3 GiB"),
        ("flapping_index", 3.625, "per_h", "3.62 /h"),
        ("retry_amplification", 1.25, "ratio", "1.25 ×"),
        ("node_hours", 238.76, "h", "238.8 h"),
        ("upgrade_time", 12.5, "parsecs", "12.5 parsecs"),
    ],
)
def test_values_are_shown_with_their_unit(name, value, unit, expected):
    assert figure_text(name, Figure(value, unit), "EUR") == expected


def test_differences_show_what_is_better_and_what_did_not_change(result):
    before = {name: Figure(figure.value * 2, figure.unit) for name, figure in result.figures.items()}
    rows = {
        (row[0].text.strip(), row[1].text): row[4]
        for row in figure_rows(RunFigures(result.figures), RunFigures(before), "EUR")
    }
    assert rows["Requests lost", ""].tone is Tone.GOOD and "better" in rows["Requests lost", ""].text
    met = rows["SLO met, share of time", "shop"]
    assert met.tone is Tone.BAD and "pt worse" in met.text
    same = {
        (row[0].text.strip(), row[1].text): row[4]
        for row in figure_rows(RunFigures(result.figures), RunFigures(result.figures), "EUR")
    }
    assert {cell.text for cell in same.values()} <= {"=", ""}
    near = figure_rows(
        RunFigures({"pod_start_p95": Figure(283.0, "s")}), RunFigures({"pod_start_p95": Figure(283.01, "s")}), "EUR"
    )
    assert near[1][4].text == "≈"


def test_the_parts_of_the_cost_add_up_to_the_total(result):
    costs = {kind: sum(r["cost_currency"] for r in result.costs if r["kind"] == kind) for kind in
             ("total", "node group", "workload", "idle", "namespace")}  # fmt: skip
    rows = cost_rows(result.costs, "EUR")
    assert rows[0][2].text == f"€{costs['total']:.2f}"
    assert costs["workload"] + costs["idle"] == pytest.approx(costs["total"])
    shares = [cell.share for row in rows for cell in row if cell.share is not None]
    assert sum(shares) == pytest.approx(2.0 + costs["namespace"] / costs["total"])
    titles = [row[0].text for row in rows if row[0].tone is Tone.HEADING]
    assert titles == ["Total", "By node pool", "By workload", "By namespace"]


def test_waste_has_a_row_for_each_kind(result):
    rows = waste_rows(result.figures, "EUR")
    assert [row[0].text for row in rows] == ["Slack", "Over-request"]
    assert all(row[3].text.startswith("€") for row in rows)


def test_only_a_hint_is_shown_before_a_run_ends(panel, session, plan):
    assert "F5" in panel.empty.text()
    run = RunData(1, "run 1", plan, 1)
    run.set_state(RunState.RUNNING)
    session.add(run)
    assert panel.empty.isVisible() and "ended" in panel.empty.text()


def test_a_finished_run_is_shown_and_copied(panel, session, plan, result):
    session.add(a_finished_run(plan, result))
    assert panel.figure_view.isVisible() and panel.figure_view.isColumnHidden(3)
    panel.copy.click()
    text = QGuiApplication.clipboard().text()
    assert "SLO met, share of time\tshop" in text and "By node pool" in text and "Slack\t" in text


def test_a_baseline_adds_its_columns(panel, session, plan, result):
    session.add(a_finished_run(plan, result))
    session.add(a_finished_run(plan, result, 2))
    assert not panel.figure_view.isColumnHidden(3)
    assert panel.run_names.text() == "run 2, compared with run 1"
    session.choose_baseline(None)
    assert panel.figure_view.isColumnHidden(4)


def test_figures_are_searched_by_words(panel, session, plan, result):
    session.add(a_finished_run(plan, result))
    panel.search.setText("latency SHOP")
    assert [row[0].text.strip() for row in panel.figures.rows] == [
        "Service", "p95 latency, worst", "p95 latency, worst at", "p99 latency, worst", "p99 latency, worst at",
    ]  # fmt: skip
    panel.search.setText("no such figure")
    assert panel.figures.rows == ()


def test_latencies_beyond_the_run_are_its_bound_and_compare_as_such(plan):
    now, before = ({"latency_p95_worst[shop]": Figure(value, "ms")} for value in (math.inf, 637 * 60_000.0))
    bounds = LatencyBounds.of(plan, 3_600_000_000)
    (_topic, row) = figure_rows(RunFigures(now, bounds), RunFigures(before, bounds), "USD")
    assert "≥" in row[2].text and row[2].text == row[3].text and row[4].text == "="
