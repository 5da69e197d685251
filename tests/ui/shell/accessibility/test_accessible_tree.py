"""What a screen reader finds in the window and its dialogs: every part that takes the focus has a name."""

import pytest
from PySide6.QtWidgets import QApplication, QDialog

from planner.plan.edits.machine_catalogue import CATALOGUE, machine_catalogue
from planner.units import US_PER_H
from tests.ui.shell.accessibility.accessible import dumped, nameless
from tests.ui.shell.conftest import FLASH_SALE
from ui.editor.cards.machine_picker import MachinePicker
from ui.editor.previews.trace_dialog import TraceDialog


@pytest.fixture
def opened(window, qtbot):
    window.files.open_sample(FLASH_SALE)
    window.workspace.editor.show_place("workloads[1].demand.workers")
    qtbot.wait(50)
    return window


@pytest.mark.parametrize(("number", "least"), [(0, 50), (1, 50), (2, 50), (3, 30)])
def test_every_part_of_a_workspace_that_takes_the_focus_has_a_name(opened, number, least, qtbot):
    opened.switch.actions_[number].trigger()
    assert nameless(opened, least) == [], dumped(opened)


def test_the_tree_leads_from_the_window_to_a_field_with_what_it_means(opened):
    opened.switch.actions_[1].trigger()
    text = dumped(opened)
    for name in ("'Run'", "'Key figures'", "'Workers'"):
        assert name in text, text


DIALOGS = {
    "first plan": lambda window: window.actions_.first_plan.trigger(),
    "search": lambda window: window.actions_.find.trigger(),
    "history": lambda window: window.history.action.trigger(),
    "shortcuts": lambda window: window.actions_.shortcuts.trigger(),
    "about": lambda window: window.actions_.about.trigger(),
    "import": lambda window: window.manifests.manifests.read_text(MANIFEST),
    "import from a cluster": lambda window: window.measured.from_cluster.trigger(),
    "measured series": lambda window: window.measured.series.trigger(),
    "changes to apply": lambda window: window.measured.changes.trigger(),
    "recorded load": lambda window: TraceDialog(window.theme, US_PER_H, lambda *_both: None, window).open(),
    "machines": lambda window: MachinePicker(machine_catalogue(CATALOGUE), "", "", "", window).open(),
}
MANIFEST = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 2, template: {spec: {containers: [{name: web, resources: {requests: {cpu: 250m}}}]}}}
"""


@pytest.mark.parametrize("name", DIALOGS)
def test_every_part_of_a_dialog_that_takes_the_focus_has_a_name(opened, name, qtbot):
    DIALOGS[name](opened)

    def shown():
        return [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]

    qtbot.waitUntil(lambda: bool(shown()))
    for dialog in shown():
        assert nameless(dialog, 2) == [], dumped(dialog)
        dialog.close()
