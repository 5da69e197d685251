"""Typed values of the plan: quantities and durations as text in the file, integers inside.

Every plan field is declared with title, description, unit and bounds; the forms of the screen,
the JSON schema and the messages are made from them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema
from pydantic.alias_generators import to_camel

from planner import units
from planner.language.translation import marked, tr

MAX_CPU_MILLI = 1_000_000_000
MAX_BYTES = 1 << 54
MAX_DURATION_US = 400 * units.US_PER_DAY
INT32_MAX = 2**31 - 1


class PlanModel(BaseModel):
    """A frozen part of the plan: camelCase in files, snake_case in Python, unknown keys refused."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        validate_default=True,
        allow_inf_nan=False,
        use_attribute_docstrings=False,
    )


@dataclass(frozen=True)
class Spelling:
    """How an integer of the plan is written as text. Part of the field's metadata, so that messages and
    forms spell values and bounds as the file does."""

    what: str
    parse: Callable[[str], int]
    format: Callable[[int], str]
    example: str

    def read(self, value: Any) -> Any:
        """Validator: text is parsed; an int is in the internal unit already (files are held to text on load)."""
        if isinstance(value, str):
            return self.parse(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(self.refusal(value))
        return value

    def refusal(self, value: object) -> str:
        """What to say of a value that is not text: the problem, "; ", the remedy."""
        return tr(
            '{value!r} is not a {what}; write it as text with its unit, for example "{example}"',
            value=value,
            what=self.what,
            example=self.example,
        )


_CPU = Spelling(marked("CPU quantity"), units.parse_cpu_milli, units.format_cpu, "250m")
_AMOUNT = Spelling("quantity", units.parse_cpu_milli, units.format_milli, "30")
_MEMORY = Spelling(marked("memory quantity"), units.parse_count, units.format_bytes, "512Mi")
_MOMENT = Spelling(marked("date and time"), units.parse_moment_us, units.format_moment, "2026-01-05T00:00:00Z")
_DURATION = Spelling("duration", units.parse_duration_us, units.format_duration, "90s")


def _schema(example: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "examples": [example]})


CpuMilli = Annotated[
    int,
    _CPU,
    BeforeValidator(_CPU.read),
    PlainSerializer(units.format_cpu, return_type=str),
    Field(ge=0, le=MAX_CPU_MILLI),
    _schema(_CPU.example),
]
"""CPU in milli-CPU; text such as "250m" or "2" in files. An int is milli-CPU already."""

MilliAmount = Annotated[
    int,
    _AMOUNT,
    BeforeValidator(_AMOUNT.read),
    PlainSerializer(units.format_milli, return_type=str),
    Field(ge=0, le=MAX_BYTES * 1000),
    _schema(_AMOUNT.example),
]
"""An amount of any unit in thousandths; text such as "30", "250m" or "100Mi" in files."""

MemoryBytes = Annotated[
    int,
    _MEMORY,
    BeforeValidator(_MEMORY.read),
    PlainSerializer(units.format_bytes, return_type=str),
    Field(ge=0, le=MAX_BYTES),
    _schema(_MEMORY.example),
]
"""Memory or storage in bytes; text such as "512Mi" in files."""

DurationUs = Annotated[
    int,
    _DURATION,
    BeforeValidator(_DURATION.read),
    PlainSerializer(units.format_duration, return_type=str),
    Field(ge=0, le=MAX_DURATION_US),
    _schema(_DURATION.example),
]
"""A span of simulated time in microseconds; text such as "90s" in files."""

MomentUs = Annotated[
    int,
    _MOMENT,
    BeforeValidator(_MOMENT.read),
    PlainSerializer(units.format_moment, return_type=str),
    Field(ge=0),
    _schema(_MOMENT.example),
]
"""A moment of the calendar in microseconds since 1970, UTC; text such as "2026-01-05T00:00:00Z" in files."""

Name = Annotated[str, Field(min_length=1, max_length=63, pattern=r"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")]
"""A Kubernetes object name: lower case letters, digits, '-' and '.'."""

Labels = dict[Annotated[str, Field(min_length=1, max_length=317)], Annotated[str, Field(max_length=63)]]
"""Label keys and values."""


def setting(default: Any, title: str, description: str, *, unit: str = "", **bounds: Any) -> Any:
    """A plan field with a default and all that a form needs. `bounds`: ge, gt, le, lt, max_length ..."""
    return Field(default=default, title=title, description=description, json_schema_extra={"unit": unit}, **bounds)


def required(title: str, description: str, *, unit: str = "", **bounds: Any) -> Any:
    """A plan field that must be given."""
    return Field(title=title, description=description, json_schema_extra={"unit": unit}, **bounds)


class Misfit(ValueError):
    """Values of one model that do not fit each other, reported at the value to change.

    Raised by validators of plan models; `problems_from` makes a problem with place and remedy of it.

    `steps` lead from what was validated to the value to change: field names, indexes. Every other reader
    sees an ordinary ValueError whose text is "problem; remedy".
    """

    def __init__(self, steps: tuple[str | int, ...], problem: str, remedy: str) -> None:
        super().__init__(f"{problem}; {remedy}")
        self.steps = steps
        self.problem = problem
        self.remedy = remedy
