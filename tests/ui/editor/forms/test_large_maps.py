"""Maps of hundreds of pairs, such as the nodes that imported pods run on."""

import pytest

from planner.plan.edits.edit import replace_at
from tests.builders import a_node_group, a_plan, a_workload
from ui.document.plan_document import PlanDocument

COUNT = 300


@pytest.fixture
def document(qapp):
    places = {f"general-{number:04d}": 1 for number in range(1, COUNT + 1)}
    web = a_workload("web", replicas=COUNT, starts_on=places)
    return PlanDocument(a_plan(node_groups=(a_node_group("general", initial_size=COUNT, max_size=COUNT),),
                               workloads=(web, a_workload("api"))))  # fmt: skip


@pytest.fixture
def places(editor):
    editor.show_place("workloads[0].replicas")
    return editor.form.page.body.editors["starts_on"]


def test_they_start_collapsed_with_a_short_summary(places):
    assert not places.fold.is_open and places._pairs == []
    assert f"({COUNT})" in places.fold.summary.text()
    assert len(places.fold.summary.text()) < COUNT


def test_they_show_a_page_at_a_time(places):
    places.fold.arrow.click()
    assert len(places._pairs) == 40
    assert places._more.text() == f"Show 40 more of {COUNT}"
    places._more.click()
    assert len(places._pairs) == 80


def test_the_pair_with_a_problem_is_shown(places, editor):
    editor.show_place('workloads[0].startsOn["general-0100"]')
    assert len(places._pairs) == 100
    assert places._pairs[99].key.text() == "general-0100"


def test_a_new_pair_starts_with_a_node_of_the_plan(places, editor, hand, document):
    editor.show_place("workloads[1].replicas")
    places.add_button.click()
    assert hand.value("workloads[1].startsOn") == {"general-0001": 1}
    document.apply(replace_at(document.plan, ("workloads", 1, "starts_on"), {}), "none")
    assert places._pairs == [] or not places.fold.is_open


def test_feature_gates_are_switched_one_by_one_and_begin_with_one_that_the_version_knows(editor, hand):
    editor.show_place("featureGates")
    gates = editor.form.page.body.editors["feature_gates"]
    gates.add_button.click()
    (name,) = hand.value("featureGates")
    assert hand.value("featureGates") == {name: True}
    assert gates._pairs[0].value.text() == "true"
    gates._pairs[0]._write("perhaps")
    assert "Enter true or false" in gates._pairs[0].message._text.text()
    gates._pairs[0]._write("off")
    assert hand.value("featureGates") == {name: False}


def test_a_feature_gate_that_is_unknown_is_marked_at_its_line(editor, document):
    document.apply(replace_at(document.plan, ("feature_gates",), {"HPAScaleZero": True}), "gate")
    editor.show_place("featureGates.HPAScaleZero")
    editor.marks.refresh()
    gates = editor.form.page.body.editors["feature_gates"]
    gates._pairs[0].mark()
    assert "HPAScaleToZero" in gates._pairs[0].message._text.text()
