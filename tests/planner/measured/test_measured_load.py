"""A plan with measured load goes by the clock of the measurement."""

import numpy as np

from planner.measured.backtest.playing import played_plan
from planner.measured.measured_cluster import MeasuredCluster, Subject
from planner.measured.measured_load import with_measured_load
from planner.measured.quantities import Quantity
from planner.units import US_PER_S
from tests.builders import a_plan, a_workload

START_S = 1_772_323_200
MEASURED = MeasuredCluster(
    START_S, 60, 10, {Subject(Quantity.REQUESTS, "web"): np.full(10, 5, dtype=np.float32)}, {}, "test"
)


def test_time_0_of_a_plan_with_measured_load_is_the_begin_of_the_measurement():
    plan = a_plan(workloads=(a_workload("web"),))
    found, count = with_measured_load(plan, MEASURED)
    assert count == 1 and found.simulation.starts_at == START_S * US_PER_S
    assert played_plan(plan, MEASURED).plan.simulation.starts_at == START_S * US_PER_S


def test_a_plan_whose_load_was_not_measured_keeps_its_clock():
    plan = a_plan(workloads=(a_workload("mail"),))
    assert with_measured_load(plan, MEASURED) == (plan, 0)
