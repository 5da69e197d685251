"""Machines that Karpenter bought, in the map and the table of nodes."""

import numpy as np
import pytest

from planner import api
from tests.planner.karpenter.karpenter_plans import karpenter_plan, machine, pool
from tests.planner.nodes.small_plan import a_group, a_workload
from tests.ui.recorded_runs import a_started_run
from ui.map.cluster_panel import ClusterPanel
from ui.map.drawing.coloring import Coloring
from ui.map.tools import Page
from ui.runs.messages import RunChunk
from ui.runs.run_data import RunState

BOTH = {"key": "karpenter.sh/capacity-type", "operator": "Exists"}
PLAN = karpenter_plan(
    [pool(requirements=[BOTH])],
    [machine("small", 2, 0.1, ("on-demand", "spot"))],
    nodeGroups=[a_group("fixed", 1, machineType="m5.xlarge")],
    workloads=[a_workload("web", 6)],
)


def add_run(session, plan):
    """A finished run of a plan, which is then the current one."""
    result = api.run_plan(plan)
    run = a_started_run(plan, tuple(result.series))
    run.append(RunChunk(result.until_us, 0, np.empty(0, np.int64), np.empty((len(result.series), 0)),
                        result.decisions, ()))  # fmt: skip
    run.finish(result, RunState.FINISHED)
    session.add(run)


@pytest.fixture
def panel(session, cursor, theme, qtbot):
    panel = ClusterPanel(session, cursor, theme)
    qtbot.addWidget(panel)
    panel.resize(1_100, 500)
    with qtbot.waitExposed(panel):
        panel.show()
    add_run(session, PLAN)
    cursor.move(600.0)
    panel.grab()
    return panel


def test_the_table_has_what_nodeclaims_show(panel):
    panel.tools.choose_page(Page.NODES)
    table = panel.nodes.table
    titles = [column.title for column in table.columns]
    texts = table.as_text(range(table.rowCount())).split("\n")[1:]
    lines = [dict(zip(titles, text.split("\t"), strict=True)) for text in texts]
    seen = {(line["NAME"], line["TYPE"], line["CAPACITY"], line["ZONE"]) for line in lines}
    assert ("fixed-0001", "m5.xlarge", "<none>", "<none>") in seen
    assert {("small", "spot")} == {line[1:3] for line in seen if line[0].startswith("general")}


def test_columns_fit_the_names_of_the_run_that_is_shown(panel, session, cursor, qtbot):
    panel.tools.choose_page(Page.NODES)
    add_run(session, karpenter_plan([pool("a-pool-with-a-much-longer-name")]))
    cursor.move(600.0)
    table = panel.nodes.table
    qtbot.waitUntil(lambda: "a-pool" in table.as_text(range(table.rowCount())))
    assert panel.nodes.columnWidth(0) >= panel.nodes.sizeHintForColumn(0)


def test_pods_are_coloured_by_the_market_of_their_machine(panel, theme):
    panel.tools.coloring.setCurrentIndex(panel.tools.coloring.findData(Coloring.CAPACITY_TYPE))
    legend = panel.map.current_scene().colored.legend
    assert [entry.text.rsplit(" ", 1)[0] for entry in legend] == ["node group", "spot"]
    assert sum(int(entry.text.rsplit(" ", 1)[1]) for entry in legend) == 6
