"""From a claim to a machine: what is sent to the cloud, and which machine a simple cloud takes.

Sources: Karpenter 1.13, pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go (ToNodeClaim) and
kwok/cloudprovider/cloudprovider.go (Create). How clouds allocate spot capacity by price and stock is not public: the
lowest price is taken, or by a model of ours the lowest among the offerings with the most spare capacity.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from planner.karpenter.catalogue.catalogue import Catalogue
from planner.karpenter.catalogue.instance_types import SPOT, InstanceType
from planner.karpenter.catalogue.prices import lowest_price, offerings_under
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.provisioning.new_claims import NewClaim
from planner.karpenter.requirements.requirement import LabelRequirement, one_of
from planner.karpenter.requirements.requirements import CAPACITY_TYPE_LABEL, NODE_POOL_LABEL, narrowed
from planner.karpenter.topology.groups import Choice
from planner.plan.model.node_groups import MACHINE_TYPE_LABEL, ZONE_LABEL


@dataclass(frozen=True, eq=False)
class Launch:
    """The machine that was bought."""

    instance_type: InstanceType
    capacity_type: str
    price: float
    zones: tuple[str, ...]
    """Zones that offer it at this price, in ascending order."""


def sent_requirements(claim: NewClaim, catalogue: Catalogue) -> Mapping[str, LabelRequirement]:
    """The requirements as the cloud gets them: with the types of the claim, and the markets that offer them."""
    types = [catalogue.types[number] for number in claim.types]
    names = one_of(*(each.name for each in types))
    known = claim.requirements.get(MACHINE_TYPE_LABEL)
    names = names._replace(min_values=None if known is None else known.min_values)
    found = narrowed(claim.requirements, {MACHINE_TYPE_LABEL: names})
    markets = dict.fromkeys(o.capacity_type for each in types for o in offerings_under(each, found) if o.available)
    return narrowed(found, {CAPACITY_TYPE_LABEL: one_of(*markets)}) if markets else found


def cheapest_launch(claim: NewClaim, catalogue: Catalogue) -> Launch | None:
    """The machine with the lowest price, of equal ones the first by name; None where no offering is available."""
    sent = sent_requirements(claim, catalogue)
    priced = [(lowest_price(each, sent), each.name, each) for each in (catalogue.types[n] for n in claim.types)]
    price, _, chosen = min(priced, key=lambda item: item[:2], default=(math.inf, "", None))
    if chosen is None or math.isinf(price):
        return None
    cheapest = [o for o in offerings_under(chosen, sent) if o.available and o.price == price]
    market = cheapest[0].capacity_type
    zones = sorted({offering.zone for offering in cheapest if offering.capacity_type == market})
    return Launch(chosen, market, price, tuple(zones))


def roomiest_launch(claim: NewClaim, catalogue: Catalogue) -> Launch | None:
    """The cheapest of the spot offerings with the highest capacity score; without spot, the cheapest of all.

    Spot that costs more than the cheapest machine on demand is left out, as karpenter-provider-aws 1.13 does before it
    sends a launch (pkg/providers/instance/filter). The rest is a model of the allocation price-capacity-optimized.
    """
    sent = sent_requirements(claim, catalogue)
    types = [catalogue.types[number] for number in claim.types]
    offered = [(each, o) for each in types for o in offerings_under(each, sent) if o.available]
    most = min((o.price for _, o in offered if o.capacity_type != SPOT), default=math.inf)
    spot = [(each, o) for each, o in offered if o.capacity_type == SPOT and o.price <= most]
    if not spot:
        return cheapest_launch(claim, catalogue)
    score = max(offer.capacity_score for _, offer in spot)
    roomy = [(each, o) for each, o in spot if o.capacity_score == score]
    chosen, best = min(roomy, key=lambda item: (item[1].price, item[0].name))
    zones = sorted({o.zone for each, o in roomy if each is chosen and o.price == best.price})
    return Launch(chosen, SPOT, best.price, tuple(zones))


def launched_labels(
    pool: PoolRules,
    requirements: Mapping[str, LabelRequirement],
    launch: Launch,
    zone: str,
    well_known: frozenset[str],
    choice: Choice,
) -> dict[str, str]:
    """Labels of the node: those of the machine, and own ones of the pool with a value for each that it leaves open."""
    labels = {NODE_POOL_LABEL: pool.name, **pool.labels}
    for key, each in sorted(requirements.items()):
        value = "" if key in well_known else _some_value(each, choice)
        if value:
            labels[key] = value
    return {**labels, **launch.instance_type.labels, ZONE_LABEL: zone, CAPACITY_TYPE_LABEL: launch.capacity_type}


def _some_value(requirement: LabelRequirement, choice: Choice) -> str:
    """A value that a requirement allows; empty where the label must not exist."""
    if requirement.complement:
        return str(requirement.gte or 0)
    return choice(requirement.values) if requirement.values else ""
