"""The machine types as bit sets: which of them meet requirements, hold requests and can be had.

A set of types is a whole number with one bit per type in the order of the catalogue. What depends on one requirement
is looked up once and remembered, so that a filter over hundreds of types is a few operations on numbers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.catalogue.instance_types import InstanceType
from planner.karpenter.requirements.requirement import LabelRequirement
from planner.karpenter.requirements.requirements import CAPACITY_TYPE_LABEL, WELL_KNOWN, Requirements, on_key
from planner.plan.model.node_groups import ZONE_LABEL
from planner.state.resources import Amounts

TypeSet = int
"""Bit n: the n-th type of the catalogue."""
NO_TYPES: TypeSet = 0
_OFFERED = (ZONE_LABEL, CAPACITY_TYPE_LABEL)


class Catalogue:
    """All machine types of a provider, the same for every pool."""

    def __init__(self, types: Sequence[InstanceType], provider_labels: Iterable[str] = ()) -> None:
        """`provider_labels`: keys that describe types besides the well-known ones; a type without one lacks it."""
        self.types = tuple(types)
        keys = dict.fromkeys(key for each in types for key in each.labels)
        self.well_known = frozenset((*WELL_KNOWN, *provider_labels, *keys))
        self.every = (1 << len(types)) - 1
        self._index = {each.name: number for number, each in enumerate(self.types)}
        self._values: dict[str, dict[str, TypeSet]] = {key: {} for key in (*provider_labels, *keys, *_OFFERED)}
        for number, each in enumerate(self.types):
            for key, value in each.labels.items():
                self._note(key, value, number)
            for offering in each.offerings:
                if offering.available:
                    self._note(ZONE_LABEL, offering.zone, number)
                    self._note(CAPACITY_TYPE_LABEL, offering.capacity_type, number)
        self._lacking = {key: self.every & ~_union(values.values()) for key, values in self._values.items()}
        width = len(types[0].capacity) if types else 0
        self.capacity = np.array([each.capacity for each in types], dtype=np.int64).reshape(len(types), width)
        self._allocatable = np.array([each.allocatable for each in types], dtype=np.int64).reshape(len(types), width)
        self._never = (self._allocatable < 0).any(axis=1)
        self._meeting: dict[tuple[str, LabelRequirement], TypeSet] = {}
        self._offering: dict[tuple[LabelRequirement, LabelRequirement], TypeSet] = {}
        self._holding: dict[bytes, TypeSet] = {}
        self.prices: dict[tuple[str, LabelRequirement, LabelRequirement], tuple[float, ...]] = {}
        """Of all types, by rule, zone and capacity type, as far as they were asked for."""
        self.listed_prices: dict[tuple[int | str | None, ...], float | None] = {}
        """Of single types, by number and labels of a node, likewise."""

    def _note(self, key: str, value: str, number: int) -> None:
        known = self._values[key]
        known[value] = known.get(value, 0) | 1 << number

    def number_of(self, name: str) -> int | None:
        """The position of a type; None for one that the catalogue does not have."""
        return self._index.get(name)

    def keys(self) -> Iterable[str]:
        """Labels that types have or lack."""
        return self._values.keys()

    def values_of(self, key: str) -> Mapping[str, TypeSet]:
        """The types by value of a label."""
        return self._values.get(key, {})

    def meeting(self, requirements: Requirements) -> TypeSet:
        """The types with an allowed value of every label; labels that no type can have do not count."""
        found = self.every
        for key, wanted in requirements.items():
            if key in self._values:
                found &= self._meeting_one(key, wanted)
        return found

    def _meeting_one(self, key: str, wanted: LabelRequirement) -> TypeSet:
        known = self._meeting.get((key, wanted))
        if known is None:
            known = _union(types for value, types in self._values[key].items() if wanted.has(value))
            known |= self._lacking[key] if wanted.excludes else 0
            self._meeting[key, wanted] = known
        return known

    def offered(self, requirements: Requirements) -> TypeSet:
        """The types with an available offering of an allowed zone and capacity type together."""
        zone, market = on_key(requirements, ZONE_LABEL), on_key(requirements, CAPACITY_TYPE_LABEL)
        known = self._offering.get((zone, market))
        if known is None:
            known = 0
            for number, each in enumerate(self.types):
                if any(o.available and zone.has(o.zone) and market.has(o.capacity_type) for o in each.offerings):
                    known |= 1 << number
            self._offering[zone, market] = known
        return known

    def holding(self, requests: Amounts) -> TypeSet:
        """The types whose allocatable holds the requests."""
        key = requests.tobytes()
        known = self._holding.get(key)
        if known is None:
            known = _packed(np.asarray((self._allocatable >= requests).all(axis=1) & ~self._never))
            self._holding[key] = known
        return known

    def has_room(self, requests: Amounts) -> bool:
        """Whether some type's allocatable holds the requests, whether it can be had or not."""
        return bool((self._allocatable >= requests).all(axis=1).any())

    def within(self, columns: NDArray[np.int64], remaining: Amounts) -> TypeSet:
        """The types whose capacity of some resources (columns) is no more than what remains."""
        return _packed(np.asarray((self.capacity[:, columns] <= remaining[columns]).all(axis=1)))

    def most(self, types: TypeSet) -> Amounts:
        """The largest capacity of each resource among some types."""
        rows = list(numbers(types))
        most: Amounts = self.capacity[rows].max(axis=0)
        return most


def numbers(types: TypeSet) -> Iterator[int]:
    """The types of a set in the order of the catalogue."""
    while types:
        lowest = types & -types
        yield lowest.bit_length() - 1
        types ^= lowest


def set_of(chosen: Iterable[int]) -> TypeSet:
    """The set of some types."""
    return _union(1 << number for number in chosen)


def _union(sets: Iterable[TypeSet]) -> TypeSet:
    found = 0
    for each in sets:
        found |= each
    return found


def _packed(chosen: NDArray[np.bool_]) -> TypeSet:
    return int.from_bytes(np.packbits(chosen, bitorder="little").tobytes(), "little")
