"""The version of the plan: that of the newest kubelet, because a control plane is never older than its kubelets."""

import re

from planner.kube.draft.draft import Draft, Part
from planner.language.translation import tr
from planner.plan.model.versions import NEWEST, OLDEST, KubernetesVersion

_VERSION = re.compile(r"v?(\d{1,3})\.(\d{1,3})(?:\D|\Z)")


def kubernetes_version(draft: Draft) -> Part:
    """The setting of the plan; nothing if no node has a version."""
    nodes: dict[str, int] = {}
    for text, count in draft.kubelet_versions.items():
        match = _VERSION.match(text)
        if match is not None:
            version = f"{match.group(1)}.{match.group(2)}"
            nodes[version] = nodes.get(version, 0) + count
    found = sorted(nodes, key=_numbers)
    if not found:
        return {}
    newest = found[-1]
    if len(found) > 1:
        counts = ", ".join(f"{version} on {nodes[version]}" for version in found)
        draft.losses.remark(
            tr(
                "nodes have kubelets of several versions ({counts}); the plan has the newest, {newest}",
                counts=counts,
                newest=newest,
            )
        )
    known = [str(version) for version in KubernetesVersion]
    if newest in known:
        return {"kubernetesVersion": newest}
    used = OLDEST if _numbers(newest) < _numbers(OLDEST) else NEWEST
    draft.losses.remark(
        tr("the rules of Kubernetes {newest} are not known; the plan has {used}", newest=newest, used=used)
    )
    return {"kubernetesVersion": str(used)}


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
