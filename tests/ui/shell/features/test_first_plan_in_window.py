"""From the start page to a plan that runs, by five questions."""

from PySide6.QtWidgets import QPushButton


def test_the_start_page_leads_to_a_plan_that_runs(window, qtbot):
    window.pages.show_start()
    guide = next(one for one in window.start.findChildren(QPushButton) if "First plan" in one.text())
    guide.click()
    dialog = window.first_plan.dialog
    assert dialog.isVisible() and not dialog.isModal()
    dialog.run.click()
    assert window.document.plan.workloads[0].name == "web" and not window.pages.is_at_start
    qtbot.waitUntil(lambda: window.controller.run is not None)
    assert window.controller.run.plan == window.document.plan
    window.controller.shutdown()


def test_the_file_menu_opens_one_guide_and_a_plan_without_a_run(window):
    window.actions_.first_plan.trigger()
    dialog = window.first_plan.dialog
    window.actions_.first_plan.trigger()
    assert window.first_plan.dialog is dialog
    dialog.make.click()
    assert window.document.plan.workloads[0].name == "web" and window.controller.run is None
    assert window.first_plan.dialog is None
