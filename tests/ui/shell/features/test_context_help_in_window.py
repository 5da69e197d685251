"""F1 on a field, a cell or a key figure of the window says what it means."""

import pytest
from PySide6.QtWidgets import QToolButton

from tests.ui.shell.conftest import FLASH_SALE
from ui.help.context_help import HelpCard
from ui.widgets.shortcut_dialog import ShortcutDialog


@pytest.fixture
def opened(window, qtbot):
    window.files.open_sample(FLASH_SALE)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def help_of(window):
    """What F1 shows now."""
    window.actions_.explain.trigger()
    (card,) = [one for one in window.findChildren(HelpCard) if one.isVisible()]
    text = f"{card.accessibleName()}\n{card.accessibleDescription()}"
    card.close()
    return text


def test_f1_on_a_field_says_what_kubernetes_calls_it_and_where_the_file_has_it(opened):
    opened.workspace.editor.show_place("horizontalPodAutoscalers[0].minReplicas")
    text = help_of(opened)
    assert text.startswith("Minimum\nFewest replicas")
    assert "Kubernetes: HorizontalPodAutoscaler spec.minReplicas" in text
    assert "In the plan file: horizontalPodAutoscalers[0].minReplicas" in text and "Default: 1" in text


def test_f1_in_a_table_says_what_the_column_of_the_cell_means(opened):
    editor = opened.workspace.editor
    editor.show_place("workloads[0]")
    editor.table.setFocus()
    columns = [column.path for column in editor.rows.columns]
    editor.table.setCurrentIndex(editor.rows.index(0, columns.index(("replicas",))))
    assert help_of(opened).startswith("Replicas\nPods at the start")


def test_f1_on_a_key_figure_gives_its_formula(opened):
    for card in opened.workspace.figures.cards:
        card.setFocus()
        text = help_of(opened)
        assert text.startswith(card.accessibleName()) and "Formula: " in text


def test_f1_elsewhere_lists_the_keys(opened):
    opened.tools.setFocus()
    opened.menuBar().setFocus()
    opened.actions_.explain.trigger()
    assert opened.findChildren(HelpCard) == [] and len(opened.findChildren(ShortcutDialog)) == 1


def test_a_field_that_differs_from_its_default_has_a_button_that_resets_it(opened, qtbot):
    editor = opened.workspace.editor
    editor.show_place("workloads[1].pod.startupDelay")
    assert opened.document.plan.workloads[1].pod.startup_delay != 10_000_000

    def offered():
        made = editor.form.findChildren(QToolButton, "resetField")
        return {one.accessibleName(): one for one in made if one.isVisibleTo(editor.form)}

    name = "Reset Start-up to the default (10s)"
    qtbot.waitUntil(lambda: name in offered())
    offered()[name].click()
    assert opened.document.plan.workloads[1].pod.startup_delay == 10_000_000
    assert name not in offered() and editor.form.isAncestorOf(opened.focusWidget())
