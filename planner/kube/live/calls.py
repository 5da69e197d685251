"""What is asked of a cluster: `kubectl get` of the kinds that a plan can contain, and of config maps by name."""

from collections.abc import Sequence
from typing import NamedTuple

from planner.kube.kinds.registry import KINDS

_NO_OBJECTS = ("AWSNodeTemplate", "ConfigMap", "KubeletConfiguration", "KubeSchedulerConfiguration", "Provisioner")
"""Kinds that are files of programs or of versions long gone, and config maps, of which those named below are read."""
_OF_CLUSTER = (
    "AKSNodeClass", "CSINode", "EC2NodeClass", "KWOKNodeClass", "Namespace", "Node", "NodeClaim", "NodeClass",
    "NodeOverlay", "NodePool", "PersistentVolume", "PriorityClass", "RuntimeClass", "StorageClass",
)  # fmt: skip
_CONFIG_MAPS = (("kube-system", "cluster-autoscaler-priority-expander"),)
_CHUNK = 500
_REQUEST_TIMEOUT = "120s"


class ClusterCall(NamedTuple):
    """One call of kubectl. All of them only read."""

    name: str
    """Of the file that keeps the answer."""
    arguments: tuple[str, ...]

    def text(self, program: str) -> str:
        """As one would type it."""
        return " ".join((program, *self.arguments))

    def unpaged(self) -> "ClusterCall":
        """The same in one answer, however long."""
        kept = (part for part in self.arguments if not part.startswith("--chunk-size"))
        return self._replace(arguments=(*kept, "--chunk-size=0"))


def cluster_calls(context: str = "", namespaces: Sequence[str] = ()) -> list[ClusterCall]:
    """All calls, in their order; empty namespaces mean all of them."""
    common = (f"--request-timeout={_REQUEST_TIMEOUT}", *((f"--context={context}",) if context else ()))
    found: list[ClusterCall] = []
    for kind, module in KINDS.items():
        if kind in _NO_OBJECTS:
            continue
        group = module.GROUPS[0]
        resource = f"{kind.lower()}.{group}" if group else kind.lower()
        listed = ("get", resource, "--output=json", f"--chunk-size={_CHUNK}", *common)
        if kind in _OF_CLUSTER:
            found.append(ClusterCall(kind.lower(), listed))
        elif not namespaces:
            found.append(ClusterCall(kind.lower(), (*listed, "--all-namespaces")))
        for namespace in () if kind in _OF_CLUSTER else namespaces:
            found.append(ClusterCall(f"{kind.lower()}-{namespace}", (*listed, f"--namespace={namespace}")))
    for namespace, name in _CONFIG_MAPS:
        one = ("get", "configmap", name, "--output=json", "--ignore-not-found", *common, f"--namespace={namespace}")
        found.append(ClusterCall(name, one))
    return found
