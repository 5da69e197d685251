"""PodMetrics, as printed by `kubectl get podmetrics.metrics.k8s.io -o json`: the usage of pods when it was measured."""

from planner.kube.draft.draft import Draft, MeasuredUse
from planner.kube.files.field import Field
from planner.kube.manifest import name_of, namespace_of
from planner.units import parse_count, parse_cpu_milli

KIND, GROUPS = "PodMetrics", ("metrics.k8s.io",)


def read(manifest: Field, draft: Draft) -> None:
    """All containers of a pod together."""
    cpu_milli = memory = 0
    for container in manifest.at("containers").items():
        container.at("name").text()
        cpu_milli += parse_cpu_milli(container.at("usage", "cpu").cpu() or "0")
        memory += parse_count(container.at("usage", "memory").memory() or "0")
    for name in ("timestamp", "window"):
        manifest.at(name).raw()
    manifest.at("metadata").raw()
    draft.measured[namespace_of(manifest), name_of(manifest)] = MeasuredUse(cpu_milli, memory)
