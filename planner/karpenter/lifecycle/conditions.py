"""What Karpenter notes on its claims: whether they may be consolidated, have drifted or have expired.

Sources: Karpenter 1.13, pkg/controllers/nodeclaim/disruption (consolidation.go, drift.go) and
pkg/controllers/nodeclaim/expiration/controller.go.
"""

from collections.abc import Hashable, Mapping
from enum import StrEnum
from typing import NamedTuple

from planner.karpenter.catalogue.catalogue import Catalogue
from planner.karpenter.catalogue.prices import listed_price
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.requirements.requirements import compatible, of_labels
from planner.plan.model.node_groups import MACHINE_TYPE_LABEL
from planner.units import US_PER_H, US_PER_MIN, US_PER_S

POD_EVENT_PAUSE_US = 10 * US_PER_S
"""Events of pods within this time of the last one that was noted are not noted."""
DRIFT_INTERVAL_US = 5 * US_PER_MIN
"""Time between two looks at a claim for drift."""
TYPE_CHECK_AGE_US = US_PER_H
"""Older claims are compared with the catalogue."""
TYPE_CHECK_MEMORY_US = 30 * US_PER_MIN
"""For so long a claim that the catalogue still has is not compared again."""


class DriftReason(StrEnum):
    """Why a claim is no longer what its pool would launch."""

    POOL = "NodePoolDrifted"
    REQUIREMENTS = "RequirementsDrifted"
    TYPE = "InstanceTypeNotFound"


class RestState(NamedTuple):
    """Whether a claim may be consolidated, and when that changes by itself."""

    is_consolidatable: bool
    due_us: int | None = None


def rest_state(pool: PoolRules, initialized_us: int | None, last_pod_event_us: int | None, now_us: int) -> RestState:
    """A claim rests once `consolidateAfter` has passed since its last pod came or went, or since it was initialized."""
    if pool.consolidate_after_us is None or initialized_us is None:
        return RestState(False)
    since_us = initialized_us if last_pod_event_us is None else last_pod_event_us
    due_us = since_us + pool.consolidate_after_us
    return RestState(True) if now_us >= due_us else RestState(False, due_us)


def noted_pod_event(last_us: int | None, now_us: int) -> int:
    """Time of the last pod event after one at `now_us`; events in quick succession count once."""
    return now_us if last_us is None or now_us - last_us >= POD_EVENT_PAUSE_US else last_us


def template_identity(pool: PoolRules) -> Hashable:
    """What of a pool a claim is made of; a claim of another template has drifted."""
    return (
        tuple(sorted(pool.labels.items())),
        tuple(sorted(pool.annotations.items())),
        tuple(sorted(pool.taints)),
        tuple(sorted(pool.startup_taints)),
        pool.expire_after_us,
        pool.termination_grace_us,
    )


class DriftCheck(NamedTuple):
    """Result of a look at a claim."""

    reason: str | None
    has_compared_types: bool
    """The catalogue still has its type and offering."""


def template_drift(pool: PoolRules, made_of: Hashable, labels: Mapping[str, str]) -> DriftReason | None:
    """Whether a pool would no longer launch such a claim, `made_of` being the identity of its template."""
    if made_of != template_identity(pool):
        return DriftReason.POOL
    return None if compatible(of_labels(labels), pool.requirements) else DriftReason.REQUIREMENTS


def drift(
    template_reason: DriftReason | None,
    labels: Mapping[str, str],
    catalogue: Catalogue,
    age_us: int,
    compared_us_ago: int | None = None,
    provider_reason: str = "",
) -> DriftCheck:
    """Why a claim has drifted, the first reason that is found.

    `template_reason`: what its pool says; `compared_us_ago`: time since it was last found in the catalogue;
    `provider_reason`: what the cloud says, such as an old image.
    """
    if template_reason is not None:
        return DriftCheck(template_reason, False)
    remembers = compared_us_ago is not None and compared_us_ago < TYPE_CHECK_MEMORY_US
    compares = age_us > TYPE_CHECK_AGE_US and not remembers
    if compares:
        number = catalogue.number_of(labels.get(MACHINE_TYPE_LABEL, ""))
        if number is None or listed_price(catalogue, number, labels) is None:
            return DriftCheck(DriftReason.TYPE, False)
    return DriftCheck(provider_reason or None, compares)


def expires_us(created_us: int, expire_after_us: int | None) -> int | None:
    """When a claim is deleted for its age, whatever budgets say; None: never."""
    return None if expire_after_us is None else created_us + expire_after_us
