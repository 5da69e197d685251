"""Where a setting of the plan comes from within its manifest, so that a problem names the path its author knows."""

import re

_POD = re.compile(r"pod\.(?P<rest>.+)\Z", re.DOTALL)
_AMOUNTS = re.compile(r"((?:containers|initContainers)\[\d+\])\.(requests|limits)")
_OF_METADATA = ("labels",)
_WORKLOAD = {
    "replicas": "spec.replicas",
    "updateStrategy.minReady": "spec.minReadySeconds",
    "updateStrategy.maxSurge": "spec.strategy.rollingUpdate.maxSurge",
    "updateStrategy.maxUnavailable": "spec.strategy.rollingUpdate.maxUnavailable",
    "stateful.partition": "spec.updateStrategy.rollingUpdate.partition",
    "stateful.startOrdinal": "spec.ordinals.start",
    "job.cron.schedule": "spec.schedule",
    "job.cron.timeZone": "spec.timeZone",
    "job.cron.successfulJobsHistoryLimit": "spec.successfulJobsHistoryLimit",
    "job.cron.failedJobsHistoryLimit": "spec.failedJobsHistoryLimit",
    "job.completions": "spec.completions",
    "job.backoffLimit": "spec.backoffLimit",
    "job.activeDeadline": "spec.activeDeadlineSeconds",
}
_IN_SPEC = {
    "horizontalPodAutoscalers": ("minReplicas", "maxReplicas", "behavior", "metrics"),
    "podDisruptionBudgets": ("minAvailable", "maxUnavailable", "selector"),
}
_NODE = {
    "cpu": "status.capacity.cpu",
    "memory": "status.capacity.memory",
    "pods": "status.allocatable.pods",
    "ephemeralStorage": "status.allocatable.ephemeral-storage",
}
_RENAMED = {
    "minReplicas": "spec.minReplicaCount",
    "maxReplicas": "spec.maxReplicaCount",
    "idleReplicas": "spec.idleReplicaCount",
    "pollingInterval": "spec.pollingInterval",
    "cooldownPeriod": "spec.cooldownPeriod",
    "initialCooldownPeriod": "spec.initialCooldownPeriod",
    "scalingModifiers.formula": "spec.advanced.scalingModifiers.formula",
    "strategy": "spec.scalingStrategy.strategy",
    "successfulJobsHistoryLimit": "spec.successfulJobsHistoryLimit",
}
"""Settings of KEDA's objects."""
_TEMPLATES = {"Pod": "", "ScaledJob": "spec.jobTargetRef.template.", "CronJob": "spec.jobTemplate.spec.template."}
"""Where kinds hold the template of their pods, if not in spec.template."""
_AT_TOP = {"priorityClasses": ("value", "preemptionPolicy", "globalDefault")}


def manifest_path(section: str, path: str, kind: str) -> str | None:
    """The path in the manifest of that kind; None where the setting has no place in it."""
    if section == "workloads":
        return _of_workload(path, kind)
    if section == "nodeGroups" and path in _NODE:
        return _NODE[path]
    if section in ("scaledObjects", "scaledJobs"):
        return f"spec.{path}" if path.startswith("triggers") else _RENAMED.get(path)
    first = re.split(r"[.\[]", path, maxsplit=1)[0]
    if first in _IN_SPEC.get(section, ()):
        return f"spec.{path}"
    return path if first in _AT_TOP.get(section, ()) else None


def _of_workload(path: str, kind: str) -> str | None:
    match = _POD.match(path)
    if match is None:
        if kind == "Job" and path == "replicas":
            return "spec.parallelism"
        return _WORKLOAD.get(path) if kind != "Pod" else None
    rest, template = match["rest"], _TEMPLATES.get(kind, "spec.template.")
    if rest.startswith(_OF_METADATA):
        return f"{template}metadata.{rest}"
    return f"{template}spec." + _AMOUNTS.sub(r"\1.resources.\2", rest)
