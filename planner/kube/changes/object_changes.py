"""What has to be applied to a cluster of one plan so that it becomes that of another: objects, patches, flags, notes.

Manifests of a plan hold what a plan knows, not images, commands or secrets. So changes are written as strategic merge
patches, which leave everything else of an object as it is (Kubernetes 1.36, apimachinery/pkg/util/strategicpatch);
lists whose items have a merge key are patched item by item, others are replaced.
"""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from planner.kube.draft.draft import Part
from planner.kube.exporter import export_manifests, yaml_text
from planner.kube.manifest import START_NODES_MARK
from planner.plan.model.plan import Plan

_MADE_BY_OTHERS = ("Node", "CSINode", "Pod")
"""Kinds that nobody applies: machines, and pods that their controllers make."""
_MERGE_KEYS: Mapping[str, str] = {
    "containers": "name",
    "initContainers": "name",
    "volumes": "name",
    "env": "name",
    "ports": "containerPort",
    "schedulingGates": "name",
    "topologySpreadConstraints": "topologyKey",
}
"""Of lists in pod templates, by the name of their field."""
_DELETE = "$patch"


class ObjectChange(NamedTuple):
    """An object that differs; None where it does not exist."""

    kind: str
    namespace: str
    name: str
    before: Part | None
    after: Part | None

    @property
    def title(self) -> str:
        """As kubectl writes it, with the namespace."""
        place = f" in {self.namespace}" if self.namespace else ""
        return f"{self.kind.lower()}/{self.name}{place}"

    @property
    def file_name(self) -> str:
        """Name of its file."""
        return "-".join(part for part in (self.kind.lower(), self.namespace, self.name) if part) + ".yaml"

    def diff(self) -> str:
        """Lines that differ, as `kubectl diff` shows them."""
        old, new = (yaml_text([part]).splitlines() if part is not None else [] for part in (self.before, self.after))
        lines = difflib.unified_diff(old, new, f"before/{self.file_name}", f"after/{self.file_name}", lineterm="", n=2)
        return "\n".join(lines)

    def patch(self) -> Part:
        """The object itself if it is new, else a patch that changes or deletes it."""
        if self.before is None and self.after is not None:
            return self.after
        head = _head(self.before or {})
        if self.after is None:
            return head | {_DELETE: "delete"}
        return _merged(head, _patch_of(self.before or {}, self.after))


def object_changes(base: Plan, plan: Plan) -> list[ObjectChange]:
    """All objects that differ between the manifests of two plans, in the order of their kinds."""
    old, new = _objects(base), _objects(plan)
    return [
        ObjectChange(*key, old.get(key), new.get(key))
        for key in dict.fromkeys((*old, *new))
        if old.get(key) != new.get(key)
    ]


def kustomization(changes: Sequence[ObjectChange]) -> Part:
    """A kustomization that adds new objects and patches the others; its resources are to be filled in."""
    made = [change for change in changes if change.before is None]
    patched = [change for change in changes if change.before is not None]
    found: Part = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
    found["resources"] = ["../base", *(change.file_name for change in made)]
    return found | {"patches": [{"path": change.file_name} for change in patched]}


def _objects(plan: Plan) -> dict[tuple[str, str, str], Part]:
    found: dict[tuple[str, str, str], Part] = {}
    for kind, manifests in export_manifests(plan):
        for part in manifests if kind not in _MADE_BY_OTHERS else ():
            metadata = part.get("metadata", {})
            if metadata.get("annotations", {}).pop(START_NODES_MARK, None) and not metadata["annotations"]:
                del metadata["annotations"]
            found[kind, metadata.get("namespace", ""), metadata.get("name", "")] = part
    return found


def _head(part: Part) -> Part:
    metadata = {key: part["metadata"][key] for key in ("name", "namespace") if key in part.get("metadata", {})}
    return {"apiVersion": part.get("apiVersion"), "kind": part.get("kind"), "metadata": metadata}


def _merged(head: Part, patch: Part) -> Part:
    return (
        head
        | {key: value for key, value in patch.items() if key != "metadata"}
        | {"metadata": head["metadata"] | patch.get("metadata", {})}
    )


def _patch_of(old: Mapping[str, Any], new: Mapping[str, Any]) -> Part:
    """What changes `old` into `new`; null takes a key away."""
    found: Part = {key: None for key in old if key not in new}
    for key, value in new.items():
        before = old.get(key)
        if value == before:
            continue
        if isinstance(value, dict) and isinstance(before, dict):
            found[key] = _patch_of(before, value)
        elif isinstance(value, list) and isinstance(before, list) and _keyed(key, value, before):
            found[key] = list(_patched_items(_MERGE_KEYS[key], before, value))
        else:
            found[key] = value
    return found


def _keyed(field: str, *lists: list[Any]) -> bool:
    key = _MERGE_KEYS.get(field)
    return key is not None and all(isinstance(item, dict) and key in item for items in lists for item in items)


def _patched_items(key: str, old: list[Part], new: list[Part]) -> Iterator[Part]:
    before = {item[key]: item for item in old}
    for item in new:
        if item != before.get(item[key]):
            yield {key: item[key]} | _patch_of(before.get(item[key], {}), item)
    kept = [item[key] for item in new]
    yield from ({key: name, _DELETE: "delete"} for name in before if name not in kept)
