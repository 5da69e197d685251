"""Constraints on figures of runs as text: `slo_attainment[shop]>=0.99@0.95`."""

import math
import re
from dataclasses import dataclass

from planner.language.translation import tr

_TEXT = re.compile(r"(?P<figure>[^<>=@]+?)\s*(?P<side>>=|<=)\s*(?P<bound>[^@]+?)\s*(?:@\s*(?P<share>.+?)\s*)?")
_EXAMPLE = "slo_attainment[shop]>=0.99@0.95"
USUAL_SHARE = 0.95


@dataclass(frozen=True)
class Constraint:
    """A bound of a figure that has to hold in a share of the runs."""

    figure: str
    at_least: bool
    """Otherwise at most."""
    bound: float
    share: float

    def holds(self, value: float) -> bool:
        """Whether a run keeps it; a figure that is not a number does not."""
        return value >= self.bound if self.at_least else value <= self.bound

    def __str__(self) -> str:
        return f"{self.figure}{'>=' if self.at_least else '<='}{self.bound:g}@{self.share:g}"


def parse_constraint(text: str) -> Constraint:
    """`figure>=bound@share` or `figure<=bound@share`. Raises ValueError, written "problem; remedy"."""
    found = _TEXT.fullmatch(text.strip())
    if found is None:
        raise ValueError(
            tr("{text!r} is not a constraint; write figure>=bound@share, as in {example}", text=text, example=_EXAMPLE)
        )
    bound, share = _number(found["bound"]), _number(found["share"] or str(USUAL_SHARE))
    if not 0.0 < share < 1.0:
        raise ValueError(
            tr(
                "the share {found} is not between 0 and 1; write for example {example}",
                found=found["share"],
                example=_EXAMPLE,
            )
        )
    return Constraint(found["figure"].strip(), found["side"] == ">=", bound, share)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(tr("{text!r} is not a number; write for example {example}", text=text, example=_EXAMPLE))
    return number
