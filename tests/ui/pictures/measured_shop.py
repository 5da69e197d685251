"""A shop with an autoscaler, and six hours of it as a Prometheus would have seen it."""

from pathlib import Path

import numpy as np

from planner.measured.measured_cluster import MeasuredCluster, Subject
from planner.measured.quantities import Quantity
from planner.measured.saving import save_measured
from planner.plan.files.io import plan_from_text
from planner.plan.model.plan import Plan

COST, IDLE = 0.018, 0.04
"""CPU seconds of a request and cores of an idle pod; the plan knows neither."""
_STEPS, _STEP_S, _BEGIN_S = 360, 60, 1_772_323_200
_PLAN = """{
  "schemaVersion": 4, "name": "Shop", "simulation": {"duration": "6h"},
  "nodeGroups": [{"name": "general", "minSize": 2, "maxSize": 12, "initialSize": 3, "cpu": "4", "memory": "16Gi",
                  "pricePerHour": 0.192}],
  "workloads": [{"name": "shop", "replicas": 4, "demand": {"cpuSecondsPerRequest": 0.01},
                 "traffic": {"profile": {"type": "constant", "rate": 100}},
                 "pod": {"containers": [{"name": "shop", "requests": {"cpu": "500m", "memory": "512Mi"}}]}}],
  "horizontalPodAutoscalers": [{"name": "shop", "scaleTarget": "shop", "minReplicas": 2, "maxReplicas": 40,
                                "metrics": [{"averageUtilization": 60}]}]
}"""


def plan() -> Plan:
    return plan_from_text(_PLAN, "shop")


def save(path: Path) -> None:
    """Write what was measured, as the file that `headroom measure` writes."""
    by_chance = np.random.default_rng(7)
    minutes = np.arange(_STEPS)
    load = 150 - 90 * np.cos(minutes / _STEPS * 2 * np.pi) + 25 * np.sin(minutes / 47)
    load *= 1 + 0.03 * by_chance.standard_normal(_STEPS)
    pods = np.ceil(np.maximum.accumulate(np.convolve(load, np.ones(5) / 5, "same"))[: _STEPS // 2] * COST / 0.28)
    pods = np.concatenate([pods, np.ceil(np.convolve(load, np.ones(9) / 9, "same")[_STEPS // 2 :] * COST / 0.27)])
    cpu = (COST * load + IDLE * pods) * (1 + 0.04 * by_chance.standard_normal(_STEPS))
    courses = {Quantity.REQUESTS: load, Quantity.CPU: cpu, Quantity.READY: pods}
    found = {Subject(quantity, "shop"): course.astype(np.float32) for quantity, course in courses.items()}
    starts = {"shop": np.array([8.0, 9.5, 9.0, 11.0, 8.5, 10.0, 9.0, 12.0])}
    save_measured(MeasuredCluster(_BEGIN_S, _STEP_S, _STEPS, found, starts, "shop.measured.json.gz", ()), plan(), path)
