from PySide6.QtCore import Qt

from tests.builders import a_node_group, a_plan, a_workload
from ui.editor.problems.problems_panel import MARK_ROLE


def test_a_valid_plan_is_reported_as_valid(editor, document):
    assert editor.problems.summary.text() == "Plan is valid"
    assert not editor.problems.button.isEnabled()


def test_problems_and_hints_are_counted_and_listed(editor, hand, document):
    document.new(a_plan(workloads=(a_workload("web"), a_workload("web", pod={"containers": [{}]}))))
    hand.problems()
    assert editor.problems.summary.text() == "1 problem · 1 hint"
    model = editor.problems.model
    assert [model.index(row).data(MARK_ROLE).where for row in range(model.rowCount())] == [
        "workloads[1].name",
        "workloads[1].pod.containers",
    ]
    assert "Choose another name." in model.index(0).data()
    assert model.index(0).data().startswith("Workloads · web · Name: ")


def test_a_click_goes_to_the_field(editor, hand, qtbot):
    hand.type("workloads[1].name", "web")
    editor.show_place("simulation.seed")
    hand.problems()
    editor.problems.open()
    with qtbot.waitActive(editor):
        editor.activateWindow()
    editor.problems.list.clicked.emit(editor.problems.model.index(0))
    assert (editor.section.key, editor.row) == ("workloads", 1)
    assert editor.focusWidget() is editor.form.page.body.editors["name"].input


def test_a_problem_marks_the_field_after_a_pause(editor, hand, qtbot):
    field = hand.type("nodeGroups[0].minSize", "11")
    qtbot.waitUntil(lambda: field.property("mark") == "PROBLEM")
    assert "raise the maximum" in field.parent().message.text()
    hand.type("nodeGroups[0].maxSize", "30")
    qtbot.waitUntil(lambda: field.property("mark") == "NONE")


def test_a_collapsed_part_shows_that_it_contains_a_problem(editor, hand):
    editor.show_place("workloads[0].pod.priorityClass")
    hand.type("workloads[0].pod.priorityClass", "missing")
    pod = editor.form.page.body.editors["pod"]
    pod.fold.arrow.click()
    hand.problems()
    assert not pod.fold.is_open
    assert pod.fold._sign.isVisibleTo(editor)


def test_hints_are_marked_as_hints(editor, hand):
    editor.show_place("simulation.recordInterval")
    hand.type("simulation.recordInterval", "2h")
    hand.problems()
    field = hand.field("simulation.recordInterval")
    assert field.property("mark") == "HINT"
    assert "shorter" in field.parent().message.text()


def test_places_of_every_kind_can_be_shown(editor, document, hand):
    document.new(a_plan(node_groups=()))
    hand.problems()
    for where in ("nodeGroups", "workloads[0]", "workloads[0].pod", "clusterAutoscaler", "plan", "nonsense[3].x",
                  "workloads[99].name", "workloads[0].traffic.profile.rate"):  # fmt: skip
        editor.show_place(where)
    assert editor.section.key == "workloads"


def test_the_theme_changes_signs_and_colours(editor, hand, theme, document):
    hand.type("nodeGroups[0].maxSize", "many")
    theme.choose("dark")
    try:
        assert theme.current.panel in editor.styleSheet()
        index = editor.problems.model.index(0)
        assert not index.data(Qt.ItemDataRole.DecorationRole).isNull()
    finally:
        theme.choose("light")


def test_a_hint_names_fields_as_the_form_does_and_the_tool_tip_as_the_file_does(document, hand, editor):
    plan = a_plan(node_groups=(a_node_group(min_size=2, max_size=2, initial_size=2),), workloads=(a_workload("web"),))
    document.new(plan)
    hand.problems()
    model = editor.problems.model
    found = [model.index(row) for row in range(model.rowCount())]
    said = next(index for index in found if "fixed size" in index.data())
    assert "Raise “Maximum” of a pool" in said.data()
    assert said.data(Qt.ItemDataRole.ToolTipRole).endswith("Raise maxSize of a pool or disable the autoscaler.")
