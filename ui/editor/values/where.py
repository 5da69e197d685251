"""Places of messages and paths of the plan: nodeGroups[0].maxSize is ("node_groups", 0, "max_size")."""

import re
from collections.abc import Iterator

from planner.plan.files.places import Path, Place, place_at
from planner.plan.model.plan import Plan

_STEP = re.compile(r'\["(?P<key>.*?)"\]|\[(?P<index>\d+)\]|\.?(?P<name>[^.\[\]]+)')


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


def where_at(path: Path, plan: Plan) -> str:
    """The place of a path in the file's spelling. The plan decides between alternatives."""
    return place_at(Plan, path, plan).where


def is_within(path: Path, ancestor: Path) -> bool:
    """Whether a path leads to `ancestor` or to something inside it."""
    return path[: len(ancestor)] == ancestor
