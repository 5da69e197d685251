"""Pods and tolerations of the API on the way of a user's manifest: import, plan, compiled pod.

What a stored object has and no manifest or plan can say is set here: the priority that admission wrote, overhead, and
tolerations that the API server would refuse.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from planner.errors import ImportProblem
from planner.kube.draft.draft import Draft, Part
from planner.kube.files.field import Field
from planner.kube.files.source import Source
from planner.kube.kinds.workloads import daemon_set, deployment
from planner.kube.pods.pod_template import resources
from planner.kube.pods.pod_terms import tolerations
from planner.plan.model.control_plane import AdmissionSettings
from planner.plan.model.pods import Resources, Toleration
from planner.plan.model.workloads import Workload
from planner.simulation.compile.pods import Admission, compile_pod, resource_names
from planner.state.resources import ResourceAxis
from planner.state.specs import PodSpec
from planner.units import US_PER_S

Json = Mapping[str, Any]
HERE = Source("vector", 1)
RUNTIME = "vector"


def compiled(workload: Workload, pod: Json) -> PodSpec:
    """The pod spec of a run; `pod` is the API object with what admission stored."""
    overhead = Field(pod["spec"].get("overhead"), HERE)
    overheads = {RUNTIME: Resources.model_validate(resources(overhead, Draft().losses))}
    admission = Admission({}, None, overheads, (), AdmissionSettings(), ())
    axis = ResourceAxis(resource_names(workload.pod))
    spec = compile_pod(workload, 0, workload.namespace, admission, axis)
    return replace(spec, priority=pod["spec"].get("priority") or 0)


def imported(pod: Json) -> Workload:
    """A Deployment of such pods, as an import reads it."""
    template = {"metadata": pod.get("metadata") or {}, "spec": _accepted(pod["spec"])}
    draft = Draft()
    deployment.read(Field({"metadata": {"name": "vector"}, "spec": {"template": template}}, HERE), draft)
    return _workload(draft.workloads[0].fields, bool(pod["spec"].get("overhead")))


def imported_daemon_set(manifest: Json) -> Workload:
    """A DaemonSet, as an import reads it."""
    template = manifest["spec"]["template"]
    whole = {**manifest, "spec": {"template": {**template, "spec": _accepted(template.get("spec") or {})}}}
    draft = Draft()
    daemon_set.read(Field(whole, HERE), draft)
    return _workload(draft.workloads[0].fields, False)


def _workload(fields: Part, has_overhead: bool) -> Workload:
    pod = {**fields["pod"], **({"runtimeClass": RUNTIME} if has_overhead else {})}
    return Workload.model_validate({**fields, "name": "vector", "pod": pod})


def _accepted(spec: Json) -> Json:
    """A spec that the API server would take: with a container, without priority class."""
    kept = {key: value for key, value in spec.items() if key not in ("priorityClassName", "priority", "overhead")}
    return {**kept, "containers": spec.get("containers") or [{"name": "main"}]}


def read_tolerations(entries: Iterable[Json]) -> tuple[Toleration, ...]:
    """Tolerations of a pod; operators that no plan accepts are kept, as in objects that were stored unchecked."""
    return tuple(map(_toleration, entries))


def _toleration(entry: Json) -> Toleration:
    try:
        return Toleration.model_validate(tolerations(Field([entry], HERE))[0])
    except (ImportProblem, ValidationError):
        seconds = entry.get("tolerationSeconds")
        return Toleration.model_construct(
            key=entry.get("key") or "",
            operator=entry.get("operator") or "Equal",
            value=entry.get("value") or "",
            effect=entry.get("effect") or None,
            toleration_seconds=None if seconds is None else seconds * US_PER_S,
        )
