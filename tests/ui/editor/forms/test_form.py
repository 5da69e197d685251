"""Typing, choosing and folding in the generated form."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from planner.plan.edits.edit import remove_at, replace_at, replace_many
from planner.plan.files.io import plan_to_text
from planner.plan.model.autoscalers.cluster_autoscaler import GpuLimit
from planner.plan.model.autoscalers.hpa_metric import HpaMetric
from planner.plan.model.pods.placement import NodeSelectorTerm
from planner.plan.model.serving import Call
from planner.plan.model.traffic import ConstantLoad, Traffic
from ui.editor.forms.editor_base import MarkLabel
from ui.editor.values.summaries import item_title
from ui.editor.values.where import path_of

STEADY = Traffic(profile=ConstantLoad(type="constant", rate=10.0))


def test_typed_text_is_in_the_plan_at_once(hand):
    hand.type("nodeGroups[0].cpu", "3920m")
    assert hand.value("nodeGroups[0].cpu") == 3920
    assert hand.undo_text() == "Set CPU of general to 3920m"


def test_typing_in_one_field_is_one_undo_step(hand):
    before = hand.document.plan
    hand.type("nodeGroups[0].provisioningDelay", "120s")
    assert hand.document.undo_stack.count() == 1
    hand.document.undo_stack.undo()
    assert hand.document.plan is before
    assert hand.field("nodeGroups[0].provisioningDelay").text() == "3m30s"


def test_two_visits_to_a_field_are_two_undo_steps(hand):
    hand.type("nodeGroups[0].maxSize", "12")
    hand.field("nodeGroups[0].name")
    hand.type("nodeGroups[0].maxSize", "14")
    assert hand.document.undo_stack.count() == 2


def test_undo_in_a_field_reverts_the_step_not_single_characters(hand):
    field = hand.type("nodeGroups[0].maxSize", "12")
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert hand.value("nodeGroups[0].maxSize") == 10
    assert field.text() == "10"
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert hand.value("nodeGroups[0].maxSize") == 12


def test_text_that_is_invalid_while_typing_stays_as_typed(hand):
    field = hand.type("nodeGroups[0].deletionDelay", "250ms")  # 250 is nothing, 250m are minutes
    assert (field.text(), hand.value("nodeGroups[0].deletionDelay")) == ("250ms", 250_000)
    assert hand.document.undo_stack.count() == 1


def test_text_is_normalised_only_when_the_field_loses_focus(hand):
    field = hand.type("nodeGroups[0].cpu", "2000m")
    assert (field.text(), hand.value("nodeGroups[0].cpu")) == ("2000m", 2000)
    hand.field("nodeGroups[0].name")
    assert field.text() == "2"


@pytest.mark.parametrize(("where", "text", "words"), [
    pytest.param("nodeGroups[0].maxSize", "many", "Enter digits only", id="no number"),
    pytest.param("nodeGroups[0].maxSize", "20000", "The largest value allowed is 15000", id="above the bound"),
    pytest.param("nodeGroups[0].cpu", "4 cores", "for example 250m", id="no quantity"),
    pytest.param("nodeGroups[0].memory", "", "empty", id="empty"),
    pytest.param("nodeGroups[0].name", "Not a name", "Use lower case letters", id="no name"),
    pytest.param("simulation.duration", "1", "for example 90s", id="no unit"),
    pytest.param("horizontalPodAutoscalers[0].minReplicas", "99", "raise “Maximum”", id="above the maximum"),
])  # fmt: skip
def test_an_invalid_value_stays_in_the_field_with_a_remedy(hand, where, text, words):
    before = hand.value(where)
    field = hand.type(where, text)
    row = field.parent()
    assert field.text() == text
    assert words in row.message.text()
    assert field.property("mark") == "PROBLEM"
    assert hand.value(where) == before  # also where the first digits would fit
    assert hand.document.undo_stack.count() == 1
    hand.editor.show_place("scheduler.percentageOfNodesToScore")
    assert hand.field(where).text() == text
    assert (where, row.message.text()) in hand.problems()
    hand.document.undo_stack.undo()
    assert hand.problems() == [] and hand.value(where) == before


def test_a_corrected_draft_is_dropped(hand):
    field = hand.type("nodeGroups[0].maxSize", "many")
    hand.type("nodeGroups[0].maxSize", "12")
    assert hand.value("nodeGroups[0].maxSize") == 12
    assert (field.property("mark"), field.parent().message.text()) == ("NONE", "")
    assert hand.problems() == []


def test_a_draft_moves_with_its_row_and_is_dropped_with_it(hand):
    hand.type("nodeGroups[1].maxSize", "many")
    hand.editor.show_place("nodeGroups[0]")
    hand.editor.actions_of_rows.down.trigger()
    assert [where for where, _ in hand.problems()] == ["nodeGroups[0].maxSize"]
    hand.editor.show_place("nodeGroups[0]")
    hand.editor.actions_of_rows.delete.trigger()
    assert hand.problems() == []


def test_undo_takes_back_the_draft_first_and_then_the_value_before_it(hand):
    hand.type("nodeGroups[0].maxSize", "12")
    hand.field("nodeGroups[0].name")
    field = hand.type("nodeGroups[0].maxSize", "x")
    assert hand.value("nodeGroups[0].maxSize") == 12
    hand.document.undo_stack.undo()
    assert (field.text(), hand.problems()) == ("12", [])
    hand.document.undo_stack.undo()
    assert (field.text(), hand.problems()) == ("10", [])


def test_a_draft_is_dropped_when_its_value_is_set_otherwise(hand):
    hand.type("nodeGroups[0].maxSize", "x")
    hand.document.apply(replace_at(hand.document.plan, ("node_groups", 0, "max_size"), 30), "Set")
    assert hand.problems() == [] and hand.field("nodeGroups[0].maxSize").text() == "30"


def test_a_minimum_draft_is_applied_once_its_maximum_allows_it(hand):
    hand.type("horizontalPodAutoscalers[0].minReplicas", "20")
    assert hand.value("horizontalPodAutoscalers[0].minReplicas") == 1
    hand.type("horizontalPodAutoscalers[0].maxReplicas", "30")
    autoscaler = hand.document.plan.horizontal_pod_autoscalers[0]
    assert (autoscaler.min_replicas, autoscaler.max_replicas) == (20, 30)
    assert hand.problems()[0][0] == "workloads[0].replicas"  # only the hint is left


def test_choices_switches_and_texts_can_be_edited(hand):
    hand.choose("workloads[0].kind", "DaemonSet")
    assert hand.value("workloads[0].kind") == "DaemonSet"
    assert hand.undo_text() == "Set Kind of web to DaemonSet"
    box = hand.field("clusterAutoscaler.enabled")
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=box.rect().center() - box.rect().center())
    box.click()
    assert hand.value("clusterAutoscaler.enabled") is False
    assert hand.undo_text() == "Turn off Cluster Autoscaler of Cluster Autoscaler"
    notes = hand.field("notes")
    QTest.keyClicks(notes, "one")
    QTest.keyClick(notes, Qt.Key.Key_Return)
    QTest.keyClicks(notes, "two")
    assert hand.value("notes") == "one\ntwo"


def test_the_wheel_does_not_change_a_choice(hand, editor):
    box = hand.field("workloads[0].kind")
    from PySide6.QtCore import QPoint, QPointF
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QApplication

    middle = QPointF(box.rect().center())
    event = QWheelEvent(middle, box.mapToGlobal(middle), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
                        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False)  # fmt: skip
    QApplication.sendEvent(box, event)
    assert hand.value("workloads[0].kind") == "Deployment"


def test_an_optional_part_is_added_and_removed(hand, editor):
    box = hand.field("workloads[0].slo")
    box.click()
    assert hand.value("workloads[0].slo.target") == 500_000
    hand.type("workloads[0].slo.target", "250ms")
    assert hand.undo_text() == "Set Target of web to 250ms"
    hand.field("workloads[0].slo")
    box.click()
    assert hand.value("workloads[0].slo") is None
    assert hand.undo_text() == "Remove SLO from web"
    assert editor.form.open_way(("workloads", 0, "slo", "target")) is box


def test_changing_the_type_of_a_load_keeps_what_fits(hand):
    hand.field("workloads[0].traffic").click()
    hand.type("workloads[0].traffic.profile.rate", "250")
    hand.choose("workloads[0].traffic.profile.type", "spike")
    spike = hand.value("workloads[0].traffic.profile")
    assert (spike.type, spike.base) == ("spike", 250)
    hand.type("workloads[0].traffic.profile.peak", "900")
    hand.choose("workloads[0].traffic.profile.type", "scale")
    scaled = hand.value("workloads[0].traffic.profile")
    assert (scaled.type, scaled.profile.type, scaled.profile.peak) == ("scale", "spike", 900)
    hand.type("workloads[0].traffic.profile.profile.peak", "901")
    hand.choose("workloads[0].traffic.profile.type", "sum")
    assert hand.value("workloads[0].traffic.profile.profiles[0]") == scaled.model_copy(
        update={"profile": scaled.profile.model_copy(update={"peak": 901})}
    )


def test_items_of_a_list_are_added_moved_and_removed(hand, editor):
    editor.show_place("workloads[0].pod.tolerations")
    tolerations = editor.form.page.body.editors["pod"]._body.editors["tolerations"]
    tolerations.add_button.click()
    tolerations.add_button.click()
    hand.type("workloads[0].pod.tolerations[1].key", "spot")
    assert [one.key for one in hand.value("workloads[0].pod.tolerations")] == ["", "spot"]
    tolerations.shift(1, -1)
    assert [one.key for one in hand.value("workloads[0].pod.tolerations")] == ["spot", ""]
    tolerations.remove(1)
    assert [one.key for one in hand.value("workloads[0].pod.tolerations")] == ["spot"]
    assert hand.undo_text() == "Change Tolerations of web"
    assert hand.field("workloads[0].pod.tolerations[0].key").text() == "spot"


def test_removing_the_last_container_is_refused_with_a_reason(hand, editor):
    editor.show_place("workloads[0].pod.containers")
    editor.form.page.body.editors["pod"]._body.editors["containers"].remove(0)
    assert len(hand.value("workloads[0].pod.containers")) == 1
    assert editor._note.isVisibleTo(editor) and editor._note.text()
    assert hand.problems() == []


def test_each_choice_can_be_added_to_a_list_once(hand, editor):
    editor.show_place("clusterAutoscaler.expander")
    expanders = editor.form.page.body.editors["expander"]
    expanders.add_button.click()
    assert hand.value("clusterAutoscaler.expander") == ("least-waste", "most-pods")
    hand.choose("clusterAutoscaler.expander[1]", "price")
    assert hand.value("clusterAutoscaler.expander") == ("least-waste", "price")
    hand.choose("clusterAutoscaler.expander[0]", "price")
    assert hand.value("clusterAutoscaler.expander") == ("least-waste", "price")
    assert any("named twice" in text for _, text in hand.problems())


def points_of(editor):
    return editor.form.page.body.editors["traffic"]._body.editors["profile"]._body.editors["points"]


def test_points_are_added_one_after_the_other(hand, editor):
    hand.field("workloads[0].traffic").click()
    hand.choose("workloads[0].traffic.profile.type", "points")
    for _ in range(3):
        points_of(editor).add()
    times = [point.at for point in hand.value("workloads[0].traffic.profile.points")]
    assert len(times) == 5 and times == sorted(set(times))
    hand.type("workloads[0].traffic.profile.points[1].at", "9h")
    assert any("in order of time" in text for _, text in hand.problems())
    assert [point.at for point in hand.value("workloads[0].traffic.profile.points")] == times


def test_long_lists_are_shown_in_pages(hand, editor):
    points = [{"at": f"{second}s", "rate": 1} for second in range(5_000)]
    traffic = {"profile": {"type": "points", "points": points}}
    hand.document.apply(replace_at(hand.document.plan, ("workloads", 0, "traffic"), traffic), "points")
    editor.show_place("workloads[0].traffic.profile.points[0].rate")
    assert len(points_of(editor)._items) == 40
    points_of(editor)._more.click()
    assert len(points_of(editor)._items) == 80
    hand.type("workloads[0].traffic.profile.points[95].rate", "7")
    assert hand.value("workloads[0].traffic.profile.points[95].rate") == 7


def test_a_draft_applied_with_another_field_survives_further_typing(hand):
    hand.type("horizontalPodAutoscalers[0].minReplicas", "20")
    hand.type("horizontalPodAutoscalers[0].maxReplicas", "30x")
    autoscaler = hand.document.plan.horizontal_pod_autoscalers[0]
    assert (autoscaler.min_replicas, autoscaler.max_replicas) == (1, 10)
    assert hand.field("horizontalPodAutoscalers[0].minReplicas").text() == "20"
    hand.type("horizontalPodAutoscalers[0].maxReplicas", "30")
    autoscaler = hand.document.plan.horizontal_pod_autoscalers[0]
    assert (autoscaler.min_replicas, autoscaler.max_replicas) == (20, 30)


def test_labels_are_added_renamed_and_removed(hand, editor):
    editor.show_place("nodeGroups[0].labels")
    labels = editor.form.page.body.editors["labels"]
    labels.add_button.click()
    labels.add_button.click()
    assert hand.value("nodeGroups[0].labels") == {"key": "", "key-2": ""}
    pair = labels._pairs[0]
    pair.key.setFocus()
    pair.key.selectAll()
    QTest.keyClicks(pair.key, "disk")
    QTest.keyClicks(pair.value, "ssd")
    assert hand.value("nodeGroups[0].labels") == {"disk": "ssd", "key-2": ""}
    pair.key.selectAll()
    QTest.keyClicks(pair.key, "key-2")
    assert "already exists" in pair.message.text()
    assert list(hand.value("nodeGroups[0].labels")) == ["key-", "key-2"]
    labels.remove("key-2")
    assert list(hand.value("nodeGroups[0].labels")) == ["key-"]


def test_quantities_of_extended_resources_are_numbers(hand, editor):
    editor.show_place("nodeGroups[0].extended")
    editor.form.page.body.editors["extended"].add_button.click()
    hand.type('nodeGroups[0].extended["example.com/resource"]', "4")
    assert hand.value("nodeGroups[0].extended") == {"example.com/resource": 4}
    hand.field("nodeGroups[0].name")
    hand.type('nodeGroups[0].extended["example.com/resource"]', "four")
    assert hand.value("nodeGroups[0].extended") == {"example.com/resource": 4}
    assert any("whole number" in text for _, text in hand.problems())


def test_references_offer_existing_names(hand, editor):
    editor.show_place("priorityClasses")
    editor.actions_of_rows.add.trigger()
    names = hand.field("workloads[0].pod.priorityClass")
    assert names._names() == ["", "name", "system-cluster-critical", "system-node-critical"]
    target = hand.field("horizontalPodAutoscalers[0].scaleTarget")
    assert target._names() == ["web", "batch"]
    hand.type("horizontalPodAutoscalers[0].scaleTarget", "batch")
    assert hand.value("horizontalPodAutoscalers[0].scaleTarget") == "batch"


def test_a_metric_changes_its_kind_of_target_in_one_step(hand, editor):
    editor.show_place("horizontalPodAutoscalers[0].metrics")
    editor.form.page.body.editors["metrics"].add_button.click()
    where = "horizontalPodAutoscalers[0].metrics[0]"
    hand.choose(f"{where}.targetType", "AverageValue")
    metric = hand.value(where)
    assert (metric.average_utilization, metric.average_value) == (None, 250)
    hand.choose(f"{where}.targetType", "Utilization")
    assert hand.value(where).average_utilization == 80


def test_a_field_reset_to_its_default_is_left_out_of_the_file(hand):
    hand.type("nodeGroups[0].maxSize", "12")
    assert '"maxSize": 12' in plan_to_text(hand.document.plan)
    hand.field("nodeGroups[0].maxSize").parent().reset()
    assert hand.value("nodeGroups[0].maxSize") == 10
    assert '"maxSize": 10' not in plan_to_text(hand.document.plan)
    assert hand.field("nodeGroups[0].maxSize").text() == "10"


@pytest.mark.parametrize(
    ("where", "is_offered"), [("nodeGroups[0].maxSize", True), ("nodeGroups[0].name", False), ("schemaVersion", False)]
)
def test_the_menu_of_a_field_makes_a_variant_of_it_where_a_variant_may_change_it(hand, editor, where, is_offered):
    wanted, menu, row = [], QMenu(), hand.field(where).parent()
    editor.edits.variant_wanted.connect(wanted.append)
    row._extend_menu(menu)
    offered = [action for action in menu.actions() if "variant" in action.text()]
    for action in offered:
        action.trigger()
    assert wanted == ([path_of(where)] if is_offered else [])


def test_the_format_version_is_read_only(hand):
    assert not hand.field("schemaVersion").isEnabled()


def test_a_change_made_elsewhere_is_shown(hand):
    field = hand.field("nodeGroups[0].maxSize")
    plan = replace_at(hand.document.plan, ("node_groups", 0, "max_size"), 33)
    hand.document.apply(plan, "from elsewhere")
    assert field.text() == "33"


def test_forms_are_refilled_not_rebuilt(hand, editor):
    editor.show_place("workloads[0]")
    page = editor.form.page
    editor.show_place("workloads[1]")
    assert editor.form.page is page
    assert page.body.editors["name"].input.text() == "batch"


def test_the_form_of_a_workload_begins_with_size_load_and_objective(editor):
    editor.show_place("workloads[0]")
    shown = list(editor.form.page.body.editors)
    assert shown[:7] == ["name", "kind", "replicas", "traffic", "demand", "slo", "pod"]


def test_a_load_is_folded_where_a_workload_is_shown_and_open_where_loads_are(editor, document):
    document.apply(replace_at(document.plan, ("workloads", 0, "traffic"), STEADY), "Load")
    editor.show_place("workloads[0]")
    assert not editor.form.page.body.editors["traffic"].fold.is_open
    editor._show(next(one for one in editor.tree.sections if one.key == "load_profiles"), 0)
    assert editor.form.page.body.editors["traffic"].fold.is_open


@pytest.mark.parametrize(
    ("item", "title"),
    [
        (GpuLimit(type="nvidia-l4", max=4), "nvidia-l4"),
        (HpaMetric(average_utilization=60), "cpu"),
        (HpaMetric(type="External", metric="queue", target_type="Value", value=1000), "queue"),
        (Call(workload="cart"), "cart"),
        (NodeSelectorTerm(), ""),
    ],
)
def test_items_of_a_list_are_titled_by_what_tells_them_apart(item, title):
    assert item_title(item) == title


def test_an_item_is_folded_under_its_title(hand, editor):
    editor.show_place("horizontalPodAutoscalers[0].metrics")
    metrics = editor.form.page.body.editors["metrics"]
    metrics.add_button.click()
    assert metrics._items[0].editor.fold.arrow.text() == "cpu"


def test_a_choice_made_in_a_part_that_has_gone_is_refused_and_changes_nothing(hand, editor, document):
    """A list of choices may still be open when the file is read again or a step is undone by another window."""
    field, said = hand.field("nodeGroups[1].pricing.billedFrom"), []
    path, shape = ("node_groups", 1, "pricing", "billed_from"), field.parent().shape
    editor.edits.refused.connect(said.append)
    document.apply(remove_at(document.plan, ("node_groups", 1)), "Delete")
    plan = document.plan
    assert not editor.edits.write(path, shape, "ready")
    assert document.plan is plan and not document.drafts
    assert "There is no such place in the plan" in said[0]


@pytest.mark.parametrize(("where", "first"), [
    ("horizontalPodAutoscalers", ["name", "scale_target", "min_replicas", "max_replicas", "metrics"]),
    ("verticalPodAutoscalers", ["name", "target", "update_mode"]),
    ("scaledObjects", ["name", "scale_target", "min_replicas", "max_replicas", "triggers"]),
    ("scaledJobs", ["name", "job_target", "min_replicas", "max_replicas", "triggers"]),
])  # fmt: skip
def test_the_form_of_an_autoscaler_begins_with_what_it_scales_and_how_far(editor, where, first):
    editor.show_place(where)
    shown = [field.name for field in editor.section.form_fields()]
    assert shown[: len(first)] == first


def test_what_is_said_of_a_field_is_seen_by_who_is_led_there(editor, document, hand, qtbot):
    editor.resize(340, 900)
    given = {"extended": {"nvidia.com/gpu": 4}, "labels": {"pool": "gpu"}}
    document.apply(replace_many(document.plan, ("node_groups", 0), given), "GPUs")
    hand.problems()
    editor.show_place("nodeGroups[0].labels")
    qtbot.wait(150)
    (said,) = [label for label in editor.form.findChildren(MarkLabel) if label.isVisible()]
    bottom = said.mapTo(editor.form.viewport(), said.rect().bottomLeft())
    assert editor.form.viewport().rect().contains(bottom)
