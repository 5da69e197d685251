"""Regular looks at claims: drift and expiry.

Source: Karpenter 1.13, pkg/controllers/nodeclaim/disruption/controller.go and pkg/controllers/nodeclaim/expiration.
"""

from planner.karpenter.control.claims import Claim
from planner.karpenter.control.world import KarpenterRecords, KarpenterWorld
from planner.karpenter.lifecycle.conditions import DriftReason, drift, template_drift
from planner.karpenter.pools.pool_rules import PoolRules


def look_at(world: KarpenterWorld, records: KarpenterRecords, claim: Claim) -> None:
    """Note whether a claim has drifted, and delete it if it has expired."""
    if claim.deletion_us is not None:
        return
    _note_drift(world, records, claim)
    end_us = claim.expires_us
    if end_us is not None and world.now_us >= end_us:
        claim.begin_deletion(world.now_us)
        records.expired(claim)
        world.changed()


def has_settled(world: KarpenterWorld, claim: Claim) -> bool:
    """Whether later looks surely find no other drift: it has its machine, and has been found to be what its pool would
    launch, and in the catalogue, of which types never go. Changes of the pool, and what the provider says, are looked
    at when they come.
    """
    is_found = claim.registered_us is not None and claim.compared_us is not None
    return is_found and claim.last_matched is world.provider.pool(claim.pool.name)


def _note_drift(world: KarpenterWorld, records: KarpenterRecords, claim: Claim) -> None:
    pool, now_us = world.provider.pool(claim.pool.name), world.now_us
    if pool is None:
        return
    ago_us = None if claim.compared_us is None else now_us - claim.compared_us
    age_us = now_us - claim.created_us
    types = world.provider.catalogue
    check = drift(_template_reason(claim, pool), claim.labels, types, age_us, ago_us, claim.provider_drift)
    if check.has_compared_types:
        claim.compared_us = now_us
    if check.reason is None:
        if claim.drifted_us is not None:
            claim.drifted_us, claim.drift_reason = None, ""
    elif claim.drifted_us is None:
        claim.drifted_us, claim.drift_reason = now_us, str(check.reason)
        records.drifted(claim)


def _template_reason(claim: Claim, pool: PoolRules) -> DriftReason | None:
    if claim.last_matched is pool:
        return None
    reason = template_drift(pool, claim.made_of, claim.labels)
    if reason is None:
        claim.last_matched = pool
    return reason
