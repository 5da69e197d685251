"""Pods and tolerations of the API on the way of a user's manifest: import, plan, compiled pod.

What a stored object has and no manifest or plan can say is set here: the priority that admission wrote, overhead, marks
of static pods, requests that the API server did not default, and tolerations that it would refuse.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from planner.errors import ImportProblem
from planner.kube.draft.draft import Draft, Part
from planner.kube.files.field import Field
from planner.kube.files.source import Source
from planner.kube.kinds.workloads import daemon_set, deployment
from planner.kube.pods.pod_template import resources
from planner.kube.pods.pod_terms import tolerations
from planner.nodes.kubelet.memory_use import MemoryProfile
from planner.nodes.kubelet.node_disk import DiskProfile
from planner.nodes.kubelet.qos import QosClass
from planner.plan.model.control_plane import AdmissionSettings
from planner.plan.model.pods import Resources, Toleration
from planner.plan.model.workloads import Workload
from planner.simulation.compile.kubelet_profiles import disk_profile, memory_profile, pod_qos
from planner.simulation.compile.pods import SYSTEM_CLASSES, Admission, compile_pod, resource_names
from planner.state.resources import ResourceAxis
from planner.state.specs import PodSpec
from planner.units import US_PER_S

Json = Mapping[str, Any]
HERE = Source("vector", 1)
RUNTIME = "vector"
SOURCE_MARK = "kubernetes.io/config.source"
NOTHING = {"cpu": "0", "memory": "0"}


@dataclass(frozen=True)
class KnownPod:
    """A pod as a run holds it: its workload in the plan and its compiled spec."""

    workload: Workload
    spec: PodSpec
    overhead: Resources
    written_qos: str = ""
    """What the status says; empty: nothing."""

    @property
    def memory(self) -> MemoryProfile:
        """What the kubelet reads of it for memory."""
        profile = memory_profile(self.workload, self.spec, self.overhead)
        return profile if not self.written_qos else replace(profile, oom=replace(profile.oom, qos=self.qos))

    @property
    def qos(self) -> QosClass:
        """The class in the status, else the computed one."""
        return QosClass(self.written_qos) if self.written_qos else pod_qos(self.workload.pod)

    @property
    def disk(self) -> DiskProfile:
        """What the kubelet reads of it for disks."""
        return disk_profile(self.workload, self.overhead)


def known_pod(pod: Json, is_defaulted: bool = True) -> KnownPod:
    """A Pod object. `is_defaulted` False: it stays as it is given, as if the API server filled in no request."""
    spec = _accepted(pod["spec"] if is_defaulted else _undefaulted(pod["spec"]))
    template = {"metadata": pod.get("metadata") or {}, "spec": spec}
    draft = Draft()
    deployment.read(Field({"metadata": {"name": "vector"}, "spec": {"template": template}}, HERE), draft)
    return _known(draft.workloads[0].fields, pod)


def known_daemon_pod(manifest: Json) -> KnownPod:
    """A pod of a DaemonSet object."""
    template = manifest["spec"]["template"]
    spec = template.get("spec") or {}
    draft = Draft()
    daemon_set.read(Field({**manifest, "spec": {"template": {**template, "spec": _accepted(spec)}}}, HERE), draft)
    return _known(draft.workloads[0].fields, {"spec": spec})


def _known(fields: Part, pod: Json) -> KnownPod:
    overhead = Resources.model_validate(resources(Field(pod["spec"].get("overhead"), HERE), Draft().losses))
    template = {**fields["pod"], **({"runtimeClass": RUNTIME} if pod["spec"].get("overhead") else {})}
    workload = Workload.model_validate({**fields, "name": "vector", "pod": template})
    admission = Admission({}, None, {RUNTIME: overhead}, (), AdmissionSettings(), ())
    spec = compile_pod(workload, 0, workload.namespace, admission, ResourceAxis(resource_names(workload.pod)))
    marks = (pod.get("metadata") or {}).get("annotations") or {}
    is_static = spec.scaling.is_mirror or marks.get(SOURCE_MARK, "api") != "api"
    scaling = replace(spec.scaling, is_mirror=is_static)
    stored = replace(spec, priority=pod["spec"].get("priority") or 0, scaling=scaling)
    return KnownPod(workload, stored, overhead, (pod.get("status") or {}).get("qosClass") or "")


def _accepted(spec: Json) -> Json:
    """A spec that an import takes: with a container, a class that is known, and a pod level that says something."""
    kept = {key: value for key, value in spec.items() if key not in ("priority", "overhead")}
    if spec.get("priorityClassName") not in SYSTEM_CLASSES:
        kept.pop("priorityClassName", None)
    if spec.get("resources") == {}:
        kept["resources"] = {"requests": NOTHING}
    return {**kept, "containers": spec.get("containers") or [{"name": "main"}]}


def _undefaulted(spec: Json) -> Json:
    """Requests that are missing beside limits become explicit zeros, which mean the same."""
    level = spec.get("resources") or {}
    zeros = {"requests": {**NOTHING, **(level.get("requests") or {})}} if level.get("limits") else {}
    return {
        **spec,
        **{key: [_with_zeros(one) for one in spec.get(key) or ()] for key in ("containers", "initContainers")},
        **({"resources": {**level, **zeros}} if "resources" in spec else {}),
    }


def _with_zeros(container: Json) -> Json:
    given = container.get("resources") or {}
    requests = {**dict.fromkeys(given.get("limits") or {}, "0"), **(given.get("requests") or {})}
    return {**container, "resources": {**given, "requests": requests}}


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
