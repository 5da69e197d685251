"""Cards above the forms of autoscalers and reserves."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtTest import QTest

from planner.plan.edits.edit import replace_at
from tests.builders import a_node_group, a_plan, a_pod, a_reserve, a_workload, an_hpa
from ui.document.plan_document import PlanDocument
from ui.editor.previews import reaction_plot


@pytest.fixture
def document(qapp):
    """A workload with an autoscaler that uses the default metric, and a reserve."""
    pools = (a_node_group("general", price_per_hour=0.2, cpu="4", memory="16Gi"),)
    reserve = a_reserve("room", replicas=4, priority=-1, pod=a_pod("500m", "1Gi"))
    workloads = (a_workload("web", replicas=4), a_workload("big", pod=a_pod("1", "1Gi")))
    hpas = (an_hpa("web", min_replicas=2, max_replicas=10, metrics=()),)
    return PlanDocument(
        a_plan(node_groups=pools, workloads=workloads, horizontal_pod_autoscalers=hpas, overprovisioning=(reserve,))
    )


@pytest.fixture
def quick(editor):
    editor.show_place("horizontalPodAutoscalers[0]")
    return editor.form.page.card.parts[0]


@pytest.fixture
def reaction(editor, quick):
    return editor.form.page.card.parts[1]


@pytest.fixture
def card(editor):
    editor.show_place("overprovisioning[0]")
    return editor.form.page.card


def type_into(line, text):
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)


def test_the_short_form_shows_the_defaults_and_the_command(quick):
    assert [line.text() for line in (quick.target, quick.least, quick.most)] == ["80", "2", "10"]
    assert quick.command.text() == "kubectl autoscale deployment/web --cpu=80% --min=2 --max=10"


def test_typing_changes_the_plan_in_one_step_each(quick, document, hand):
    type_into(quick.target, "65")
    assert hand.value("horizontalPodAutoscalers[0].metrics[0].averageUtilization") == 65
    type_into(quick.most, "40")
    assert hand.value("horizontalPodAutoscalers[0].maxReplicas") == 40
    assert "--cpu=65% --min=2 --max=40" in quick.command.text()
    document.undo_stack.undo()
    assert hand.value("horizontalPodAutoscalers[0].maxReplicas") == 10
    assert quick.most.text() == "10"


def test_an_invalid_value_is_marked_and_stays_in_the_field(quick, hand):
    type_into(quick.least, "99")
    quick.mark()
    assert hand.value("horizontalPodAutoscalers[0].minReplicas") <= 10
    assert quick.least.property("mark") == "PROBLEM" and quick.least.text() == "99"


@pytest.mark.parametrize("text", ["much", "0"])
def test_an_invalid_target_is_marked_where_there_is_no_metric_yet(quick, document, text):
    document.apply(replace_at(document.plan, ("horizontal_pod_autoscalers", 0, "metrics"), ()), "none")
    type_into(quick.target, text)
    quick.mark()
    assert quick.target.property("mark") == "PROBLEM" and quick.target.text() == text
    assert [problem.where for problem in document.check.findings.problems] == ["horizontalPodAutoscalers[0].metrics"]
    type_into(quick.target, "70")
    assert document.plan.horizontal_pod_autoscalers[0].metrics[0].average_utilization == 70
    assert not document.drafts


def test_a_first_metric_other_than_cpu_is_left_to_the_full_form(quick, document):
    metric = {"target_type": "AverageValue", "average_value": 300}
    place = ("horizontal_pod_autoscalers", 0, "metrics")
    document.apply(replace_at(document.plan, place, (metric,)), "other metric")
    assert not quick.target.isEnabled() and quick.target.text() == ""
    assert "--cpu" not in quick.command.text()


def test_the_reaction_follows_every_edit(reaction, quick, qtbot):
    qtbot.waitUntil(lambda: len(reaction.wanted.getData()[1]) > 0)
    before = np.array(reaction.wanted.getData()[1])
    assert before[0] == 4 and before.max() == 8
    assert "Up to 8 pods" in reaction.summary.text()
    type_into(quick.most, "6")
    qtbot.waitUntil(lambda: np.array(reaction.wanted.getData()[1]).max() == 6)
    reaction.shape.setCurrentIndex(1)
    qtbot.waitUntil(lambda: np.array(reaction.needed.getData()[1])[-1] == 4)  # the spike is over


def test_the_reaction_is_computed_beside_the_window(reaction, quick, qtbot, monkeypatch):
    threads = []
    monkeypatch.setattr(reaction_plot, "what_if", lambda *_given: threads.append(threading.current_thread()) or 1 / 0)
    with qtbot.captureExceptions() as failed:
        reaction.factor.setCurrentIndex(5)
        qtbot.waitUntil(lambda: bool(failed))
    assert threads and threads[0] is not threading.main_thread()


def test_no_reaction_is_shown_without_the_workload(reaction, document, qtbot):
    document.apply(replace_at(document.plan, ("horizontal_pod_autoscalers", 0, "scale_target"), "gone"), "gone")
    qtbot.waitUntil(reaction.plot.isHidden)
    assert "not in the plan" in reaction.summary.text()


def test_a_reserve_shows_its_price_and_size(card, document):
    # Half a core of four: an eighth of a node at 0.2 an hour, four times, 730 hours.
    assert card.cost.text() == "$73.00 per month on pool general"
    assert "4 pause pods of 500m CPU and 1Gi: 2 CPU and 4Gi in total." in card.holds.text()
    document.apply(replace_at(document.plan, ("node_groups", 0, "price_per_hour"), 0.0), "free")
    assert card.cost.text().startswith("No price")


def test_warnings_are_shown_on_the_reserve(card, editor):
    editor.marks.refresh()
    assert "A pod of big is larger than one pause pod" in card.warnings.text()
    assert not card.warnings.isHidden()


def test_a_reserve_of_one_pod_is_spoken_of_as_one(editor, document):
    document.apply(replace_at(document.plan, ("overprovisioning", 0, "replicas"), 1), "one")
    editor.show_place("overprovisioning[0]")
    assert editor.form.page.card.holds.text() == "1 pause pod of 500m CPU and 1Gi."


def test_a_sentence_rounds_its_durations(reaction):
    steps = [SimpleNamespace(replicas=count) for count in (2, 8)]
    text = reaction._sentence(SimpleNamespace(steps=steps, settled_us=75_240_000, rounds=2))
    assert "the last 75 s after the change" in text
