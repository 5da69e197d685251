"""The search for headroom: its thread, its tab, and what it says."""

import pytest
from PySide6.QtGui import QGuiApplication

from planner.experiments.kinds.stress.tried_load import TriedLoad
from planner.plan.edits.edit import replace_at
from planner.plan.model.demand import Demand
from planner.plan.model.traffic import ConstantLoad, Slo, Traffic
from planner.record.result import Figure
from planner.record.text.latency_bounds import LatencyBounds
from planner.units import US_PER_H, US_PER_MIN
from tests.builders import a_node_group, a_plan, a_pod, a_workload
from ui.document.plan_document import PlanDocument
from ui.headroom import words
from ui.headroom.headroom_panel import HeadroomPanel
from ui.headroom.search import HeadroomSearch, SearchState

PATIENCE_MS = 60_000


def a_searched_plan(rate=20.0, minutes=5):
    """Two pods of one core on two nodes; about 100 requests a second are too many."""
    web = a_workload(
        pod=a_pod("1", "1Gi"),
        traffic=Traffic(profile=ConstantLoad(type="constant", rate=rate)),
        demand=Demand(cpu_seconds_per_request=0.01),
        slo=Slo(target="100ms"),
    )
    plan = a_plan(workloads=(web,), node_groups=(a_node_group(initial_size=2, max_size=2),))
    return replace_at(plan, ("simulation", "duration"), minutes * US_PER_MIN)


@pytest.fixture
def search(qapp):
    search = HeadroomSearch()
    yield search
    search.shutdown()


@pytest.fixture
def document(qapp):
    return PlanDocument(a_searched_plan())


@pytest.fixture
def panel(search, document, theme, qtbot):
    panel = HeadroomPanel(search, document, theme)
    qtbot.addWidget(panel)
    panel.resize(900, 500)
    panel.show()
    return panel


def finish(search, plan, qtbot):
    search.start(plan)
    qtbot.waitUntil(lambda: not search.is_running, timeout=PATIENCE_MS)


def test_a_search_shows_its_runs_and_the_limit_it_found(search, panel, document, qtbot):
    finish(search, document.plan, qtbot)
    assert search.state is SearchState.FINISHED
    assert search.found.tried == search.tried and len(search.tried) == search.found.runs
    assert panel.headline.text() == words.headline(search) and "×" in panel.headline.text()
    assert "web breaks first, at 00:00:" in panel.sentence.text()
    factors = [float(row[0].text.split()[0]) for row in panel.runs.rows]
    assert factors == sorted(factors) and len(factors) == len(search.tried)
    assert {row[1].text[0] for row in panel.runs.rows} == {"✓", "✗"}
    assert [row[0].text for row in panel.room.rows] == ["web"]


def test_the_result_is_marked_when_the_plan_changes_and_unmarked_by_undo(search, panel, document, qtbot):
    finish(search, document.plan, qtbot)
    assert not panel.outdated.isVisible()
    document.apply(replace_at(document.plan, ("node_groups", 0, "max_size"), 3), "Set maximum to 3")
    assert panel.outdated.isVisible() and "Maximum 2 → 3" in panel.outdated.text()
    document.undo_stack.undo()
    assert not panel.outdated.isVisible()


def test_the_result_is_copied_as_text(search, panel, document, qtbot):
    finish(search, document.plan, qtbot)
    panel.copy.click()
    text = QGuiApplication.clipboard().text()
    assert document.plan.name in text and "Runs:" in text and text.count("times the load:") == len(search.tried)


def test_a_cancelled_search_keeps_what_it_has_found(search, panel, document, qtbot):
    search.start(a_searched_plan(minutes=600))
    assert panel.cancel.isVisible() and not panel.begin.isVisible()
    with qtbot.waitSignal(search.ended, timeout=PATIENCE_MS):
        panel.cancel.click()
    assert search.state is SearchState.CANCELLED
    assert search.found.stopped is not None and search.found.stopped.cancelled
    assert panel.begin.isVisible() and not panel.cancel.isVisible()


def test_a_plan_without_an_slo_fails_with_a_remedy(search, panel, qtbot):
    with qtbot.waitSignal(search.failed, timeout=PATIENCE_MS) as failed:
        search.start(a_plan())
    assert "SLO" in failed.args[0].remedy
    assert search.state is SearchState.FAILED and panel.begin.isVisible()


def test_a_new_search_forgets_the_previous_one(search, qtbot):
    search.start(a_searched_plan(minutes=600))
    finish(search, a_searched_plan(), qtbot)
    assert search.state is SearchState.FINISHED and search.tried[0].factor == 1.0


def test_opening_another_plan_clears_the_result(search, panel, document, qtbot):
    finish(search, document.plan, qtbot)
    search.forget()
    assert search.plan is None and search.state is SearchState.IDLE
    assert panel.runs.rows == () and not panel.copy.isVisible()


def test_a_load_that_never_breaks_an_slo_is_reported_as_such(search, panel, qtbot):
    finish(search, a_searched_plan(rate=0.01, minutes=1), qtbot)
    assert search.found.broken_at is None
    assert panel.headline.text() == "At least 64 × the load"


def test_a_latency_beyond_the_time_out_is_the_time_out():
    figures = {"latency_p95_worst[shop]": Figure(10_100.0, "ms"), "latency_p95_worst[api]": Figure(182.0, "ms")}
    tried = TriedLoad(8.0, ("shop",), None, figures, LatencyBounds({"shop": 10_000.0}, US_PER_H))
    assert words.run_row(tried)[3].text == "≥ 10 s (time-out)"
