"""The machine catalogue that comes with the program."""

from planner.plan.fits import pod_cpu_milli
from planner.plan.hints import find_hints
from planner.plan.machines import machine_catalogue
from planner.plan.validate import check_plan
from tests.builders import a_plan, a_workload


def test_every_machine_makes_a_pool_that_can_be_run():
    catalogue = machine_catalogue()
    assert catalogue.date and "xample" in catalogue.note
    names = [machine.name for machine in catalogue.machines]
    assert len(set(names)) == len(names)
    for machine in catalogue.machines:
        pool = machine.as_pool("pool")
        plan = a_plan(node_groups=(pool,), workloads=(a_workload(),))
        assert list(check_plan(plan)) == []
        assert pool.node_price == machine.price_per_hour > 0
        assert pool.cpu > pod_cpu_milli(plan.workloads[0].pod)
        assert not [hint for hint in find_hints(plan) if "price" in hint.where.lower()]
