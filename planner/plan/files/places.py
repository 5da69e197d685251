"""Places in the plan: maps a path to the field declared there and to the file's spelling of the path.

A path is a tuple of steps: field names (Python's or the file's), indexes of tuples, keys of label maps.
"""

import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
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
        return _type_of(self.annotation).models

    def child(self, step: str | int, value: object = None) -> "Place | None":
        """The place one step further, or None if nothing is declared there. `value` is the value of this
        place, needed only to distinguish alternatives.
        """
        kind = _type_of(self.annotation)
        if isinstance(step, int):
            return _place(kind.item, f"{self.where}[{step}]") if kind.item is not None else None
        for model in kind.models:
            only = len(kind.models) == 1  # its "type" may be left out
            if only or _selected(model, value):
                found = self._field(model, step)
                if found is not None:
                    return found
        return _place(kind.value, f'{self.where}["{step}"]') if kind.value is not None else None

    def _field(self, model: type[BaseModel], step: str) -> "Place | None":
        declared = _declared(model).get(step)
        if declared is None:
            return None
        spelled, annotation, metadata, info = declared
        return Place(annotation, metadata, info, f"{self.where}.{spelled}" if self.where else spelled, model)


@dataclass(frozen=True)
class _Type:
    """What an annotation allows; worked out once for each, since a plan may have very many values."""

    models: tuple[type[BaseModel], ...]
    item: Any
    """Of a list; None if it is none."""
    value: Any
    """Of a map; None if it is none."""
    metadata: tuple[Any, ...]
    """Also what is hidden in `Annotated` and in `X | None`."""


def _place(annotation: Any, where: str) -> Place:
    return Place(annotation, _type_of(annotation).metadata, None, where)


_known_types: dict[int, tuple[Any, _Type]] = {}
"""By identity; the annotation is kept, so that its identity stays its own."""


def _type_of(annotation: Any) -> _Type:
    known = _known_types.get(id(annotation))
    if known is None:
        parts = tuple(_alternatives(annotation))
        items = [get_args(part)[0] for part in parts if get_origin(part) is tuple]
        values = [get_args(part)[1] for part in parts if get_origin(part) is dict]
        models = tuple(part for part in parts if _is_model(part))
        metadata = tuple(mark for found in _annotated_parts(annotation) for mark in found)
        made = _Type(models, next(iter(items), None), next(iter(values), None), metadata)
        _known_types[id(annotation)] = known = (annotation, made)
    return known[1]


@cache
def _declared(model: type[BaseModel]) -> dict[str, tuple[str, Any, tuple[Any, ...], FieldInfo]]:
    """Spelling in the file, annotation and metadata of every field, by both of its names."""
    found: dict[str, tuple[str, Any, tuple[Any, ...], FieldInfo]] = {}
    for name, info in model.model_fields.items():
        metadata = tuple(info.metadata) + _type_of(info.annotation).metadata
        for spelling in (name, info.alias or name):
            found.setdefault(spelling, (info.alias or name, info.annotation, metadata, info))
    return found


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


@cache
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
            if in_model or not _is_field(place, data, step):
                place = _chosen(place, step)
                continue
        found = place.child(step, data)
        data = _value_at(data, step)
        place = found if found is not None else unknown_child(place, step)
    return place


def _is_field(place: Place, data: object, step: str) -> bool:
    """Whether a step that could be a tag names a field of the value there, or of any alternative if it is unknown."""
    if isinstance(data, dict):
        return step in data
    models = (type(data),) if isinstance(data, BaseModel) else place.models
    return any(step in _declared(model) for model in models)


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
