"""Plans of logged runs of a real HPA, their replays, and the distance between both.

The runs are figures of a Kubernetes 1.13 cluster: one Deployment of single-threaded pods with 100m CPU as request and
limit, an HPA on 75 % utilization, 1 to 20 pods, without `behavior`; a Prometheus adapter with `rate[1m]` over a scrape
of 5 s. They are compared here and never part of the project; without them nothing here runs.
"""

import gzip
import json
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.engine.loop import EventLoop
from planner.plan.model.plan import Plan
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from planner.units import US_PER_S

Floats = NDArray[np.float64]
STEP_S = 5
AFTER_S = 400
"""How long after the end of the load sizes are compared."""
REQUEST_CORES, TARGET, LEAST, MOST = 0.1, 0.75, 1, 20


def runs_file() -> Path:
    """Where the runs are, if they are anywhere."""
    return Path(os.environ.get("HEADROOM_HPA_RUNS", "../shared/data/hpa-runs.jsonl.gz"))


@dataclass(frozen=True)
class LoggedRun:
    """One run; times in whole seconds."""

    name: str
    sync_s: int
    family: str
    service_mean_s: float
    cost_s: float
    """CPU seconds of a request."""
    requests: Floats
    """Sent, per second."""
    load_until_s: int
    rows: Sequence[Sequence[int]]
    """Second, current replicas of the status, desired replicas, pods; at changes."""

    @property
    def times_s(self) -> NDArray[np.int64]:
        """When sizes are compared."""
        return np.arange(0, self.load_until_s + AFTER_S, STEP_S)

    def sizes(self, column: int = 1) -> Floats:
        """Sizes of the run at these times."""
        return _at(self.times_s, [row[0] for row in self.rows], [row[column] for row in self.rows])


def logged_runs(path: Path) -> Iterator[LoggedRun]:
    """All runs of the file, in its order."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            run: dict[str, Any] = json.loads(line)
            yield LoggedRun(
                run["id"],
                run["syncPeriod_s"],
                run["load"],
                run["serviceMean_s"],
                run["cpuSecondsPerRequest"],
                np.array(run["requestsPerSecond"], np.float64),
                run["loadUntil_s"],
                run["replicas"],
            )


def plan_of(run: LoggedRun, **parts: Any) -> Plan:
    """The circumstances of a run as a plan; `parts` replace sections."""
    period = f"{run.sync_s}s"
    container = {"name": "main", "requests": {"cpu": "100m"}, "limits": {"cpu": "100m"}}
    web = {
        "name": "web",
        "replicas": run.rows[0][2],  # a status may be older than what the run before it had left
        "pod": {"containers": [container], "startupDelay": "3s"},
        "traffic": {"profile": _profile(run)},
        "demand": {"cpuSecondsPerRequest": run.cost_s, "workers": 1, "cv": 1.0, "discipline": "queue"},
    }
    hpa = {
        "name": "web", "scaleTarget": "web", "minReplicas": LEAST, "maxReplicas": MOST,
        "metrics": [{"averageUtilization": round(100 * TARGET)}],
    }  # fmt: skip
    whole = {
        "simulation": {"duration": f"{run.load_until_s + AFTER_S}s", "loadStep": f"{STEP_S}s"},
        "nodeGroups": [{"name": "pool", "cpu": "32", "memory": "64Gi", "initialSize": 1, "maxSize": 1}],
        "workloads": [web],
        "horizontalPodAutoscalers": [hpa],
        "hpaController": {
            "syncPeriod": period,
            "downscaleStabilization": period,
            "cpuInitializationPeriod": period,
            "initialReadinessDelay": period,
        },
        "metricsPipeline": {"sampling": "rate", "scrapeInterval": f"{STEP_S}s", "rateWindow": "1m"},
        "clusterAutoscaler": {"enabled": False},
        **parts,
    }
    return Plan.model_validate(whole)


def _profile(run: LoggedRun) -> dict[str, Any]:
    """Mean rates of whole load steps."""
    steps = math.ceil(len(run.requests) / STEP_S)
    padded = np.zeros(steps * STEP_S)
    padded[: len(run.requests)] = run.requests
    means = padded.reshape(steps, STEP_S).mean(axis=1)
    points = [{"at": f"{number * STEP_S}s", "rate": float(rate)} for number, rate in enumerate(means)]
    return {"type": "points", "interpolation": "step", "points": [*points, {"at": f"{steps * STEP_S}s", "rate": 0.0}]}


def replay(run: LoggedRun, plan: Plan, seed: int) -> Floats:
    """Sizes that the status of the simulated autoscaler shows at the times of the run.

    As in the logs that is the size an evaluation found, so it lags behind what it wrote by one sync.
    """
    sim = Simulation(plan, seed)
    synced, evaluate = [(0.0, float(run.rows[0][1]))], sim.hpa.sync

    def sync(now_us: int) -> None:
        evaluate(now_us)
        synced.append((now_us / US_PER_S, float(sim.hpa.latest[0].before)))

    sim.hpa.sync = sync  # type: ignore[method-assign]
    sim.start()
    EventLoop(sim.events, handlers(sim), sim.settle).run_until(plan.simulation.duration)
    return _at(run.times_s, [at for at, _ in synced], [size for _, size in synced])


def naive(run: LoggedRun, phase_s: float) -> Floats:
    """Sizes by the obvious rule: the load of the last minute times its cost over the target, at every sync."""
    total = np.concatenate([[0.0], np.cumsum(run.requests)])
    moments = np.arange(phase_s, run.load_until_s + AFTER_S, run.sync_s)
    ends = np.minimum(moments.astype(np.int64), len(run.requests))
    rate = (total[ends] - total[np.maximum(0, ends - 60)]) / 60
    wanted = np.clip(np.ceil(rate * run.cost_s / (REQUEST_CORES * TARGET)), LEAST, MOST)
    return _at(run.times_s, [0.0, *moments], [float(run.rows[0][1]), *wanted])


def _at(times: NDArray[np.int64], moments: Sequence[float], sizes: Sequence[float]) -> Floats:
    """The latest size at each time."""
    found = np.searchsorted(np.array(moments, np.float64), times, side="right") - 1
    return np.array(sizes, np.float64)[np.maximum(0, found)]
