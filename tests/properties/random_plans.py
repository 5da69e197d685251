"""Random plans that pass the checks: many parts, in odd combinations, each small enough to run in half a second.

`random_plan(7)` is the same plan on every machine. A part is in the file's spelling; what is not drawn is left to the
defaults.
"""

import random
from typing import Any

from planner.plan.checks.validate import check_plan
from planner.plan.model.plan import Plan
from tests.properties.random_events import events_of
from tests.properties.random_karpenter import add_karpenter

Json = dict[str, Any]
ZONES = ("a", "b", "c")
DRIVER = "ebs.csi.aws.com"
_TRIES = 40


def random_plan(number: int) -> Plan:
    """The plan of that number."""
    for attempt in range(_TRIES):
        plan = Plan.model_validate(_drawn(random.Random(f"plan {number}, attempt {attempt}")))
        if not list(check_plan(plan)):
            return plan
    raise AssertionError(f"none of {_TRIES} attempts at plan {number} passes the checks")


def _drawn(chance: random.Random) -> Json:
    groups = [_group(chance, name) for name in ("left", "right", "spot")[: chance.randint(1, 3)]]
    workloads = [_deployment(chance, "web")]
    workloads += [make(chance) for make in (_caller, _stateful, _daemon, _job, _batch) if chance.random() < 0.5]
    workloads += [make(chance) for make in (_bare, _static) if chance.random() < 0.25]
    names = [item["name"] for item in workloads]
    autoscaled = [name for name in names if name in ("web", "api", "store") and chance.random() < 0.6]
    plan: Json = {
        "simulation": _simulation(chance),
        "nodeGroups": groups,
        "workloads": workloads,
        "events": events_of(chance, [group["name"] for group in groups], names, list(ZONES), _new_pod),
        "horizontalPodAutoscalers": [_autoscaler(chance, name) for name in autoscaled],
        "clusterAutoscaler": _cluster_autoscaler(chance),
        "podDisruptionBudgets": [_budget(chance, name) for name in names if chance.random() < 0.4],
        "priorityClasses": [{"name": "high", "value": 1000}, {"name": "low", "value": -100}],
    }
    _attach_volumes(chance, groups, workloads)
    if chance.random() < 0.2:
        plan["namespaces"] = [{"name": "default", "resourceQuotas": [_quota(chance)]}]
    if chance.random() < 0.25:
        plan["overprovisioning"] = [_reserve(chance)]
    if chance.random() < 0.5:
        plan["metricsPipeline"] = {"sampling": chance.choice(["sampled", "perContainer"])}
    if chance.random() < 0.3:
        plan["nodeLifecycle"] = {"nodeEvictionRate": chance.choice([0.01, 1, 10])}
    if chance.random() < 0.15:
        mode = {"type": "linear", "coresPerReplica": chance.choice([2, 8]), "min": 1}
        plan["proportionalAutoscalers"] = [{"name": "ladder", "targets": [names[-1]], "mode": mode}]
    if chance.random() < 0.4:
        add_karpenter(chance, plan)
    return plan


def _simulation(chance: random.Random) -> Json:
    return {
        "duration": chance.choice(["8m", "15m", "15m", "30m", "45m"]),
        "seed": chance.randint(1, 10_000),
        "warmStart": chance.random() < 0.7,
        "cpuContention": chance.random() < 0.8,
        "loadStep": chance.choice(["5s", "15s", "30s"]),
        "recordInterval": chance.choice(["15s", "1m", "7s"]),
    }


def _group(chance: random.Random, name: str) -> Json:
    size = chance.randint(0, 4)
    group: Json = {
        "name": name,
        "initialSize": size,
        "minSize": chance.randint(0, size),
        "maxSize": size + chance.randint(0, 8),
        "cpu": chance.choice(["2", "4", "8"]),
        "memory": chance.choice(["8Gi", "16Gi"]),
        "pricePerHour": chance.choice([0, 0.1, 1.0]),
        "provisioningDelay": chance.choice(["10s", "90s", "5m"]),
        "provisioningSpread": chance.choice(["0s", "30s"]),
        "readyDelay": chance.choice(["0s", "0s", "20s"]),
        "deletionDelay": chance.choice(["0s", "30s", "3m"]),
        "pricing": _pricing(chance, name),
    }
    if chance.random() < 0.25:
        group["zones"] = [{"name": zone} for zone in chance.sample(ZONES, 2)]
        group["zoneMode"] = chance.choice(["balanced", "perZone"])
    elif chance.random() < 0.7:
        group["zone"] = chance.choice(ZONES)
    if chance.random() < 0.2:
        group["quota"] = size + chance.randint(0, 3)
    if chance.random() < 0.2:
        group["kubelet"] = {"preset": "gke", "shutdownGracePeriod": "30s"}
    return group


def _pricing(chance: random.Random, name: str) -> Json:
    pricing: Json = {
        "billedFrom": chance.choice(["request", "ready"]),
        "granularity": chance.choice(["1s", "1m", "1h"]),
        "minimum": chance.choice(["0s", "1m", "10m"]),
    }
    if chance.random() < 0.3:
        pricing |= {"reservedNodes": chance.randint(1, 4), "reservedPricePerHour": 0.4}
    if name == "spot":
        spot = {"spotPricePerHour": 0.3, "reclaimsPerHour": chance.choice([0.5, 4])}
        pricing |= {"market": "spot", "reclaimNotice": chance.choice(["0s", "30s", "2m"]), **spot}
    return pricing


def _pod(chance: random.Random, cpu: str) -> Json:
    resources: Json = {"requests": {"cpu": cpu, "memory": chance.choice(["128Mi", "1Gi"])}}
    if chance.random() < 0.4:
        resources["limits"] = {"cpu": chance.choice(["1", "2"]), "memory": "2Gi"}
    pod: Json = {
        "containers": [{"name": "main", **resources}],
        "startupDelay": chance.choice(["0s", "5s", "40s"]),
        "readinessDelay": chance.choice(["0s", "0s", "20s"]),
        "terminationTime": chance.choice(["0s", "5s", "50s"]),
        "terminationGracePeriod": chance.choice(["0s", "30s"]),
    }
    if chance.random() < 0.2:
        pod["priorityClass"] = chance.choice(["high", "low"])
    if chance.random() < 0.2:
        spread = {"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "DoNotSchedule"}
        pod["topologySpreadConstraints"] = [spread | {"labelSelector": {}}]
    if chance.random() < 0.15:
        pod["requiredPodAntiAffinity"] = [{"topologyKey": "kubernetes.io/hostname", "labelSelector": {}}]
    return pod


def _new_pod(chance: random.Random) -> Json:
    """A template that a rollout brings: other requests, and perhaps a sidecar."""
    pod = _pod(chance, chance.choice(["100m", "400m", "1"]))
    if chance.random() < 0.5:
        pod["containers"].append({"name": "side", "requests": {"cpu": "50m"}, "cpuShare": 20, "memoryShare": 10})
    return pod


def _profile(chance: random.Random, rate: float) -> Json:
    return chance.choice(
        [
            {"type": "constant", "rate": rate},
            {"type": "step", "from": rate, "to": rate * 3, "at": "10m"},
            {"type": "sine", "mean": rate, "amplitude": rate, "period": "20m"},
            {"type": "spike", "base": rate, "peak": rate * 8, "start": "5m", "rise": "30s", "hold": "4m"},
            {"type": "ramp", "from": rate * 2, "to": 0, "start": "5m", "duration": "10m"},
        ]
    )


def _service(chance: random.Random, name: str, rate: float) -> Json:
    demand: Json = {
        "cpuSecondsPerRequest": chance.choice([0.005, 0.05, 0.5]),
        "discipline": chance.choice(["sharing", "queue"]),
        "balancer": chance.choice(["random", "round-robin", "least-of-two", "shared-queue"]),
        "workers": chance.choice([None, 1, 8]),
        "queueLimit": chance.choice([0, 0, 20]),
        "timeout": chance.choice(["0s", "2s", "30s"]),
        "parallelism": chance.choice([1, 1, 2]),
        "idleCpu": chance.choice(["0", "20m"]),
    }
    if chance.random() < 0.5:
        demand["retries"] = {"attempts": chance.randint(1, 3), "backOff": chance.choice(["100ms", "2s"])}
    if chance.random() < 0.3:
        demand["warmUp"] = {"duration": "1m", "slowDown": 3}
    service: Json = {"name": name, "replicas": chance.randint(0, 6), "demand": demand}
    service["traffic"] = {"profile": _profile(chance, rate), "noise": {"cv": chance.choice([0, 0.3])}}
    if chance.random() < 0.5:
        service["slo"] = {"percentile": chance.choice([50, 95, 99]), "target": "200ms"}
    if chance.random() < 0.3:
        service |= {"startupCpu": "500m", "startupCpuTime": "45s", "cpuUse": "10m"}
    if chance.random() < 0.3:
        growth = {"growthPerHour": chance.choice(["0", "2Gi"]), "perInFlightRequest": chance.choice(["0", "5Mi"])}
        service["memoryUse"] = {"start": "200Mi", "spread": 0.3, **growth}
    return service


def _deployment(chance: random.Random, name: str) -> Json:
    strategies: list[Json] = [{}, {"type": "Recreate"}, {"maxSurge": 0, "maxUnavailable": 1, "minReady": "10s"}]
    return _service(chance, name, chance.choice([0.5, 5, 60])) | {
        "pod": _pod(chance, chance.choice(["200m", "500m", "1"])),
        "updateStrategy": chance.choice(strategies),
    }


def _caller(chance: random.Random) -> Json:
    call = {"workload": "web", "perRequest": chance.choice([0.5, 2]), "async": chance.random() < 0.3}
    return _service(chance, "api", 5) | {"pod": _pod(chance, "300m"), "calls": [call]}


def _stateful(chance: random.Random) -> Json:
    policy = {"podManagementPolicy": chance.choice(["OrderedReady", "Parallel"]), "partition": chance.choice([0, 1])}
    pod = _pod(chance, "500m") | {"zonalClaim": chance.random() < 0.4}
    return _service(chance, "store", 2) | {"kind": "StatefulSet", "pod": pod, "stateful": policy}


def _daemon(chance: random.Random) -> Json:
    namespace = chance.choice(["default", "kube-system"])
    pod = _pod(chance, "50m") | {"topologySpreadConstraints": [], "requiredPodAntiAffinity": []}
    return {"name": "agent", "kind": "DaemonSet", "namespace": namespace, "pod": pod, "cpuUse": "30m"}


def _job(chance: random.Random) -> Json:
    work: Json = {"runTime": "2m"} if chance.random() < 0.5 else {"work": 60, "workCores": "1"}
    job = {"completions": chance.randint(1, 12), "failureRatio": chance.choice([0, 0.3]), "backoffLimit": 4, **work}
    return {"name": "batch", "kind": "Job", "replicas": chance.randint(1, 4), "pod": _pod(chance, "700m"), "job": job}


def _batch(chance: random.Random) -> Json:
    """Pods that use memory and disk without serving anything."""
    use: Json = {"memoryUse": {"start": "500Mi", "growthPerHour": chance.choice(["0", "20Gi"])}}
    if chance.random() < 0.5:
        use["diskUse"] = {"start": "1Gi", "growthPerHour": "30Gi"}
    return {"name": "filler", "replicas": chance.randint(0, 8), "pod": _pod(chance, "400m"), **use}


def _bare(chance: random.Random) -> Json:
    controlled = {"customController": chance.choice(["", "Workflow"])}
    return {"name": "bare", "kind": "Pod", "replicas": chance.randint(1, 4), "pod": _pod(chance, "250m"), **controlled}


def _static(chance: random.Random) -> Json:
    pod = _pod(chance, "100m") | {"topologySpreadConstraints": [], "requiredPodAntiAffinity": []}
    pools = chance.choice([[], ["left"]])
    return {"name": "proxy", "kind": "StaticPod", "namespace": "kube-system", "pod": pod, "nodeGroups": pools}


def _attach_volumes(chance: random.Random, groups: list[Json], workloads: list[Json]) -> None:
    """Volumes of pods, and limits of pools that are sometimes below them."""
    for item in workloads:
        if chance.random() < 0.15 and item.get("kind") != "StaticPod":
            item["pod"]["volumes"] = {DRIVER: chance.randint(1, 2)}
    for group in groups:
        if chance.random() < 0.3:
            group["volumeLimits"] = {DRIVER: chance.choice([0, 3, 25])}


def _quota(chance: random.Random) -> Json:
    quota: Json = {"name": "quota", "pods": chance.choice([3, 12, 40])}
    if chance.random() < 0.5:
        quota |= {"requests": {"cpu": chance.choice(["2", "8"])}, "limits": {"memory": "40Gi"}}
    return quota


def _autoscaler(chance: random.Random, name: str) -> Json:
    autoscaler: Json = {"name": name, "scaleTarget": name, "maxReplicas": chance.randint(3, 20)}
    if chance.random() < 0.5:
        autoscaler["metrics"] = [{"type": "Resource", "averageUtilization": chance.choice([30, 70])}]
    elif chance.random() < 0.2:
        memory = {"type": "Resource", "resource": "memory", "targetType": "AverageValue", "averageValue": "300Mi"}
        autoscaler["metrics"] = [memory]
    if chance.random() < 0.3:
        policy = {"type": "Pods", "value": 2, "period": "30s"}
        autoscaler["behavior"] = {"scaleDown": {"stabilizationWindow": "30s"}, "scaleUp": {"policies": [policy]}}
    return autoscaler


def _cluster_autoscaler(chance: random.Random) -> Json:
    return {
        "enabled": chance.random() < 0.85,
        "expander": [chance.choice(["least-waste", "random", "most-pods", "price", "least-nodes"])],
        "scaleDownUnneededTime": chance.choice(["1m", "10m"]),
        "scaleDownDelayAfterAdd": chance.choice(["1m", "10m"]),
        "maxNodeProvisionTime": chance.choice(["4m", "15m"]),
        "frequentLoopsEnabled": chance.random() < 0.7,
        "balanceSimilarNodeGroups": chance.random() < 0.3,
        "enforceNodeGroupMinSize": chance.random() < 0.3,
    }


def _budget(chance: random.Random, name: str) -> Json:
    portion = {chance.choice(["maxUnavailable", "minAvailable"]): chance.choice([0, 1, "50%"])}
    return {"name": name, "selector": {"matchLabels": {"app": name}}, **portion}


def _reserve(chance: random.Random) -> Json:
    is_buffer = chance.random() < 0.4
    pod = {"containers": [{"requests": {"cpu": "500m", "memory": "512Mi"}}]}
    return {"name": "reserve", "replicas": chance.randint(0, 3), "capacityBuffer": is_buffer, "pod": pod}
