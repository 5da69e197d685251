"""Creates no more pods than the quotas of their namespace admit, and has controllers try again later."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.record.decisions import Actor, Decision, Verdict
from planner.state.cluster import Cluster
from planner.units import US_PER_MS, US_PER_S
from planner.workloads.quota.admission import Amounts, PodClaim, admitted

FIRST_RETRY_US = 5 * US_PER_MS
LONGEST_RETRY_US = 1000 * US_PER_S
"""Back-off of the controllers' work queues (client-go 0.36, util/workqueue, default rate limiter)."""


@dataclass(frozen=True, slots=True)
class CreationRetry:
    """A controller tries again to create the pods that were refused."""

    workload: int


def retry_delay_us(failures: int) -> int:
    """Doubles with every failure in a row."""
    return min(FIRST_RETRY_US << min(failures - 1, 40), LONGEST_RETRY_US)


class QuotaGate:
    """Asked by controllers before they create pods. `quotas`: by namespace; `claims`: by workload row."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        quotas: Mapping[str, tuple[tuple[str, Amounts], ...]],
        claims: Mapping[int, PodClaim],
        decide: Callable[[Decision], None],
    ) -> None:
        self._cluster = cluster
        self._events = events
        self._quotas = quotas
        self._claims = claims
        self._changed: dict[int, dict[int, PodClaim]] = {}
        """Claims of changed templates, by workload row and first revision; revisions only grow."""
        self._decide = decide
        self._failures: dict[int, int] = {}
        self._waiting: dict[int, None] = {}

    def change_claim(self, workload: int, revision: int, claim: PodClaim) -> None:
        """From that revision on, pods of a workload have another template."""
        self._changed.setdefault(workload, {})[revision] = claim

    def admitted(self, workload: int, count: int, revision: int | None = None, *, again: bool = True) -> int:
        """How many of so many pods may be created now; the refused ones are tried again after a back-off.

        `revision`: of their template; None is the present one. `again`: False where no controller comes back.
        """
        if not self._quotas:
            return count
        namespace = self._cluster.workload_namespaces[workload]
        quotas = self._quotas.get(namespace)
        if quotas is None:
            return count
        fitting, refusal = admitted(quotas, self._used(namespace), self._claim(workload, revision), count)
        if refusal is None:
            self._failures.pop(workload, None)
            return fitting
        if again:
            self._come_back(workload)
        name = self._cluster.workload_names[workload]
        self._decide(Decision(self._events.now_us, Actor.CONTROLLER, Verdict.REFUSED, name, details=refusal))
        return fitting

    def _come_back(self, workload: int) -> None:
        failures = self._failures[workload] = self._failures.get(workload, 0) + 1
        if workload not in self._waiting:
            self._waiting[workload] = None
            due_us = self._events.now_us + retry_delay_us(failures)
            self._events.push(due_us, Phase.POD_ENDS, CreationRetry(workload))

    def begin_retry(self, event: CreationRetry) -> None:
        """The back-off of a workload is over."""
        self._waiting.pop(event.workload, None)

    def _used(self, namespace: str) -> dict[str, int]:
        used: dict[str, int] = {}
        for row, claim in self._claims.items():
            pods = self._cluster.workload_pods[row]
            if not pods or self._cluster.workload_namespaces[row] != namespace:
                continue
            if row not in self._changed:
                _add(used, claim, len(pods))
            else:
                for pod in pods:
                    _add(used, self._claim(row, int(self._cluster.pods.revision[pod])), 1)
        return used

    def _claim(self, workload: int, revision: int | None) -> PodClaim:
        if revision is None:
            revision = int(self._cluster.workloads.revision[workload])
        claims = self._changed.get(workload, {})
        first = max((known for known in claims if known <= revision), default=None)
        return self._claims[workload] if first is None else claims[first]


def _add(used: dict[str, int], claim: PodClaim, pods: int) -> None:
    for resource, amount in claim.amounts.items():
        used[resource] = used.get(resource, 0) + pods * amount
