"""A plan that cannot do anything says so above its figures."""

import pytest

from tests.builders import a_node_group, a_plan, a_workload
from ui.document.plan_document import PlanDocument
from ui.headroom.search import HeadroomSearch
from ui.plots.panel.empty_state import EmptyState
from ui.runs.session import RunSession
from ui.shell.workspace import Workspace
from ui.start.missing_parts import MissingParts

POOL, WORK = (a_node_group(),), (a_workload(),)


@pytest.mark.parametrize(("pools", "workloads", "offered"), [
    ((), (), ["pool", "workload", "questions"]), (POOL, (), ["workload"]), ((), WORK, ["pool"]), (POOL, WORK, []),
])  # fmt: skip
def test_what_is_missing_is_said_with_a_button_that_adds_it(qtbot, pools, workloads, offered):
    document = PlanDocument()
    missing = MissingParts(document)
    qtbot.addWidget(missing)
    document.apply(a_plan(node_groups=pools, workloads=workloads), "Begin")
    assert [name for name in ("pool", "workload", "questions") if not getattr(missing, name).isHidden()] == offered
    assert missing.isHidden() is (not offered) and bool(missing.text.text()) is bool(offered)


def test_a_new_plan_is_mended_from_above_its_figures(qtbot):
    document, wanted = PlanDocument(a_plan(node_groups=(), workloads=())), []
    missing = MissingParts(document)
    qtbot.addWidget(missing)
    missing.row_wanted.connect(wanted.append)
    missing.pool.click()
    missing.workload.click()
    with qtbot.waitSignal(missing.first_plan_wanted):
        missing.questions.click()
    assert wanted == ["node_groups", "workloads"]


def test_every_view_of_a_run_says_what_is_missing_before_it_says_how_to_run(qtbot, theme):
    document = PlanDocument(a_plan(node_groups=(), workloads=WORK))
    work = Workspace(document, RunSession(), HeadroomSearch(), theme)
    qtbot.addWidget(work)
    work.show()

    def said():
        for view in (work.cluster, work.autoscalers, work.summary):
            work.tabs.setCurrentWidget(view)
        empty = work.cluster.map.empty_text, work.autoscalers.title.text(), work.summary.empty.text()
        return [*empty, work.decisions.view.empty_text, work.plots.empty.text()]

    assert all("node pools" in text and "F5" not in text for text in said())
    document.apply(a_plan(node_groups=POOL, workloads=WORK), "All")
    assert all("F5" in text for text in said())


def test_the_place_of_the_plots_says_what_is_missing_until_the_plan_can_run(qtbot, theme):
    document = PlanDocument(a_plan(node_groups=(), workloads=WORK))
    missing, empty = MissingParts(document), EmptyState(theme.current)
    qtbot.addWidget(missing)
    qtbot.addWidget(empty)
    missing.said.connect(empty.show_missing)
    document.apply(a_plan(node_groups=(), workloads=()), "Nothing")
    assert "node pools" in empty.text() and "workloads" in empty.accessibleName() and "F5" not in empty.text()
    document.apply(a_plan(node_groups=POOL, workloads=WORK), "All")
    assert "F5" in empty.text()
