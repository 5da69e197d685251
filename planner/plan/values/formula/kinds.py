"""What is known of a value before a formula is computed.

Source: github.com/expr-lang/expr 1.17.6, checker/checker.go and checker/types.go.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class ValueKind:
    """A kind of values; `element`: of those of a list."""

    name: str
    element: "ValueKind | None" = None

    @property
    def is_number(self) -> bool:
        """Whether the values are numbers for certain."""
        return self in (WHOLE, DOUBLE)

    @property
    def is_list(self) -> bool:
        """Whether the values are lists for certain."""
        return self.element is not None


WHOLE = ValueKind("a whole number")
DOUBLE = ValueKind("a number")
TRUTH = ValueKind("a condition")
NOTHING = ValueKind("nil")
ANY = ValueKind("any value")
"""Known only once it is computed."""


def list_of(element: ValueKind) -> ValueKind:
    """Lists of such elements."""
    return ValueKind("a list", element)


def may_be(kind: ValueKind, *wanted: ValueKind) -> bool:
    """Whether a value may be of one of the wanted kinds."""
    return kind is ANY or kind in wanted


def element_of(kind: ValueKind) -> ValueKind:
    """Of the elements of what should be a list."""
    return kind.element or ANY


def elements_together(kinds: list[ValueKind]) -> ValueKind:
    """Of the elements of a list that is written out."""
    if not kinds or any(_is_unlike(one, kinds[0]) for one in kinds):
        return ANY
    return kinds[-1]


def either(first: ValueKind, second: ValueKind) -> ValueKind:
    """Of a value that is one or the other."""
    if first is NOTHING or second is NOTHING:
        return second if first is NOTHING else first
    return first if first is not ANY and not _is_unlike(first, second) else ANY


def is_comparable(first: ValueKind, second: ValueKind) -> bool:
    """Whether == may be asked of two values."""
    if ANY in (first, second) or NOTHING in (first, second):
        return True
    return (first.is_number and second.is_number) or not _is_unlike(first, second)


def _is_unlike(first: ValueKind, second: ValueKind) -> bool:
    return first.name != second.name
