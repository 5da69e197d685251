"""Whether a quota admits new pods.

Source: Kubernetes 1.36, plugin/resourcequota/controller.go, and quota/v1/evaluator/core/pods.go.
Pods count until they are gone, those that terminate included. A quota on an amount refuses pods with a container that
does not name it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from planner.plan.derived.pod_requests import (
    amounts_of,
    container_request,
    limit_sums,
    pod_request,
    running_containers,
)
from planner.plan.model.pods.containers import Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import ResourceQuota
from planner.record.details.work import QuotaRefusal

PODS, REQUESTS, LIMITS = "pods", "requests.", "limits."
Amounts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PodClaim:
    """What a pod counts with in quotas, by the names of their resources."""

    amounts: Amounts
    unnamed: frozenset[str]
    """Resources that a container does not name."""


def hard_limits(quota: ResourceQuota) -> dict[str, int]:
    """The bounds of a quota by resource."""
    found = {} if quota.pods is None else {PODS: quota.pods}
    found |= {f"{REQUESTS}{name}": amount for name, amount in amounts_of(quota.requests).items()}
    return found | {f"{LIMITS}{name}": amount for name, amount in amounts_of(quota.limits).items()}


def pod_claim(pod: PodTemplate, overhead: Resources) -> PodClaim:
    """The claim of every pod of a template."""
    more = amounts_of(overhead)
    limits = {**limit_sums(pod), **amounts_of(pod.limits)}
    amounts = {PODS: 1}
    amounts |= {f"{REQUESTS}{name}": amount for name, amount in pod_request(pod, overhead).items()}
    amounts |= {f"{LIMITS}{name}": amount + more.get(name, 0) for name, amount in limits.items()}
    unnamed: dict[str, None] = {}
    for container in running_containers(pod):
        for prefix, own, level in (
            (REQUESTS, container_request(container), amounts_of(pod.resources)),
            (LIMITS, amounts_of(container.limits), amounts_of(pod.limits)),
        ):
            for name in ("cpu", "memory", "ephemeral-storage"):
                if name not in own and name not in level:
                    unnamed[f"{prefix}{name}"] = None
    return PodClaim(amounts, frozenset(unnamed))


def admitted(
    quotas: Iterable[tuple[str, Amounts]], used: Amounts, claim: PodClaim, count: int
) -> tuple[int, QuotaRefusal | None]:
    """How many of `count` equal pods fit in all quotas, and why the next one does not."""
    most, refusal = count, None
    for name, hard in quotas:
        unnamed = tuple(resource for resource in hard if resource in claim.unnamed)
        if unnamed:
            return 0, QuotaRefusal(name, unnamed, ())
        for resource, bound in hard.items():
            asked = claim.amounts.get(resource, 0)
            if asked and (fits := max(0, (bound - used.get(resource, 0)) // asked)) < most:
                most, refusal = fits, _exceeded(name, hard, used, claim, fits)
    return most, refusal


def _exceeded(name: str, hard: Amounts, used: Amounts, claim: PodClaim, created: int) -> QuotaRefusal:
    """All resources of the quota that are short once so many pods have been created."""
    short = []
    for resource, bound in hard.items():
        asked = claim.amounts.get(resource, 0)
        have = used.get(resource, 0) + created * asked
        if asked and have + asked > bound:
            short.append((resource, asked, have, bound))
    return QuotaRefusal(name, (), tuple(short))
