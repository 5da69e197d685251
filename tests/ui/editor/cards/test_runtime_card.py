"""How a service runs its requests: presets and the latency that follows."""

import pytest

from planner.plan.model.serving import Discipline
from tests.builders import a_node_group, a_plan, a_workload
from ui.document.plan_document import PlanDocument

WEB = "workloads[0].demand"


@pytest.fixture
def document(qapp):
    """One workload with load on pods of half a core."""
    web = a_workload("web", demand={"cpuSecondsPerRequest": 0.01})
    return PlanDocument(a_plan(node_groups=(a_node_group("general"),), workloads=(web,)))


@pytest.fixture
def parts(hand):
    hand.field(f"{WEB}.workers")
    return hand.editor.form.open_way(("workloads", 0, "demand", "workers")) and cards_of(hand)


def cards_of(hand):
    from ui.editor.cards.runtime_card import RuntimeCard
    from ui.editor.previews.latency_plot import LatencyPlot

    form = hand.editor.form
    return form.findChild(RuntimeCard), form.findChild(LatencyPlot)


def choose(card, name):
    index = card.runtime.findData(name)
    card.runtime.setCurrentIndex(index)
    card.runtime.activated.emit(index)


def test_a_preset_sets_how_requests_run_in_one_step(parts, hand, document):
    card, _ = parts
    assert card.runtime.currentData() != "event-loop"
    choose(card, "event-loop")
    demand = hand.value(WEB)
    assert (demand.workers, demand.discipline, demand.cpu_seconds_per_request) == (1, Discipline.QUEUE, 0.01)
    assert card.runtime.currentData() == "event-loop" and "second core" in card.description.text()
    document.undo_stack.undo()
    assert hand.value(WEB).workers is None and card.runtime.currentData() != "event-loop"


def test_a_pool_has_a_size(parts, hand):
    card, _ = parts
    choose(card, "pre-fork")
    assert card.processes.isVisibleTo(card) and hand.value(WEB).workers == 8
    card.processes.setValue(20)
    assert hand.value(WEB).workers == 20 and card.runtime.currentData() == "pre-fork"


def test_the_plot_shows_saturation_and_percentiles_and_follows_edits(parts, hand, qtbot):
    card, plot = parts
    choose(card, "event-loop")
    qtbot.waitUntil(lambda: "up to 100 requests/s" in plot.summary.text(), timeout=20_000)
    p50, p99 = plot.p50.getData()[1], plot.p99.getData()[1]
    assert (p99 >= p50).all() and p99[-1] > p99[0]
    hand.type(f"{WEB}.cpuSecondsPerRequest", "0.02")
    qtbot.waitUntil(lambda: "up to 50 requests/s" in plot.summary.text(), timeout=20_000)


def test_a_wrong_value_leaves_the_plot_as_it_was(parts, hand, qtbot):
    card, plot = parts
    choose(card, "event-loop")
    qtbot.waitUntil(lambda: "up to 100 requests/s" in plot.summary.text(), timeout=20_000)
    hand.type(f"{WEB}.workers", "0")
    assert hand.value(WEB).workers == 1
    assert any("workers" in where for where, _ in hand.problems())
    assert "up to 100 requests/s" in plot.summary.text()


def test_pods_without_cpu_for_requests_are_said(parts, hand, qtbot):
    _, plot = parts
    hand.type(f"{WEB}.idleCpu", "500")
    qtbot.waitUntil(lambda: "serves no request" in plot.summary.text(), timeout=20_000)
    assert not plot.plot.isVisibleTo(plot)
