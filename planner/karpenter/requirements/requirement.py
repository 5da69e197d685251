"""One requirement on a label: a set of values, possibly everything but some, possibly within bounds.

Source: Karpenter 1.13, pkg/scheduling/requirement.go.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from planner.matching.selectors import go_integer

_LARGEST = (1 << 63) - 1


class RequirementOperator(StrEnum):
    """Operators of node selectors, and the two that only Karpenter has (Gte, Lte)."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"
    GT = "Gt"
    LT = "Lt"
    GTE = "Gte"
    LTE = "Lte"


_EXCLUDING = (RequirementOperator.NOT_IN, RequirementOperator.DOES_NOT_EXIST)


class LabelRequirement(NamedTuple):
    """The values that a label may have."""

    complement: bool
    """All values but `values` are allowed."""
    values: tuple[str, ...] = ()
    """In ascending order."""
    gte: int | None = None
    """Inclusive lower bound; values that are no whole numbers are then outside."""
    lte: int | None = None
    min_values: int | None = None
    """Fewest different values that the machine types left must offer."""

    @property
    def operator(self) -> RequirementOperator:
        """The operator that says the same; bounds do not show."""
        if self.complement:
            return RequirementOperator.NOT_IN if self.values else RequirementOperator.EXISTS
        return RequirementOperator.IN if self.values else RequirementOperator.DOES_NOT_EXIST

    @property
    def excludes(self) -> bool:
        """Whether a node without the label satisfies it."""
        return self.operator in _EXCLUDING

    def has(self, value: str) -> bool:
        """Whether a value is allowed."""
        return (value in self.values) != self.complement and _within(value, self.gte, self.lte)

    def only_value(self) -> str | None:
        """The one value that is allowed, if it is one."""
        return self.values[0] if not self.complement and len(self.values) == 1 else None


ANYTHING = LabelRequirement(True)
NOTHING = LabelRequirement(False)


def requirement(operator: str, values: Iterable[str] = (), min_values: int | None = None) -> LabelRequirement:
    """The requirement of an operator with its values; comparisons have one whole number, and others too many bits."""
    given = tuple(sorted(frozenset(values)))
    if operator == RequirementOperator.IN:
        return LabelRequirement(False, given, min_values=min_values)
    if operator == RequirementOperator.NOT_IN:
        return LabelRequirement(True, given, min_values=min_values)
    if operator == RequirementOperator.DOES_NOT_EXIST:
        return LabelRequirement(False, min_values=min_values)
    if operator == RequirementOperator.EXISTS:
        return LabelRequirement(True, min_values=min_values)
    bound = go_integer(given[0]) or 0
    if operator == RequirementOperator.GT:
        return NOTHING if bound == _LARGEST else LabelRequirement(True, gte=bound + 1, min_values=min_values)
    if operator == RequirementOperator.LT:
        return LabelRequirement(True, lte=bound - 1, min_values=min_values)
    if operator == RequirementOperator.GTE:
        return LabelRequirement(True, gte=bound, min_values=min_values)
    return LabelRequirement(True, lte=bound, min_values=min_values)


def one_of(*values: str) -> LabelRequirement:
    """Only these values."""
    return LabelRequirement(False, tuple(sorted(values)))


def intersection(one: LabelRequirement, other: LabelRequirement) -> LabelRequirement:
    """What both allow; a set of single values has no bounds any more."""
    gte, lte = _larger(one.gte, other.gte), _smaller(one.lte, other.lte)
    min_values = _larger(one.min_values, other.min_values)
    if gte is not None and lte is not None and gte > lte:
        return LabelRequirement(False, min_values=min_values)
    if one.complement and other.complement:
        named: Iterable[str] = sorted(frozenset(one.values) | frozenset(other.values))
    elif one.complement:
        named = [value for value in other.values if value not in one.values]
    elif other.complement:
        named = [value for value in one.values if value not in other.values]
    else:
        named = [value for value in one.values if value in other.values]
    values = tuple(value for value in named if _within(value, gte, lte))
    if one.complement and other.complement:
        return LabelRequirement(True, values, gte, lte, min_values)
    return LabelRequirement(False, values, min_values=min_values)


def intersect(one: LabelRequirement, other: LabelRequirement) -> bool:
    """Whether some value is allowed by both."""
    gte, lte = _larger(one.gte, other.gte), _smaller(one.lte, other.lte)
    if gte is not None and lte is not None and gte > lte:
        return False
    if one.complement and other.complement:
        return True
    if one.complement:
        one, other = other, one
    return any((value in other.values) != other.complement and _within(value, gte, lte) for value in one.values)


def _within(value: str, gte: int | None, lte: int | None) -> bool:
    if gte is None and lte is None:
        return True
    number = go_integer(value)
    return number is not None and (gte is None or number >= gte) and (lte is None or number <= lte)


def _larger(one: int | None, other: int | None) -> int | None:
    return max((each for each in (one, other) if each is not None), default=None)


def _smaller(one: int | None, other: int | None) -> int | None:
    return min((each for each in (one, other) if each is not None), default=None)
