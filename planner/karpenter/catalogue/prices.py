"""Prices of machine types under requirements.

Source: Karpenter 1.13, pkg/cloudprovider/types.go (OrderByPrice, WorstLaunchPrice, Cheapest). Types of equal price come
in the order of their names, which the real program leaves open.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from planner.karpenter.catalogue.catalogue import Catalogue, TypeSet, numbers
from planner.karpenter.catalogue.instance_types import CAPACITY_TYPES, InstanceType, Offering
from planner.karpenter.requirements.requirements import CAPACITY_TYPE_LABEL, Requirements, names_of, of_labels, on_key
from planner.plan.model.node_groups import ZONE_LABEL

_OFFERING_LABELS = (*names_of(ZONE_LABEL), *names_of(CAPACITY_TYPE_LABEL))
"""What offerings depend on."""


def offerings_under(instance_type: InstanceType, requirements: Requirements) -> Iterator[Offering]:
    """Offerings in an allowed zone and market, available or not."""
    zone, market = on_key(requirements, ZONE_LABEL), on_key(requirements, CAPACITY_TYPE_LABEL)
    return (each for each in instance_type.offerings if zone.has(each.zone) and market.has(each.capacity_type))


def listed_price(catalogue: Catalogue, number: int, labels: Mapping[str, str]) -> float | None:
    """Price of the cheapest offering of a type that suits the labels of a node, available or not; None without one."""
    key = number, *map(labels.get, _OFFERING_LABELS)
    if key not in catalogue.listed_prices:
        needs = of_labels({name: labels[name] for name in _OFFERING_LABELS if name in labels})
        catalogue.listed_prices[key] = min(
            (each.price for each in offerings_under(catalogue.types[number], needs)), default=None
        )
    return catalogue.listed_prices[key]


def lowest_price(instance_type: InstanceType, requirements: Requirements) -> float:
    """Price of the cheapest available offering; infinite without one."""
    return min((o.price for o in offerings_under(instance_type, requirements) if o.available), default=math.inf)


def worst_launch_price(instance_type: InstanceType, requirements: Requirements) -> float:
    """The most that a launch can cost: the dearest offering of the market that the launch would take."""
    found = [each for each in offerings_under(instance_type, requirements) if each.available]
    for market in CAPACITY_TYPES:
        prices = [each.price for each in found if each.capacity_type == market]
        if prices:
            return max(prices)
    return math.inf


def lowest_prices(catalogue: Catalogue, requirements: Requirements) -> Sequence[float]:
    """The lowest price of every type, in the order of the catalogue."""
    return _of_all(lowest_price, catalogue, requirements)


def worst_launch_prices(catalogue: Catalogue, requirements: Requirements) -> Sequence[float]:
    """The worst launch price of every type, in the order of the catalogue."""
    return _of_all(worst_launch_price, catalogue, requirements)


def _of_all(
    price: Callable[[InstanceType, Requirements], float], catalogue: Catalogue, requirements: Requirements
) -> Sequence[float]:
    key = price.__name__, on_key(requirements, ZONE_LABEL), on_key(requirements, CAPACITY_TYPE_LABEL)
    known = catalogue.prices.get(key)
    if known is None:
        known = catalogue.prices[key] = tuple(price(each, requirements) for each in catalogue.types)
    return known


def by_price(catalogue: Catalogue, types: TypeSet, requirements: Requirements) -> list[int]:
    """The types of a set from the cheapest to the dearest."""
    lowest = lowest_prices(catalogue, requirements)
    keyed = [(lowest[number], catalogue.types[number].name, number) for number in numbers(types)]
    return [number for _, _, number in sorted(keyed)]
