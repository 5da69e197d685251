"""A load is drawn with the mouse in the form of its workload."""

from planner.plan.model.traffic import PointsLoad
from tests.ui.shell.conftest import FLASH_SALE
from ui.editor.previews.load_preview import LoadPreview


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
