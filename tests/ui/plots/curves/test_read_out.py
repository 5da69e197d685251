"""Values of curves as text."""

import numpy as np
import pytest

from planner.plan.model.demand import Demand
from tests.builders import a_plan, a_workload
from tests.ui.recorded_runs import a_started_run
from ui.plots.catalogue import PLOTS
from ui.plots.curves.curve_data import CurveData
from ui.plots.curves.curves import CurveChoice, Subjects, curves_of
from ui.runs.messages import RunChunk
from ui.wording.numbers import Unit

VIEW = next(plot for plot in PLOTS if plot.name == "latency").views[0]
NAMES = ("latency_p95_ms[web]", "offered_rps[web]", "replicas_desired_count[web]")
STEP_US = 60_000_000


@pytest.mark.parametrize(("timeout", "measured_ms", "shown"), [
    ("10s", 182.0, "182 ms"), ("10s", 10_120.0, "≥ 10 s"), ("10s", np.inf, "≥ 10 s"), ("0s", 10_120.0, "10.1 s"),
])  # fmt: skip
def test_a_latency_beyond_the_time_out_is_read_as_the_time_out(qapp, timeout, measured_ms, shown):
    web = a_workload(demand=Demand(cpu_seconds_per_request=0.01, timeout=timeout))
    run = a_started_run(a_plan(workloads=(web,)), NAMES)
    run.append(RunChunk(STEP_US, 0, np.array([STEP_US]), np.array([[measured_ms], [5.0], [2.0]]), (), ()))
    curve = next(one for one in curves_of(VIEW, Subjects(run.names), CurveChoice()) if one.line.column == NAMES[0][:14])
    assert CurveData(curve, run).text_at(None, Unit.MILLISECONDS) == shown
