"""A load is drawn with the mouse in the form of its workload."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from planner.plan.model.traffic import PointsLoad
from tests.ui.shell.conftest import FLASH_SALE
from ui.editor.previews.load_preview import LoadPreview
from ui.editor.previews.point_handles import as_points


def test_a_drawn_load_is_an_edit_that_can_be_undone(window):
    window.start.sample_chosen.emit(FLASH_SALE)
    plan = window.document.plan
    place = next(number for number, one in enumerate(plan.workloads) if one.traffic is not None)
    window.workspace.editor.show_path(("workloads", place, "traffic"))
    (preview,) = window.workspace.editor.findChildren(LoadPreview)
    preview.as_points.click()
    drawn = window.document.plan.workloads[place].traffic.profile
    assert isinstance(drawn, PointsLoad) and preview.as_points.isHidden()
    preview.handles.changed.emit(drawn.model_copy(update={"points": drawn.points[:3]}))
    assert len(window.document.plan.workloads[place].traffic.profile.points) == 3
    for _ in range(2):
        window.document.undo_stack.undo()
    assert window.document.plan == plan and not preview.as_points.isHidden()


def test_the_large_picture_of_a_load_is_drawn_in_as_well(window, qtbot):
    window.start.sample_chosen.emit(FLASH_SALE)
    window.pages.show_page(window.workspace.plan_space)
    place = next(number for number, one in enumerate(window.document.plan.workloads) if one.traffic is not None)
    editor = window.workspace.editor
    editor.show_path(("workloads", place, "replicas"))
    previews = editor.previews
    assert not previews.how.isVisible()
    profile = window.document.plan.workloads[place].traffic.profile
    editor.edits.put_load(("workloads", place, "traffic"), as_points(profile, previews.load.span_us))
    assert previews.how.isVisible()
    qtbot.waitUntil(lambda: previews.handles.place_of(2).x() > previews.handles.place_of(1).x() > 0)
    before = window.document.plan.workloads[place].traffic.profile.points
    surface, at = previews.load.viewport(), previews.handles.place_of(2).toPoint()
    QTest.mousePress(surface, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    QTest.mouseMove(surface, at + QPoint(0, 10))
    QTest.mouseMove(surface, at + QPoint(0, 20))
    QTest.mouseRelease(surface, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at + QPoint(0, 20))
    after = window.document.plan.workloads[place].traffic.profile.points
    assert after[2].rate < before[2].rate and (after[:2], after[3:]) == (before[:2], before[3:])
