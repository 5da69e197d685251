"""Places of messages and paths of the plan: nodeGroups[0].maxSize is ("node_groups", 0, "max_size")."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from planner.plan.files.places import Path, Place, place_at
from planner.plan.model.plan import Plan
from ui.editor.values.summaries import name_of
from ui.editor.values.text import plan_text

_STEP = re.compile(r'\["(?P<key>.*?)"\]|\[(?P<index>\d+)\]|\.?(?P<name>[^.\[\]]+)')

DOT = " · "
"""Between the steps of a place."""


def path_of(where: str) -> Path:
    """The path a place of a message leads to, as far as it names something."""
    place, path = Place(Plan), list[str | int]()
    for step in _steps(where):
        found = _child(place, step)
        if found is None:
            break
        path.append(_python_name(place, step))
        place = found
    return tuple(path)


def _steps(where: str) -> Iterator[str | int]:
    for match in _STEP.finditer(where):
        if match["index"] is not None:
            yield int(match["index"])
        else:
            yield match["key"] if match["key"] is not None else match["name"]


def _child(place: Place, step: str | int) -> Place | None:
    if len(place.models) > 1:  # any of the alternatives will do: only names are wanted
        found = (Place(model, where=place.where).child(step) for model in place.models)
        return next((child for child in found if child is not None), None)
    return place.child(step)


def _python_name(place: Place, step: str | int) -> str | int:
    for model in place.models:
        for name, info in model.model_fields.items():
            if step in (name, info.alias):
                return name
    return step


def words_at(path: Path, plan: Plan) -> str:
    """A place in the words of the screen: "Workloads · web · Replicas"."""
    place, value, words = Place(Plan), plan, list[str]()
    for step in path:
        found, inner = _child(place, step), _inside(value, step)
        if isinstance(step, int):
            name = name_of(inner) if isinstance(inner, BaseModel) else ""
            words.append(name or str(step + 1))
        else:
            title = found.info.title if found is not None and found.info is not None else None
            words.append(plan_text(title) if title else step)
        if found is None:
            break
        place, value = found, inner
    return DOT.join(words)


def _inside(value: Any, step: str | int) -> Any:
    if isinstance(step, int):
        return value[step] if isinstance(value, tuple) and step < len(value) else None
    return value.get(step) if isinstance(value, Mapping) else getattr(value, step, None)


def where_at(path: Path, plan: Plan) -> str:
    """The place of a path in the file's spelling. The plan decides between alternatives."""
    return place_at(Plan, path, plan).where


def is_within(path: Path, ancestor: Path) -> bool:
    """Whether a path leads to `ancestor` or to something inside it."""
    return path[: len(ancestor)] == ancestor
