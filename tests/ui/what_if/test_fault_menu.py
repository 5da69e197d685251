"""Faults that are added to the plan with one click."""

import pytest
from PySide6.QtWidgets import QMenu, QWidget

from planner.plan.checks.validate import check_plan
from planner.plan.model.events.on_nodes import NodeLoss, ZoneOutage
from planner.plan.model.plan import SimulationSettings
from planner.units import US_PER_H, US_PER_S
from tests.builders import a_node_group, a_plan, a_workload, an_hpa
from tests.planner.karpenter.karpenter_plans import karpenter_plan, machine, pool
from ui.document.plan_document import PlanDocument
from ui.what_if.fault_menu import FaultMenu
from ui.what_if.suggestions import MOST_PLACES, Fault, suggestions

POOLS = (a_node_group("blue", zone="zone-a"), a_node_group("red", zone="zone-b"), a_node_group("green", zone="zone-a"))
PLAN = a_plan(node_groups=POOLS, workloads=(a_workload("web"),), horizontal_pod_autoscalers=(an_hpa("web"),))


def labels(menu):
    return [action.text() for action in menu.actions() if action.text() and not action.isSeparator()]


def places(menu, fault):
    (action,) = [action for action in menu.actions() if action.text() == fault.title]
    return action.menu()


@pytest.fixture
def document(qapp):
    return PlanDocument(PLAN)


@pytest.fixture
def faults(document, cursor):
    return FaultMenu(document, cursor)


@pytest.fixture
def menu(faults, qtbot):
    owner = QWidget()
    qtbot.addWidget(owner)
    menu = faults.menu(owner)
    menu.owner = owner
    menu.aboutToShow.emit()
    return menu


def test_zones_and_pools_of_the_plan_are_offered(menu):
    assert labels(menu) == [fault.title for fault in Fault]
    assert labels(places(menu, Fault.ZONE_OUTAGE)) == ["zone-a", "zone-b"]
    assert labels(places(menu, Fault.NODE_LOSS)) == ["blue", "red", "green"]


def test_one_click_adds_the_event_at_the_cursor_and_one_undo_takes_it_back(menu, document, cursor, faults, qtbot):
    cursor.move(754.4)
    menu.aboutToShow.emit()
    with qtbot.waitSignal(faults.added) as added:
        places(menu, Fault.ZONE_OUTAGE).actions()[1].trigger()
    assert added.args == [0]
    assert document.plan.events == (ZoneOutage(type="zoneOutage", zone="zone-b", at=754 * US_PER_S),)
    assert document.undo_stack.undoText() == "Add event: A zone fails (zone-b)"
    document.undo_stack.undo()
    assert document.plan == PLAN


def test_without_a_cursor_the_event_goes_to_the_middle_of_the_run(menu, document):
    places(menu, Fault.NODE_LOSS).actions()[0].trigger()
    assert document.plan.events == (NodeLoss(type="nodeLoss", node_group="blue", at=US_PER_H // 2),)


def test_the_time_stays_within_the_run(faults, document, cursor):
    document.apply(PLAN.model_copy(update={"simulation": SimulationSettings(duration="10m")}), "shorter")
    cursor.move(3600.0)
    assert faults.at_us == 600 * US_PER_S


def test_every_suggestion_is_valid():
    for one in suggestions(PLAN, 60 * US_PER_S):
        plan = PLAN.model_copy(update={"events": (one.event,)})
        assert list(check_plan(plan)) == [], one.step_text


def test_without_pools_the_menu_says_what_is_missing(document, faults, qtbot):
    document.apply(a_plan(node_groups=(), workloads=()), "empty")
    menu = QMenu()
    qtbot.addWidget(menu)
    faults.fill(menu)
    (entry,) = [action for action in menu.actions() if not action.isSeparator()]
    assert not entry.isEnabled()


def test_only_the_first_of_many_pools_are_offered():
    plan = a_plan(node_groups=tuple(a_node_group(f"pool-{n}", zone=f"z-{n}") for n in range(100)))
    found = list(suggestions(plan, 0))
    assert len([one for one in found if one.fault is Fault.NODE_LOSS]) == MOST_PLACES
    assert len([one for one in found if one.fault is Fault.ZONE_OUTAGE]) == MOST_PLACES


def test_pools_of_karpenter_are_offered_and_spot_nodes_are_reclaimed_only_where_there_may_be_any():
    needs = {"key": "karpenter.sh/capacity-type", "operator": "In"}
    pools = [pool("fixed", requirements=[needs | {"values": ["on-demand"]}])]
    pools += [pool("cheap", requirements=[needs | {"values": ["spot"]}])]
    plan = karpenter_plan(pools, [machine("s", 2, 0.1, ("on-demand", "spot"))])
    found = {fault: [one.place for one in suggestions(plan, 0) if one.fault is fault] for fault in Fault}
    assert found[Fault.ZONE_OUTAGE] == ["a", "b"]
    assert found[Fault.NODE_LOSS] == ["fixed", "cheap"]
    assert found[Fault.SPOT_RECLAIM] == ["cheap"]
