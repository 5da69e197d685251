"""What a form has to know of a plan field: its kind, title, help, unit and how it is written as text.

Shapes are read off the plan's models, so a new plan field has an editor without a word here.
"""

import types
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types as bounds
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from planner.plan.files.places import model_tag
from planner.plan.values.fields import Spelling

READ_ONLY = frozenset({"schema_version"})
"""Fields that are shown but not edited: the program itself says which version of the format it writes."""


class ShapeKind(Enum):
    """How a value is edited."""

    TEXT = auto()
    WHOLE = auto()
    NUMBER = auto()
    AMOUNT = auto()
    """An integer with a spelling: quantity or duration."""
    PORTION = auto()
    """A whole number or text such as "25%"."""
    SWITCH = auto()
    CHOICE = auto()
    GROUP = auto()
    """One model."""
    VARIANT = auto()
    """One of several models, distinguished by "type"."""
    LIST = auto()
    MAP = auto()
    RAW = auto()
    """Anything else: its JSON."""


SCALARS = frozenset(
    {ShapeKind.TEXT, ShapeKind.WHOLE, ShapeKind.NUMBER, ShapeKind.AMOUNT, ShapeKind.PORTION, ShapeKind.RAW}
)
"""Kinds that are typed into a line."""


@dataclass(frozen=True)
class Shape:
    """One field, or one item of a list or map."""

    kind: ShapeKind
    title: str = ""
    help: str = ""
    unit: str = ""
    optional: bool = False
    """None is a value, shown as empty."""
    required: bool = False
    read_only: bool = False
    spelling: Spelling | None = None
    choices: tuple[Any, ...] = ()
    models: tuple[type[BaseModel], ...] = ()
    item: "Shape | None" = None
    metadata: tuple[Any, ...] = ()
    default: Any = None
    owner: type[BaseModel] | None = None
    """The model whose field this is; None for items."""
    name: str = ""
    """Python's name of the field."""

    @property
    def model(self) -> type[BaseModel]:
        """The model of a group."""
        return self.models[0]

    @property
    def is_long_text(self) -> bool:
        """Text that wants several lines."""
        return self.kind is ShapeKind.TEXT and (self.limit(bounds.MaxLen, "max_length") or 0) > 1_000

    def limit(self, mark: type, name: str) -> Any:
        """A bound of the field such as `limit(annotated_types.Ge, "ge")`, the tightest; None if it has none."""
        found = [getattr(part, name) for part in self.metadata if isinstance(part, mark)]
        if not found:
            return None
        return max(found) if name in ("ge", "gt", "min_length") else min(found)


@dataclass(frozen=True)
class PlanField:
    """A field of a model: Python's name and its shape."""

    name: str
    shape: Shape


@cache
def fields_of(model: type[BaseModel]) -> tuple[PlanField, ...]:
    """The fields a form shows, in the order of the file. The "type" of an alternative is the chooser's."""
    tag = model_tag(model)
    shown = [(name, info) for name, info in model.model_fields.items() if not (name == "type" and _is_tag(info, tag))]
    return tuple(PlanField(name, _field_shape(model, name, info)) for name, info in shown)


def _is_tag(info: FieldInfo, tag: str | None) -> bool:
    """A "type" without default selects an alternative; one with a default is an ordinary field."""
    return tag is not None and info.is_required()


def _field_shape(model: type[BaseModel], name: str, info: FieldInfo) -> Shape:
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    shape = shape_of(info.annotation, tuple(info.metadata))
    return replace(
        shape,
        title=info.title or name.replace("_", " ").capitalize(),
        help=info.description or "",
        unit=str(extra.get("unit", "")),
        required=info.is_required(),
        read_only=name in READ_ONLY,
        default=None if info.is_required() else _default(model, name, info),
        owner=model,
        name=name,
    )


def _default(model: type[BaseModel], name: str, info: FieldInfo) -> Any:
    """As the model holds it: a default written as text ("15s") is read like any other."""
    found = info.get_default(call_default_factory=True)
    mark = next((part for part in info.metadata if isinstance(part, Spelling)), None)
    return mark.parse(found) if mark is not None and isinstance(found, str) else found


def shape_of(annotation: Any, metadata: tuple[Any, ...] = ()) -> Shape:
    """The shape of a type as the plan declares it."""
    parts, metadata = _alternatives(annotation, metadata)
    optional = types.NoneType in parts
    parts = [part for part in parts if part is not types.NoneType]
    return replace(_plain_shape(parts, metadata), optional=optional, metadata=metadata)


def _alternatives(annotation: Any, metadata: tuple[Any, ...]) -> tuple[list[Any], tuple[Any, ...]]:
    origin = get_origin(annotation)
    if origin is Annotated:
        return _alternatives(get_args(annotation)[0], metadata + annotation.__metadata__)
    if origin not in (Union, types.UnionType):
        return [annotation], metadata
    found: list[Any] = []
    for part in get_args(annotation):
        inner, metadata = _alternatives(part, metadata)
        found += inner
    return found, metadata


def _plain_shape(parts: list[Any], metadata: tuple[Any, ...]) -> Shape:
    first, origin = parts[0], get_origin(parts[0])
    if all(_is_model(part) for part in parts):
        return Shape(ShapeKind.GROUP if len(parts) == 1 else ShapeKind.VARIANT, models=tuple(parts))
    if frozenset(parts) == {int, str}:
        return Shape(ShapeKind.PORTION)
    if len(parts) > 1:
        return Shape(ShapeKind.RAW)
    if origin is Literal:
        return Shape(ShapeKind.CHOICE, choices=get_args(first))
    if origin is tuple and get_args(first)[1:] == (...,):
        return Shape(ShapeKind.LIST, item=shape_of(get_args(first)[0]))
    if origin is dict and _fits_a_line(shape_of(get_args(first)[1])):
        return Shape(ShapeKind.MAP, item=shape_of(get_args(first)[1]))
    if isinstance(first, type) and issubclass(first, Enum):
        return Shape(ShapeKind.CHOICE, choices=tuple(first))
    spelling = next((mark for mark in metadata if isinstance(mark, Spelling)), None)
    if spelling is not None:
        return Shape(ShapeKind.AMOUNT, spelling=spelling)
    kinds: dict[Any, ShapeKind] = {
        bool: ShapeKind.SWITCH,
        int: ShapeKind.WHOLE,
        float: ShapeKind.NUMBER,
        str: ShapeKind.TEXT,
    }
    return Shape(kinds.get(first, ShapeKind.RAW))


def _is_model(part: Any) -> bool:
    return isinstance(part, type) and issubclass(part, BaseModel)


def _fits_a_line(shape: Shape) -> bool:
    """Whether a map of such values is edited as lines of key and value; a switch is typed as true or false."""
    return shape.kind is ShapeKind.SWITCH or (shape.kind in SCALARS and shape.kind is not ShapeKind.RAW)
