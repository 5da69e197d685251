import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from planner.plan.edits.edit import value_at
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HpaControllerSettings
from planner.plan.model.autoscalers.metrics_pipeline import MetricsPipelineSettings
from tests.builders import a_node_group, a_plan, a_workload, an_hpa
from ui.document.plan_document import PlanDocument
from ui.editor.plan_editor import PlanEditor


class Hand:
    """Drives the editor as a user does."""

    def __init__(self, editor, document):
        self.editor, self.document = editor, document

    def field(self, where):
        """The input of a place, shown and focused."""
        self.editor.show_place(where)
        path = self.editor.marks_path = _path(where)
        found = self.editor.form.open_way(path)
        assert found is not None, f"no field for {where}"
        return found

    def type(self, where, text):
        """Type a text over what is in a field."""
        field = self.field(where)
        field = getattr(field, "line", field)
        field.selectAll()
        if text:
            QTest.keyClicks(field, text)
        else:
            QTest.keyClick(field, Qt.Key.Key_Delete)
        return field

    def choose(self, where, word):
        """Choose a word in a box."""
        box = self.field(where)
        index = box.findData(word)
        assert index >= 0, f"{word} is not offered"
        box.setCurrentIndex(index)
        box.activated.emit(index)

    def value(self, where):
        """What the plan holds."""
        return value_at(self.document.plan, _path(where))

    def undo_text(self):
        """What the next undo takes back."""
        return self.document.undo_stack.undoText()

    def problems(self):
        """The places and texts in the list of problems."""
        self.editor.marks.refresh()
        return [(mark.where, mark.sentence) for mark in self.editor.marks.found]


def _path(where):
    from ui.editor.values.where import path_of

    return path_of(where)


@pytest.fixture
def document(qapp):
    """Two pools, two workloads and an autoscaler."""
    pools = (a_node_group("general"), a_node_group("spot", max_size=5))
    workloads = (a_workload("web"), a_workload("batch", replicas=1))
    parts = {"metrics_pipeline": MetricsPipelineSettings(), "hpa_controller": HpaControllerSettings()}
    plan = a_plan(node_groups=pools, workloads=workloads, horizontal_pod_autoscalers=(an_hpa(),), **parts)
    return PlanDocument(plan)


@pytest.fixture
def editor(qtbot, document, theme):
    """A shown editor of the document, as wide as in the smallest window."""
    widget = PlanEditor(document, theme)
    qtbot.addWidget(widget)
    widget.resize(350, 760)
    widget.show()
    return widget


@pytest.fixture
def hand(editor, document):
    """A user's hand on the editor."""
    return Hand(editor, document)
