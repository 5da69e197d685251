"""Runs and reports of small plans for the tests of reports."""

from planner import api
from planner.plan.model.plan import SimulationSettings
from planner.reports.content.assembly import report_of
from tests.builders import a_node_group, a_plan, a_workload, an_hpa

HOSTILE = '<script src="https://evil.example/x.js">alert(1)</script> | `=1+1` @all 한국어'


def a_busy_plan(**settings):
    """A service that outgrows its nodes within half an hour and misses its SLO."""
    traffic = {"profile": {"type": "step", "from": 20, "to": 200, "at": "5m"}}
    demand = {"cpuSecondsPerRequest": 0.05, "timeout": "2s"}
    cpu = {"type": "Resource", "resource": "cpu", "averageUtilization": 60}
    parts = {
        "name": "Busy hour",
        "notes": "A note.\nA second line.",
        "simulation": SimulationSettings(duration="30m"),
        "node_groups": (
            a_node_group("general", initial_size=2, max_size=4, price_per_hour=0.2),
            a_node_group("spare", initial_size=0, max_size=0),
        ),
        "workloads": (
            a_workload("shop", traffic=traffic, demand=demand, slo={"target": "200ms"}),
            a_workload("batch", replicas=3),
        ),
        "horizontal_pod_autoscalers": (an_hpa("shop", max_replicas=60, metrics=(cpu,)),),
    }
    return a_plan(**parts | settings)


def run_and_report(plan, sections=()):
    """The run of a plan and its report."""
    result = api.run_plan(plan)
    return result, report_of(plan, result, sections)
