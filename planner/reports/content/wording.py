"""Texts of a plan and figures of a run as people read them."""

import math
import re

from planner.language.translation import tr
from planner.language.values import NOTHING, clock, count, latency, number, percent, size, span
from planner.plan.values.money import money_text
from planner.record.result import Figure

__all__ = [
    "NOTHING", "clock", "count", "figure_value", "latency", "number", "one_line", "percent", "size", "span", "visible",
]  # fmt: skip

_HIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, marks that turn the direction of what follows, and halves of characters."""


def visible(text: str) -> str:
    """A text of the plan without what no reader sees; lines stay."""
    return _HIDDEN.sub(" ", text).replace("\r\n", "\n").strip()


def one_line(text: str) -> str:
    """The same on a single line."""
    return " ".join(visible(text).split())


def figure_value(figure: Figure) -> str:
    """A key figure with its unit; units that are not known here are currencies."""
    value = figure.value
    if math.isnan(value):
        return NOTHING
    match figure.unit:
        case "ms":
            return latency(value)
        case "s":
            return span(value)
        case "ratio":
            return percent(value)
        case "bytes":
            return size(value)
        case "cores":
            return tr("{number} cores", number=number(value))
        case "h":
            return f"{number(value)} h"
        case "per_h":
            return tr("{number} per hour", number=number(value))
        case "count" | "pods" | "nodes" | "requests":
            return count(value)
    return money_text(value, figure.unit)
