"""Victims of a preemption over host ports, also on nodes where pods placed by hand hold the same port."""

import pytest

from planner.scheduler.cycle.cycle import SchedulingCycle
from planner.scheduler.preemption import preempt
from planner.scheduler.profile import SchedulerProfile
from planner.state.specs import PortClaim
from tests.planner.scheduler.builders import a_cluster, a_group, a_node, a_pod, a_template

WEB = PortClaim(80)


@pytest.mark.parametrize(
    ("placed", "alike", "victims"),
    [
        ([(0, WEB)], False, [0]),
        ([(0, WEB), (0, PortClaim(81))], False, [0]),
        ([(5, WEB), (0, WEB)], False, [0, 1]),
        ([(5, WEB), (5, WEB)], True, [0, 1]),
        ([(100, PortClaim(80, "UDP")), (0, WEB)], False, [1]),
        ([(100, WEB), (0, WEB)], False, [1]),
        ([(100, WEB), (0, PortClaim(80, ip="10.0.0.1"))], False, None),
    ],
    ids=["one", "another port", "two of one port", "two of one template", "another protocol", "freed", "kept"],
)
def test_a_port_counts_as_taken_by_the_last_pod_that_came_or_went(placed, alike, victims):
    cluster, profile = a_cluster(), SchedulerProfile()
    node = a_node(cluster, a_group(cluster))
    pods, template = [], None
    for number, (priority, port) in enumerate(placed):
        if template is None or not alike:
            template = a_template(cluster, f"low{number}", cpu=0, priority=priority, host_ports=(port,))
        pods.append(a_pod(cluster, template))
        cluster.bind(pods[-1], node)
    pod = a_pod(cluster, a_template(cluster, "high", cpu=0, priority=50, host_ports=(WEB,)))
    outcome = SchedulingCycle(cluster, profile).decide(pod)
    cycle = SchedulingCycle(cluster, profile)
    found = preempt(cluster, profile, outcome.prepared, outcome.verdicts, cycle.search.order.rows)
    assert [list(found.candidate(one).victims) for one in found.helped] == (
        [] if victims is None else [[pods[one] for one in victims]]
    )
