"""The same experiments as Headroom plans."""

from typing import Any

from planner.plan.model.plan import Plan
from planner.simulation.run import run_plan
from tests.reference.experiments import CHANGE_S, Experiment, Pipeline
from tests.reference.run import IDLE_S, ROW_S, Course


def plan_of(experiment: Experiment) -> Plan:
    """Circumstances alike; what is drawn there is drawn here.

    Before a warm start pods have used what they use at its beginning, so the run begins as long before the load as the
    reference does.
    """
    period = f"{experiment.sync_s}s"
    cpu = {"cpu": f"{round(1000 * experiment.limit_cores)}m"}
    pod = {
        "containers": [{"name": "main", "requests": cpu, "limits": cpu}],
        "startupDelay": f"{experiment.start_up_s}s",
        "terminationGracePeriod": f"{experiment.grace_s}s",
        "terminationTime": "0s",
    }
    demand = {"cpuSecondsPerRequest": experiment.cost_s, "workers": 1, "cv": 1.0, "discipline": "queue"}
    hpa = {
        "name": "web", "scaleTarget": "web", "minReplicas": experiment.least, "maxReplicas": experiment.most,
        "metrics": [{"averageUtilization": experiment.target_percent}],
    }  # fmt: skip
    whole: dict[str, Any] = {
        "simulation": {
            "duration": f"{IDLE_S + experiment.end_s}s",
            "loadStep": f"{ROW_S}s",
            "recordInterval": f"{ROW_S}s",
            "discreteRequests": True,
        },
        "nodeGroups": [{"name": "pool", "cpu": "32", "memory": "64Gi", "initialSize": 1, "maxSize": 1}],
        "workloads": [
            {"name": "web", "replicas": experiment.pods, "pod": pod, "demand": demand, "traffic": _traffic(experiment)}
        ],
        "horizontalPodAutoscalers": [hpa] if experiment.autoscaled else [],
        "hpaController": {
            "syncPeriod": period,
            "downscaleStabilization": period,
            "cpuInitializationPeriod": period,
            "initialReadinessDelay": period,
        },
        "metricsPipeline": _pipeline(experiment.pipeline),
        "clusterAutoscaler": {"enabled": False},
    }
    return Plan.model_validate(whole)


def _traffic(experiment: Experiment) -> dict[str, Any]:
    course = experiment.course()
    idle = {"at": "0s", "rate": 0.0}
    points = [{"at": f"{IDLE_S + part * CHANGE_S}s", "rate": rate} for part, rate in enumerate(course)]
    end = {"at": f"{IDLE_S + experiment.load_s}s", "rate": 0.0}
    return {"profile": {"type": "points", "interpolation": "step", "points": [idle, *points, end]}}


def _pipeline(pipeline: Pipeline) -> dict[str, Any]:
    scraped = {"scrapeInterval": f"{pipeline.scrape_s}s", "kubeletInterval": "10s"}
    if pipeline is Pipeline.PROMETHEUS:
        return {"sampling": "rate", "rateWindow": "1m", **scraped}
    return {"sampling": "perContainer", **scraped}


def planned_run(experiment: Experiment, seed: int) -> Course:
    """What Headroom says about the experiment."""
    result = run_plan(plan_of(experiment), seed)
    first, rows = IDLE_S // ROW_S, experiment.end_s // ROW_S + 1
    series = {name: result.series[f"{name}[web]"][first : first + rows] for name in _SERIES}
    cpu_s = (series["cpu_used_cores"] * ROW_S).cumsum()
    return Course(list(series["replicas_active_count"]), list(series["in_flight_count"]), list(cpu_s))


_SERIES = ("replicas_active_count", "in_flight_count", "cpu_used_cores")
