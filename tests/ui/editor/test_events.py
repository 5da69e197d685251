"""Rows that are of several kinds: events and faults."""

from typing import get_args

import pytest
from PySide6.QtCore import QMimeData

from planner.plan.model.events.on_nodes import NodeLoss, ZoneOutage
from planner.plan.model.events.plan_event import PlanEvent
from planner.units import US_PER_MIN
from tests.builders import a_node_group, a_plan, a_workload
from tests.planner.karpenter.karpenter_plans import karpenter_plan, pool
from ui.document.plan_document import PlanDocument
from ui.editor.navigator.navigator_model import NOTE_ROLE
from ui.editor.navigator.sections import sections
from ui.editor.values.adjust import tag_of
from ui.editor.values.seeds import new_row
from ui.editor.values.summaries import name_of

EVENTS = next(section for section in sections() if section.key == "events")
TAGS = [tag_of(model) for model in EVENTS.kinds.models]


@pytest.fixture
def document(qapp):
    """A pool in a zone, one of Karpenter, a workload, and two events of different kinds."""
    events = (
        ZoneOutage(type="zoneOutage", zone="zone-b", at=10 * US_PER_MIN, duration=5 * US_PER_MIN),
        NodeLoss(type="nodeLoss", node_group="general", count=2),
    )
    pools = (a_node_group("general", zone="zone-b"),)
    bought = karpenter_plan([pool("bought")]).karpenter
    return PlanDocument(a_plan(node_groups=pools, workloads=(a_workload("web"),), events=events, karpenter=bought))


def test_each_row_shows_the_fields_of_its_kind(editor, hand):
    hand.field("events[0].zone")
    assert set(editor.form.page.body.editors) == {
        "at", "per_hour", "schedule", "time_zone", "on_holidays", "zone", "duration",
    }  # fmt: skip
    hand.type("events[1].count", "3")
    assert "node_removed_after" in editor.form.page.body.editors
    assert hand.value("events[1].count") == 3


def test_changing_the_type_keeps_common_fields_and_refers_to_existing_rows(hand):
    hand.choose("events[0].type", "slowProvisioning")
    event = hand.value("events[0]")
    assert (tag_of(type(event)), event.at, event.duration) == ("slowProvisioning", 10 * US_PER_MIN, 5 * US_PER_MIN)
    assert event.node_group == "general"
    hand.document.undo_stack.undo()
    assert hand.value("events[0].zone") == "zone-b"


def test_events_are_named_after_what_they_do_and_where(editor, document):
    index = editor.tree.index(0, 0, editor.tree.index_of(EVENTS, None))
    assert index.data() == "Zone outage · zone-b"
    assert index.data(NOTE_ROLE) == "at 10m · for 5m"
    editor._show(EVENTS, 1)
    editor.actions_of_rows.delete.trigger()
    assert document.undo_stack.undoText() == "Delete event Node loss · general"


def test_a_new_event_targets_the_first_pool(editor, document):
    editor._show(EVENTS, 1)
    editor.actions_of_rows.add.trigger()
    assert document.plan.events[2].node_group == "general"
    assert not document.check.findings.problems


def test_rows_of_several_kinds_can_be_copied_whole_and_as_text(editor, document):
    editor._show(EVENTS, 0)
    copied = editor.row_edits.copied(EVENTS, [0, 1])
    assert editor.row_edits.paste(EVENTS, copied, 1) == [2, 3]
    text = QMimeData()
    text.setText(copied.text())
    assert editor.row_edits.paste(EVENTS, text, 3) == [4, 5]
    kinds = [type(event) for event in document.plan.events]
    assert kinds == [ZoneOutage, NodeLoss] * 3
    assert document.plan.events[4] == document.plan.events[0]


@pytest.mark.parametrize("tag", TAGS)
def test_every_kind_can_be_added_without_a_problem(tag, document, editor):
    row = new_row("events", document.plan, frozenset(), tag)
    assert tag_of(type(row)) == tag
    assert name_of(row)
    document.apply(document.plan.model_copy(update={"events": (row,)}), "events")
    assert not document.check.findings.problems
    editor._show(EVENTS, 0)
    assert set(editor.form.page.body.editors) == set(type(row).model_fields) - {"type"}


def test_all_kinds_of_the_plan_are_offered():
    assert EVENTS.kinds.models == get_args(get_args(PlanEvent)[0])
