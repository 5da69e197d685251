"""The workspace of experiments with someone who clicks and types in it."""

import pytest
from PySide6.QtCore import Qt

from planner.plan.edits.edit import replace_at
from planner.plan.files.io import save_plan
from planner.plan.model.experiments.vary import Vary
from tests.ui.experiments.conftest import SAME, a_plan_with_questions, a_variant, finish
from ui.document.drafts import TypedText
from ui.experiments.navigator import EXPERIMENT, VARIANT
from ui.experiments.questions import questions
from ui.experiments.report import ExperimentState
from ui.experiments.variants.change_table import NOW, PATH, VALUE


def states(workspace):
    return {item.text(0): item.text(1) for item in workspace.navigator._items()}


def answer(workspace, runner, name, qtbot):
    workspace.navigator.choose(EXPERIMENT, name)
    qtbot.mouseClick(workspace.page.head.run, Qt.MouseButton.LeftButton)
    return finish(runner, name, qtbot)


def cells(table):
    return [[cell.text for cell in row] for row in table.rows]


def test_comparing_says_which_is_cheaper_and_what_it_rests_on(workspace, runner, qtbot):
    answer(workspace, runner, "size", qtbot)
    head, panel = workspace.page.head, workspace.page.answer
    assert head.sentence.text().startswith("larger costs $") and "more than as planned" in head.sentence.text()
    rows = cells(panel.figures)
    assert rows[0][0] == "Cost" and rows[0][1] == "as planned" and rows[1][1] == "larger"
    assert rows[1][4] == "dearer" and rows[1][3].startswith("+$")
    assert panel.bands.series.count() > 3 and panel.bands.isVisible()
    assert states(workspace)["size"] == "done"


def test_equal_plans_have_no_difference_and_that_is_said(workspace, runner, document, qtbot):
    document.apply(a_plan_with_questions(SAME), "another variant")
    answer(workspace, runner, "size", qtbot)
    assert workspace.page.head.sentence.text() == "There is no difference: all runs are alike, figure by figure."
    assert {row[4] for row in cells(workspace.page.answer.figures) if row[1] == "same"} == {"the same"}
    assert not workspace.page.answer.parting.open_runs.isVisibleTo(workspace.page.answer.parting)


def test_all_figures_are_there_and_can_be_found_by_a_word(workspace, runner, qtbot):
    answer(workspace, runner, "size", qtbot)
    panel = workspace.page.answer
    few = len(panel.figures.rows)
    panel.everything.setChecked(True)
    assert len(panel.figures.rows) > 2 * few
    qtbot.keyClicks(panel.wanted, "nodes larger")
    assert panel.figures.rows and all(row[1].text == "larger" for row in panel.figures.rows)
    qtbot.keyClicks(panel.wanted, " nonsense")
    assert not panel.figures.rows


def test_the_parting_opens_both_runs_at_its_moment(workspace, runner, qtbot):
    report = answer(workspace, runner, "size", qtbot)
    panel = workspace.page.answer
    panel.tabs.setCurrentWidget(panel.parting)
    with qtbot.waitSignal(workspace.pair_wanted) as wanted:
        qtbot.mouseClick(panel.parting.open_runs, Qt.MouseButton.LeftButton)
    first, second, seed, at_s = wanted.args
    assert (first.node_groups[0].initial_size, second.node_groups[0].initial_size) == (1, 3)
    assert (seed, at_s) == (report.answer.first_parting["seed"], report.answer.first_parting["atS"])
    assert "larger: " in panel.parting.changes.text()


def test_replicating_says_how_sure_and_opens_the_worst_seed(workspace, runner, qtbot):
    report = answer(workspace, runner, "sure", qtbot)
    panel = workspace.page.answer
    assert "SLO of shop" in workspace.page.head.sentence.text()
    assert len(panel.seeds.table.table.rows) == 3
    panel.tabs.setCurrentWidget(panel.seeds)
    with qtbot.waitSignal(workspace.seed_wanted) as wanted:
        qtbot.mouseClick(panel.seeds.open_worst, Qt.MouseButton.LeftButton)
    assert wanted.args[1] == report.answer.slos["shop"].worst_seed["as planned"]


def test_an_edit_marks_the_answer_as_old_and_undo_takes_the_mark_away(workspace, runner, document, qtbot):
    answer(workspace, runner, "size", qtbot)
    document.apply(replace_at(document.plan, ("node_groups", 0, "max_size"), 9), "larger pool")
    assert states(workspace)["size"] == "plan changed"
    assert "has changed since" in workspace.page.head.note.text()
    document.undo_stack.undo()
    assert states(workspace)["size"] == "done" and "changed" not in workspace.page.head.note.text()


def test_settings_are_edits_of_the_plan_that_undo_takes_back(workspace, document, qtbot):
    workspace.navigator.choose(EXPERIMENT, "size")
    workspace.page.settings.seeds.setValue(7)
    workspace.page.settings.half_width.setValue(2.5)
    assert (document.plan.experiments[0].seeds, document.plan.experiments[0].half_width) == (7, 2.5)
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.plan.experiments[0].seeds == 3 == workspace.page.settings.seeds.value()


def test_a_question_makes_an_experiment_once_and_a_second_one_when_asked_again(workspace, document, qtbot):
    document.apply(a_plan_with_questions(experiments=()), "no questions")
    button = workspace.navigator.question_buttons["replicate"]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert [one.name for one in document.plan.experiments] == ["How sure is this?"]
    assert workspace.page.isVisible() and workspace.page.name == "How sure is this?"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert [one.name for one in document.plan.experiments][1] == "How sure is this? 2"


def test_comparing_without_variants_says_what_is_missing(workspace, document, refusals, qtbot):
    document.apply(replace_at(document.plan, ("variants",), ()), "no variants")
    workspace.navigator.choose(EXPERIMENT, "size")
    qtbot.mouseClick(workspace.page.head.run, Qt.MouseButton.LeftButton)
    assert "Make a variant first" in refusals[0]


def type_change(workspace, row, path, value):
    model = workspace.editor.model
    model.setData(model.index(row, PATH), path)
    model.setData(model.index(row, VALUE), value)


def test_changes_are_typed_into_a_table_and_are_undone_like_every_edit(workspace, document):
    workspace.navigator.choose(VARIANT, "larger")
    model = workspace.editor.model
    assert model.data(model.index(0, NOW)) == "1"
    type_change(workspace, 2, "nodeGroups[pool].maxSize", "9")
    assert document.plan.variants[0].changes[-1] == "nodeGroups[pool].maxSize = 9"
    document.undo_stack.undo()
    assert len(document.plan.variants[0].changes) == 2 and len(model.rows) == 3


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("nodeGroups[pol].maxSize", "9", "Did you mean nodeGroups[pool].maxSize?"),
        ("nodeGroups[pool].maxSize", "many", "nodeGroups[0].maxSize"),
        ("nodeGroups[", "1", "is not a"),
        ("simulation.seed", "4", "The seeds are those of the experiment."),
    ],
)
def test_what_the_plan_refuses_is_said_and_kept_out_of_it_until_it_is_mended(workspace, document, path, value, why):
    workspace.navigator.choose(VARIANT, "larger")
    before = document.plan
    type_change(workspace, 2, path, value)
    assert document.plan is before
    assert workspace.editor.refusal.isVisible() and why in workspace.editor.refusal.text()
    type_change(workspace, 2, "nodeGroups[pool].maxSize", "9")
    assert document.plan.variants[0].changes[-1] == "nodeGroups[pool].maxSize = 9"
    assert not workspace.editor.refusal.isVisible()


def test_a_path_is_completed_by_any_part_of_it(workspace, qtbot):
    workspace.navigator.choose(VARIANT, "larger")
    table = workspace.editor.table
    table.setCurrentIndex(workspace.editor.model.index(2, PATH))
    table.edit(table.currentIndex())
    line = table.findChild(type(workspace.page.answer.wanted))
    qtbot.keyClicks(line, "maxsize")
    found = [line.completer().completionModel().index(row, 0).data() for row in range(3)]
    assert "nodeGroups[pool].maxSize" in found


def test_an_unsaved_change_becomes_a_variant_and_leaves_the_plan(workspace, document):
    document.apply(replace_at(document.plan, ("node_groups", 0, "max_size"), 9), "larger pool")
    workspace.navigator.keep.trigger()
    assert document.plan.node_groups[0].max_size == 5
    assert document.plan.variants[-1].changes == ("nodeGroups[pool].maxSize = 9",)
    assert workspace.navigator.current() == (VARIANT, "Variant")
    document.undo_stack.undo()
    assert document.plan.node_groups[0].max_size == 9 and len(document.plan.variants) == 1


def test_without_a_change_there_is_nothing_to_keep(workspace, document, refusals):
    workspace.navigator.keep.trigger()
    assert "Nothing was changed" in refusals[0] and len(document.plan.variants) == 1


def test_a_second_file_becomes_a_variant(workspace, document, refusals, tmp_path):
    other = replace_at(document.plan, ("node_groups", 0, "max_size"), 7)
    save_plan(replace_at(other, ("name",), "Seven"), tmp_path / "seven.headroom")
    workspace.add_file(tmp_path / "seven.headroom")
    assert (document.plan.variants[-1].name, document.plan.variants[-1].changes) == (
        "Seven",
        ("nodeGroups[pool].maxSize = 7",),
    )
    (tmp_path / "bad.headroom").write_text("{", encoding="utf-8")
    workspace.add_file(tmp_path / "bad.headroom")
    assert "bad.headroom" in refusals[0] and len(document.plan.variants) == 2


def test_a_variant_is_duplicated_used_and_deleted(workspace, document, qtbot):
    workspace.navigator.choose(VARIANT, "larger")
    qtbot.mouseClick(workspace.editor.duplicate, Qt.MouseButton.LeftButton)
    assert [one.name for one in document.plan.variants] == ["larger", "larger 2"]
    qtbot.mouseClick(workspace.editor.use, Qt.MouseButton.LeftButton)
    assert document.plan.node_groups[0].initial_size == 3 and len(document.plan.variants) == 2
    qtbot.mouseClick(workspace.editor.delete, Qt.MouseButton.LeftButton)
    assert [one.name for one in document.plan.variants] == ["larger"]


def test_a_renamed_variant_keeps_its_name_in_experiments(workspace, document, refusals):
    compare = document.plan.experiments[0].model_copy(update={"variants": ("larger",)})
    document.apply(a_plan_with_questions(experiments=(compare,)), "named")
    item = next(one for one in workspace.navigator._items() if one.text(0) == "larger")
    item.setText(0, "huge")
    assert document.plan.variants[0].name == "huge" and document.plan.experiments[0].variants == ("huge",)
    document.apply(a_plan_with_questions(a_variant("a"), a_variant("b")), "two")
    item = next(one for one in workspace.navigator._items() if one.text(0) == "a")
    item.setText(0, "b")
    assert "taken" in refusals[0] and [one.name for one in document.plan.variants] == ["a", "b"]
    item = next(one for one in workspace.navigator._items() if one.text(0) == "a")
    item.setText(0, " ")
    assert len(refusals) == 2 and [one.name for one in document.plan.variants] == ["a", "b"]


def test_a_refused_variant_is_named_and_the_others_are_compared(workspace, runner, document, qtbot):
    bad = a_variant("bad", "nodeGroups[pol].maxSize = 3")
    document.apply(a_plan_with_questions(bad, a_variant("big", "nodeGroups[pool].initialSize = 2")), "one is wrong")
    report = answer(workspace, runner, "size", qtbot)
    assert report.state is ExperimentState.DONE
    assert "variant bad" in workspace.page.head.note.text()
    assert [one.name for one in report.answer.variants] == ["as planned", "big"]


def test_every_question_makes_an_experiment_that_the_plan_takes(workspace, document, refusals):
    document.apply(a_plan_with_questions(experiments=()), "no questions")
    for kind in workspace.navigator.question_buttons:
        workspace.navigator.question_buttons[kind].click()
    assert not refusals
    assert [one.type for one in document.plan.experiments] == list(workspace.navigator.question_buttons)
    assert not document.check.findings.problems


def test_a_plan_with_a_text_that_is_no_value_is_not_run(workspace, document, qtbot):
    typed = TypedText("ten", "not a whole number", "write digits", document.plan.node_groups[0].max_size)
    document.apply(document.plan, "typed", drafts={("node_groups", 0, "max_size"): typed})
    with qtbot.waitSignal(workspace.failed) as failed:
        workspace.run("sure")
    assert "maxSize" in failed.args[0].where and not workspace._runner.is_running


def test_the_space_and_the_goal_of_a_search_are_typed_beside_its_answer(workspace, document, refusals, qtbot):
    workspace.ask("search")
    fields = workspace.page.question
    assert fields.over.isVisible() and fields.subject_to.isVisible() and not fields.rate.isVisible()
    fields.over.clear()
    qtbot.keyClicks(fields.over, "load = 1, 1.5; machine[pool] = m5.*")
    qtbot.keyPress(fields.over, Qt.Key.Key_Return)
    fields.subject_to.clear()
    qtbot.keyClicks(fields.subject_to, "slo_attainment[shop]>=0.99@0.9")
    qtbot.keyPress(fields.subject_to, Qt.Key.Key_Return)
    asked = document.plan.experiments[-1]
    assert fields.over.text() == "load = 1, 1.5\nmachine[pool] = m5.*", "one a line, however it was typed"
    assert asked.over == ("load = 1, 1.5", "machine[pool] = m5.*")
    assert asked.subject_to == ("slo_attainment[shop]>=0.99@0.9",)
    fields.over.clear()
    qtbot.keyClicks(fields.over, "load")
    qtbot.keyPress(fields.over, Qt.Key.Key_Return)
    assert refusals and document.plan.experiments[-1] == asked


def test_the_growth_is_set_beside_its_answer_and_other_kinds_have_no_fields(workspace, document):
    workspace.ask("grow")
    workspace.page.question.rate.setValue(20.0)
    workspace.page.question.months.setValue(6)
    asked = document.plan.experiments[-1]
    assert (asked.rate, asked.months) == (20.0, 6)
    workspace.ask("compare")
    assert not workspace.page.question.isVisible()


def test_very_many_runs_begin_only_when_run_is_pressed_again(workspace, runner, document, qtbot):
    vast = Vary(type="vary", name="vast", over=("load = 1..1000:1", "nodeGroups[pool].maxSize = 1..1000:1"))
    document.apply(replace_at(document.plan, ("experiments",), (vast,)), "vast")
    workspace.look_up()
    workspace.navigator.choose(EXPERIMENT, "vast")
    qtbot.mouseClick(workspace.page.head.run, Qt.MouseButton.LeftButton)
    assert "up to 5,000,000 runs" in workspace.page.hint.text() and not runner.is_running
    qtbot.mouseClick(workspace.page.head.run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: runner.running == "vast", timeout=60_000)
    runner.cancel()
    qtbot.waitUntil(lambda: not runner.report("vast").state.is_live, timeout=60_000)
    assert runner.report("vast").state is ExperimentState.STOPPED


def test_a_field_becomes_a_variant_with_the_plans_value_to_type_over(workspace, document, qtbot):
    workspace.begin_variant(("node_groups", 0, "max_size"))
    variant = document.plan.variants[-1]
    assert (variant.name, variant.changes) == ("nodeGroups[pool].maxSize", ("nodeGroups[pool].maxSize = 5",))
    line = workspace.editor.table.findChild(type(workspace.page.answer.wanted))
    assert line.text() == "5" and line.hasSelectedText()
    qtbot.keyClicks(line, "9")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.plan.variants[-1].changes == ("nodeGroups[pool].maxSize = 9",))


def test_the_sizes_of_one_workload_are_asked_for_once(workspace, document, qtbot):
    workspace.ask_sizes("shop")
    workspace.ask_sizes("shop")
    [asked] = [one for one in document.plan.experiments if one.type == "rightsize"]
    assert asked.workload == "shop" and workspace.page.question.workload.currentText() == "shop"
    workspace.page.question.workload.setCurrentIndex(0)
    assert document.plan.experiments[-1].workload == ""


def test_without_experiments_every_question_is_offered_with_how_it_is_answered(workspace, document, qtbot):
    document.new(replace_at(document.plan, ("experiments",), ()))
    workspace.navigator.tree.setCurrentItem(None)
    workspace._show("", "")
    assert list(workspace.empty.cards) == [question.kind for question in questions()]
    card = workspace.empty.cards["stress"]
    assert card.isVisible() and card.accessibleDescription() == "Runs the plan under a list of faults and loads."
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert [one.type for one in document.plan.experiments] == ["stress"]
    assert workspace.page.head.note.text() == card.accessibleDescription()


def test_settings_that_an_experiment_does_not_have_take_no_room(workspace, qtbot):
    workspace.ask("grow")
    row = workspace.page.settings
    shown = [holder for holder in row._holders.values() if holder.isVisible()]
    assert shown
    qtbot.waitUntil(lambda: shown[0].x() == 0)
