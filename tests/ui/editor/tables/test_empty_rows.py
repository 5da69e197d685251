"""What an empty list means, and the button that begins it."""

import pytest

from tests.builders import a_plan
from tests.planner.karpenter.karpenter_plans import karpenter_plan
from ui.document.plan_document import PlanDocument
from ui.editor.plan_editor import PlanEditor


@pytest.fixture
def editor(theme, qtbot):
    editor = PlanEditor(PlanDocument(a_plan(node_groups=(), workloads=())), theme)
    qtbot.addWidget(editor)
    editor.show()
    return editor


def show(editor, key):
    editor._show(next(one for one in editor.tree.sections if one.key == key), None)
    return editor.table_box.empty


@pytest.mark.parametrize(("key", "said"), [
    ("node_groups", "no pod can run"), ("workloads", "nothing happens"), ("priority_classes", "runs without"),
])  # fmt: skip
def test_an_empty_list_says_what_that_means_and_begins_with_one_click(editor, key, said):
    empty = show(editor, key)
    assert empty.isVisible() and said in empty.text.text()
    empty.cure.click()
    assert len(getattr(editor._document.plan, key)) == 1 and editor.row == 0 and not empty.isVisible()


def test_without_node_groups_pods_run_on_the_pools_of_karpenter(theme, qtbot):
    editor = PlanEditor(PlanDocument(karpenter_plan()), theme)
    qtbot.addWidget(editor)
    editor.show()
    said = show(editor, "node_groups").text.text()
    assert "pools of Karpenter" in said and "no pod can run" not in said


@pytest.mark.parametrize("key", ["load_profiles", "slos", "kubelet"])
def test_what_belongs_to_other_rows_leads_to_them(editor, key):
    show(editor, key).cure.click()
    assert editor.section.key == ("node_groups" if key == "kubelet" else "workloads")


def test_an_objective_is_added_to_a_workload_in_a_section_of_its_own(theme, qtbot):
    document = PlanDocument(a_plan())
    editor = PlanEditor(document, theme)
    qtbot.addWidget(editor)
    editor._show(next(one for one in editor.tree.sections if one.key == "slos"), 0)
    editor.actions_of_rows.add.trigger()
    assert document.plan.workloads[0].slo is not None and set(editor.form.page.body.editors) == {"slo"}
    assert editor.section.row_model is not None and "p95" in editor.section.summary(document.plan.workloads[0], None)
