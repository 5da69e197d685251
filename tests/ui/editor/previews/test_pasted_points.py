"""Load curves that come from a spreadsheet."""

import pytest
from PySide6.QtGui import QGuiApplication

from planner.plan.edits.edit import replace_at
from planner.plan.model.traffic import ConstantLoad, PointsLoad, Traffic
from planner.units import US_PER_S
from ui.editor.previews.pasted_points import NoPoints, points_of


@pytest.mark.parametrize(("text", "points"), [
    ("0\t100\n600\t400\n", [(0, 100), (600, 400)]),
    ("time\treq/s\n0\t100\n10m\t1,450\n", [(0, 100), (600, 1450)]),
    ("0:00;5\n0:10;7.5\n1:00:30;1", [(0, 5), (600, 7.5), (3630, 1)]),
    ("60,3\n0,2\n60,4", [(0, 2), (60, 4)]),
])  # fmt: skip
def test_two_columns_are_a_curve(text, points):
    found = points_of(text)
    assert [(point.at // US_PER_S, point.rate) for point in found.points] == points


@pytest.mark.parametrize(("text", "why"), [
    ("", "no curve"), ("just words", "no curve"), ("0\t1\nten\tx", "Line 2"), ("0\t1\n5\t-2", "Line 2"),
    ("0\t1\n5\tnan", "Line 2"), ("0\t1\n5\t1\t2", "Line 2"), ("0\t1\n5\t1e999", "Line 2"), ("시간\t부하", "no curve"),
    ("\n".join(f"{at}\t1" for at in range(300)), "300 points"),
])  # fmt: skip
def test_anything_else_is_refused_with_its_place(text, why):
    with pytest.raises(NoPoints, match=why):
        points_of(text)


@pytest.fixture
def loaded(editor, document):
    """The first workload has a load, and the whole window."""
    load = Traffic(profile=ConstantLoad(type="constant", rate=50))
    document.new(replace_at(document.plan, ("workloads", 0, "traffic"), load))
    editor.arrange(True)
    editor.show_place("workloads[0]")
    return editor.previews


def test_a_pasted_curve_becomes_the_load_in_one_step_and_nonsense_is_said(loaded, editor, document):
    QGuiApplication.clipboard().setText("0\t100\n600\t400\n")
    loaded.paste.click()
    load = document.plan.workloads[0].traffic.profile
    assert isinstance(load, PointsLoad) and [point.rate for point in load.points] == [100, 400]
    assert document.undo_stack.count() == 1
    QGuiApplication.clipboard().setText("0\t100\nten\tx\n")
    loaded.paste.click()
    assert document.plan.workloads[0].traffic.profile is load and editor._note.text().startswith("Line 2")


def test_a_load_is_turned_into_points_beside_its_large_picture(loaded, document):
    loaded.draw.click()
    assert isinstance(document.plan.workloads[0].traffic.profile, PointsLoad)
    assert loaded.draw.isHidden()
