"""Places in the plan: maps a path to the field declared there and to the file's spelling of the path.

A path is a tuple of steps: field names (Python's or the file's), indexes of tuples, keys of label maps.
"""

import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from planner.plan.values.fields import Spelling

Path = tuple[str | int, ...]
_KEY_MARK = "[key]"


@dataclass(frozen=True)
class Place:
    """A spot in the plan: its type, what was declared with it, and its path as the file writes it."""

    annotation: Any
    metadata: tuple[Any, ...] = ()
    info: FieldInfo | None = None
    where: str = ""
    model: type[BaseModel] | None = field(default=None)
    """The model whose field this is; None for items of lists and maps."""

    @property
    def spelling(self) -> Spelling | None:
        """How an integer here is written as text, if it is."""
        return next((mark for mark in self.metadata if isinstance(mark, Spelling)), None)

    @property
    def models(self) -> tuple[type[BaseModel], ...]:
        """The models a value here may be; several where a "type" key selects one."""
        return tuple(part for part in _alternatives(self.annotation) if _is_model(part))

    def child(self, step: str | int, value: object = None) -> "Place | None":
        """The place one step further, or None if nothing is declared there. `value` is the value of this
        place, needed only to distinguish alternatives.
        """
        for part in _alternatives(self.annotation):
            found = self._child_of(part, step, value)
            if found is not None:
                return found
        return None

    def _child_of(self, part: Any, step: str | int, value: object) -> "Place | None":
        if _is_model(part):
            only = len(self.models) == 1  # its "type" may be left out
            return self._field(part, step) if only or _selected(part, value) else None
        arguments = get_args(part)
        if get_origin(part) is tuple and isinstance(step, int):
            return _place(arguments[0], where=f"{self.where}[{step}]")
        if get_origin(part) is dict and isinstance(step, str):
            return _place(arguments[1], where=f'{self.where}["{step}"]')
        return None

    def _field(self, model: type[BaseModel], step: str | int) -> "Place | None":
        for name, info in model.model_fields.items():
            if step in (name, info.alias):
                spelled = info.alias or name
                where = f"{self.where}.{spelled}" if self.where else spelled
                place = _place(info.annotation, where=where, metadata=tuple(info.metadata))
                return Place(place.annotation, place.metadata, info, where, model)
        return None


def _place(annotation: Any, where: str, metadata: tuple[Any, ...] = ()) -> Place:
    """A place whose metadata include those hidden in `Annotated` and in `X | None`."""
    for part in _annotated_parts(annotation):
        metadata += part
    return Place(annotation, metadata, None, where)


def _annotated_parts(annotation: Any) -> Iterator[tuple[Any, ...]]:
    if get_origin(annotation) is Annotated:
        yield annotation.__metadata__
        yield from _annotated_parts(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, types.UnionType):
        for part in get_args(annotation):
            yield from _annotated_parts(part)


def _alternatives(annotation: Any) -> Iterator[Any]:
    if get_origin(annotation) is Annotated:
        yield from _alternatives(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, types.UnionType):
        for part in get_args(annotation):
            yield from _alternatives(part)
    else:
        yield annotation


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def model_tag(model: type[BaseModel]) -> str | None:
    """The value of "type" that selects this model, or None if it needs none."""
    info = model.model_fields.get("type")
    if info is None or get_origin(info.annotation) is not Literal:
        return None
    return str(get_args(info.annotation)[0])


def _selected(model: type[BaseModel], value: object) -> bool:
    if isinstance(value, BaseModel):
        return isinstance(value, model)
    tag = model_tag(model)
    return tag is None or not isinstance(value, dict) or value.get("type") == tag


def place_at(root: type[BaseModel], path: Path, data: object = None) -> Place:
    """The place a path leads to. Steps that name nothing are written as they are; tags of alternatives,
    which error locations contain, are left out. `data` is the value at the root, if known.
    """
    place = Place(root)
    for position, step in enumerate(path):
        if step == _KEY_MARK:
            continue
        if isinstance(step, str) and len(place.models) > 1 and step in map(model_tag, place.models):
            in_model = isinstance(next(iter(path[position + 1 :]), None), str)  # "points" is a tag and its field
            if in_model or not (isinstance(data, dict) and step in data):
                place = _chosen(place, step)
                continue
        found = place.child(step, data)
        data = _value_at(data, step)
        place = found if found is not None else unknown_child(place, step)
    return place


def _chosen(place: Place, tag: str) -> Place:
    model = next(model for model in place.models if model_tag(model) == tag)
    return Place(model, place.metadata, place.info, place.where, place.model)


def unknown_child(place: Place, step: str | int) -> Place:
    """The place of something that is not declared, written as it is; `model` is where it was looked for."""
    where = f"{place.where}[{step}]" if isinstance(step, int) else f"{place.where}.{step}".lstrip(".")
    owner = place.models[0] if len(place.models) == 1 else None
    return Place(None, (), None, where, owner)


def _value_at(data: object, step: str | int) -> object:
    if isinstance(data, BaseModel) and isinstance(step, str):
        return getattr(data, step, None)
    if isinstance(data, dict):
        return data.get(step)
    if isinstance(data, list | tuple) and isinstance(step, int) and 0 <= step < len(data):
        return data[step]
    return None


def where_of(root: type[BaseModel], path: Path) -> str:
    """A path in the file's spelling: ("node_groups", 0, "max_size") is nodeGroups[0].maxSize."""
    return place_at(root, path).where
