"""The version of the plan: that of the newest kubelet, because a control plane is never older than its kubelets."""

import re

from planner.kube.draft.draft import Draft, Part
from planner.plan.model.versions import NEWEST, OLDEST, KubernetesVersion

_VERSION = re.compile(r"v?(\d{1,3})\.(\d{1,3})(?:\D|\Z)")


def note_version(text: str | None, draft: Draft) -> None:
    """What the kubelet of a node says, such as v1.33.4-gke.1000."""
    match = _VERSION.match(text or "")
    if match is not None:
        version = f"{match.group(1)}.{match.group(2)}"
        draft.kubelet_versions[version] = draft.kubelet_versions.get(version, 0) + 1


def kubernetes_version(draft: Draft) -> Part:
    """The setting of the plan; nothing if no node has a version."""
    found = sorted(draft.kubelet_versions, key=_numbers)
    if not found:
        return {}
    newest = found[-1]
    if len(found) > 1:
        counts = ", ".join(f"{version} on {draft.kubelet_versions[version]}" for version in found)
        draft.losses.remark(f"nodes have kubelets of several versions ({counts}); the plan has the newest, {newest}")
    known = [str(version) for version in KubernetesVersion]
    if newest in known:
        return {"kubernetesVersion": newest}
    used = OLDEST if _numbers(newest) < _numbers(OLDEST) else NEWEST
    draft.losses.remark(f"the rules of Kubernetes {newest} are not known; the plan has {used}")
    return {"kubernetesVersion": str(used)}


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
