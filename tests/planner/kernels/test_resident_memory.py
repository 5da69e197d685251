"""What containers hold is the same with the kernel and without, to the last bit."""

from typing import Any

import numpy as np
import pytest

from planner.kernels import switch
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, run_of

needs_kernels = pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")
CONTAINERS = [{"name": name, "requests": {"cpu": "100m", "memory": "100Mi"}} for name in ("main", "side")]
STEADY = a_workload("steady", 3, memoryUse={"start": "300Mi", "spread": 0.4})
LEAK = a_workload(
    "leak", 3, pod={"containers": CONTAINERS}, memoryUse={"start": "1Gi", "growthPerHour": "300Gi", "spread": 0.3}
)
LATER = a_workload("later", 2, memoryUse={"start": "90Mi", "growthPerHour": "3Gi", "growthFrom": "40s"})
LEVEL = a_workload("level", 2, use={"memory": {"type": "diurnal", "mean": 3e8, "amplitude": 1e8}})
BUSY: dict[str, Any] = a_workload(
    "busy", 2, traffic={"profile": {"type": "constant", "rate": 90}}, demand={"cpuSecondsPerRequest": 0.02},
    memoryUse={"start": "512Mi", "perInFlightRequest": "1Mi"},
)  # fmt: skip


@needs_kernels
@pytest.mark.parametrize(
    "workloads", [(STEADY,), (STEADY, LEAK, LATER), (STEADY, LEVEL, BUSY), (LEAK, LEVEL, BUSY, LATER)]
)
def test_pods_hold_the_same_at_any_time_of_their_lives(workloads):
    pool = a_group("pool", 2, memory="8Gi", kubelet={})
    fewer = {"type": "setReplicas", "at": "60s", "workload": workloads[0]["name"], "replicas": 1}
    plan = a_plan(nodeGroups=[pool], workloads=list(workloads), events=[fewer])
    seen = []
    for until_s in (1, 30, 70, 100):
        sim = run_of(plan, until_s)
        memory, rows = sim.memory.memory, np.arange(sim.cluster.pods.count)
        for now_us in (sim.events.now_us, sim.events.now_us + 12_345_678):
            compiled = memory.resident(rows, now_us)
            memory._kernel, kernel = None, memory._kernel
            plain = memory.resident(rows, now_us)
            memory._kernel = kernel
            assert compiled.dtype == plain.dtype and compiled.tolist() == plain.tolist()
            seen.append(plain)
    assert any((one == 0).any() for one in seen) and all(one.any() for one in seen)
