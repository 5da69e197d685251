"""Changes as values of a Helm chart, by a mapping from values of the chart to fields of objects.

What a value means is up to the templates of the chart, so that only its owner can say it:

    web.replicaCount: Deployment/shop/web spec.replicas
    web.cpu: Deployment/shop/web spec.template.spec.containers[main].resources.requests.cpu

Objects are KIND/NAMESPACE/NAME, or KIND/NAME where their kind has no namespace.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from planner.disk.cures import cure_of, reason_of
from planner.errors import ImportProblem
from planner.kube.changes.object_changes import ObjectChange
from planner.kube.draft.draft import Part
from planner.kube.files.source import Unreadable
from planner.kube.files.yaml_text import yaml_documents
from planner.language.translation import marked, tr

_STEP = re.compile(r"\.?([A-Za-z_][\w/-]*)|\[([^\]]+)\]")
_CURE = marked("Write the path of a value, a colon, KIND/NAMESPACE/NAME, a space, and the path of a field.")


class MappedValue(NamedTuple):
    """A value of the chart, and the field of the object that it becomes."""

    value: str
    kind: str
    namespace: str
    name: str
    field: str

    def is_of(self, change: ObjectChange) -> bool:
        """Whether the field belongs to the changed object."""
        known = (change.kind.lower(), change.namespace, change.name)
        return (self.kind.lower(), self.namespace, self.name) == known


class HelmValues(NamedTuple):
    """Values to set, and what the mapping does not reach."""

    values: Part
    """As a values file nests them."""
    others: tuple[str, ...]
    """Objects with changes that no value makes."""


def read_mapping(path: Path) -> list[MappedValue]:
    """The mapping of a YAML or JSON file. Raises ImportProblem."""
    try:
        documents = list(yaml_documents(path.read_text(encoding="utf-8")))
    except UnicodeDecodeError:
        raise ImportProblem(str(path), tr("The file is not UTF-8 text."), tr(_CURE)) from None
    except OSError as error:
        raise ImportProblem(
            str(path), tr("The file cannot be read ({reason}).", reason=reason_of(error)), cure_of(error)
        ) from None
    except Unreadable as error:
        raise ImportProblem(f"{path}: {error.place}", error.problem, error.remedy) from None
    if len(documents) != 1 or not isinstance(documents[0], dict):
        raise ImportProblem(str(path), tr("This is not one map of values."), tr(_CURE))
    return [_mapped(path, value, target) for value, target in documents[0].items()]


def _mapped(path: Path, value: str, target: Any) -> MappedValue:
    words = target.split() if isinstance(target, str) else []
    parts = words[0].split("/") if words else []
    if len(words) != 2 or len(parts) not in (2, 3) or not all(parts) or not (_steps(words[1]) and _steps(value)):
        raise ImportProblem(f"{path}: {value}", tr("{target!r} names no field of an object.", target=target), tr(_CURE))
    namespace = parts[1] if len(parts) == 3 else ""
    return MappedValue(value, parts[0], namespace, parts[-1], words[1])


def helm_values(changes: Iterable[ObjectChange], mapping: Sequence[MappedValue]) -> HelmValues:
    """Values of the changed fields; an object whose other fields change too is listed."""
    values: Part = {}
    others: list[str] = []
    for change in changes:
        reached = change.before
        for mapped in mapping if change.before is not None and change.after is not None else ():
            steps = _steps(mapped.field)
            old, new = (_at(part, steps) for part in (change.before, change.after))
            if mapped.is_of(change) and old != new:
                _put(values, [str(step) for step in _steps(mapped.value)], new)
                reached = _with(reached, steps, new)
        if reached != change.after:
            others.append(change.title)
    return HelmValues(values, tuple(others))


def _steps(path: str) -> list[str]:
    """Keys, and names or numbers of items in brackets; empty if it is no path."""
    found: list[str] = []
    at = 0
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None:
            return []
        found.append(match[1] or f"[{match[2]}")
        at = match.end()
    return found


def _at(value: Any, steps: Sequence[str]) -> Any:
    """What is there; None if nothing is."""
    for step in steps:
        key = _key(value, step)
        if key is None:
            return None
        value = value[key]
    return value


def _key(value: Any, step: str) -> Any:
    """Key or position of a step; None where it leads nowhere."""
    if not step.startswith("["):
        return step if isinstance(value, Mapping) and step in value else None
    if isinstance(value, Mapping):
        return step[1:] if step[1:] in value else None
    if not isinstance(value, list):
        return None
    named = (at for at, item in enumerate(value) if isinstance(item, Mapping) and item.get("name") == step[1:])
    number = int(step[1:]) if step[1:].isdecimal() and int(step[1:]) < len(value) else None
    return next(named, number)


def _with(value: Any, steps: Sequence[str], new: Any) -> Any:
    """The value with another part; one that is not there yet is added to its map, None takes it away."""
    if not steps:
        return new
    key = _key(value, steps[0])
    if isinstance(value, list):
        return [_with(item, steps[1:], new) if at == key else item for at, item in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    name = steps[0].removeprefix("[")
    part = _with(value.get(name, {} if steps[1:] else None), steps[1:], new)
    return {**{key: item for key, item in value.items() if key != name}, **({} if part is None else {name: part})}


def _put(values: Part, steps: Sequence[str], new: Any) -> None:
    for step in steps[:-1]:
        values = values.setdefault(step.removeprefix("["), {})
    values[steps[-1].removeprefix("[")] = new
