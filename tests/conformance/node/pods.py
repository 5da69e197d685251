"""Pods and tolerations of the API on the way of a user's manifest: import, plan, compiled pod.

What a stored object has and no manifest or plan can say is set here: the priority that admission wrote, overhead, marks
of static pods, and requests that the API server did not default.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from planner.kube.draft.draft import Draft, Part
from planner.kube.files.field import Field
from planner.kube.kinds.workloads import daemon_set, deployment
from planner.kube.pods.pod_template import resources
from planner.nodes.kubelet.memory_profile import MemoryProfile
from planner.nodes.kubelet.node_disk import DiskProfile
from planner.nodes.kubelet.qos import QosClass
from planner.plan.model.control_plane import AdmissionSettings
from planner.plan.model.pods.containers import Resources
from planner.plan.model.workloads import Workload
from planner.simulation.compile.kubelet_profiles import disk_profile, memory_profile, pod_qos
from planner.simulation.compile.pods import SYSTEM_CLASSES, Admission, compile_pod, resource_names
from planner.state.resources import ResourceAxis
from planner.state.specs import PodSpec
from tests.conformance.imported import CLASS, HERE, workload_part

Json = Mapping[str, Any]
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
        return disk_profile(self.workload, self.spec, self.overhead)


def known_pod(pod: Json, is_defaulted: bool = True) -> KnownPod:
    """A Pod object. `is_defaulted` False: it stays as it is given, as if the API server filled in no request."""
    spec = _accepted(pod["spec"] if is_defaulted else _undefaulted(pod["spec"]))
    template = {"metadata": pod.get("metadata") or {}, "spec": spec}
    return _known(workload_part(deployment, {"metadata": {"name": CLASS}, "spec": {"template": template}}), pod)


def known_daemon_pod(manifest: Json) -> KnownPod:
    """A pod of a DaemonSet object."""
    template = manifest["spec"]["template"]
    spec = template.get("spec") or {}
    accepted = {**manifest, "spec": {"template": {**template, "spec": _accepted(spec)}}}
    return _known(workload_part(daemon_set, accepted), {"spec": spec})


def _known(fields: Part, pod: Json) -> KnownPod:
    overhead = Resources.model_validate(resources(Field(pod["spec"].get("overhead"), HERE), Draft().losses))
    template = {**fields["pod"], **({"runtimeClass": CLASS} if pod["spec"].get("overhead") else {})}
    workload = Workload.model_validate({**fields, "name": CLASS, "pod": template})
    admission = Admission({}, None, {CLASS: overhead}, (), AdmissionSettings(), ())
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
    """Missing requests of resources that have limits become explicit zeros, which mean the same."""
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
