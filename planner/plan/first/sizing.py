"""How many pods of which size an answer needs, and how many nodes they fill.

Rules of thumb that leave room: they are meant to give a plan that meets its objective in a run, from where a planner
goes on. The share of its limit that a pod may be busy follows from the objective: a request on a core that is busy for
the share b takes about S / (1 - b) on average, and three times as long in 5 of 100 cases (exponential).
"""

import math
from dataclasses import dataclass

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.first.answers import Answers
from planner.plan.first.patterns import least_share
from planner.units import GIB, MIB

UTILIZATION = 70
"""Target of the autoscaler, in percent of the request."""
PROCESSES = 4
"""Size of pools of processes."""
AGENT_MILLI = 150
AGENT_BYTES = 256 * MIB
"""What logs, metrics and network of a cluster request on every node."""
_TAIL = 3.0
"""The 95th percentile of an exponential distribution, in means."""
_MARGIN = 0.7
"""Share of the objective that is planned with: noise of the load and the autoscaler's tolerance need the rest."""
_BUSIEST, _LEAST_BUSY = 0.55, 0.1
_REQUEST_STEP = 50
_SPARE = 1.5
"""Pods at most, over those that the peak needs."""
_FEWEST = 3
"""Pods that always run: one may go with its node, and two are left."""
_WIDE = frozenset({"pre-fork", "processors-by-limit"})
"""Runtimes whose pods use more than one core."""
_MEMORY = {"event-loop": 256 * MIB, "thread-per-request": 512 * MIB, "pre-fork": GIB, "consumer": 256 * MIB}
_USUAL_MEMORY = 768 * MIB


@dataclass(frozen=True)
class PodSize:
    """Request and limit in milli-CPU, memory in bytes."""

    request: int
    limit: int
    memory: int


@dataclass(frozen=True)
class ReplicaRange:
    """Pods of the service."""

    least: int
    at_peak: int
    most: int


def pod_size(answers: Answers) -> PodSize:
    """A pod that is so busy that requests are as quick as they must be. Raises PlanProblem if none can be."""
    latency_ms = _TAIL * answers.cpu_ms / _MARGIN
    busy = min(_BUSIEST, 1 - latency_ms / answers.target_ms) if answers.target_ms > 0 else 0.0
    if busy < _LEAST_BUSY:
        least = math.ceil(latency_ms / (1 - _LEAST_BUSY))
        raise PlanProblem(
            tr("Response time"),
            tr("Requests of {cpu:g} ms of CPU are not that quick, however many pods there are.", cpu=answers.cpu_ms),
            tr("Allow at least {least} ms, or make requests cheaper.", least=least),
        )
    limit = 2_000 if answers.runtime in _WIDE else 1_000
    enough = answers.peak_rate * answers.cpu_ms / _FEWEST  # of a load that the fewest pods serve idly
    return PodSize(_request(min(busy * limit, enough)), limit, _MEMORY.get(answers.runtime, _USUAL_MEMORY))


def _request(busy_milli: float) -> int:
    """The request of which so much CPU is the autoscaler's target, in round numbers."""
    return max(1, round(busy_milli * 100 / UTILIZATION / _REQUEST_STEP)) * _REQUEST_STEP


def pod_counts(answers: Answers, size: PodSize) -> ReplicaRange:
    """Pods that serve the quietest and the busiest time at the autoscaler's target, and the autoscaler's maximum."""
    at_peak = pods_for(answers, size, answers.peak_rate)
    least = max(_FEWEST, math.ceil(at_peak * least_share(answers.pattern)))
    return ReplicaRange(least, max(least, at_peak), max(least + 1, math.ceil(at_peak * _SPARE)))


def pods_for(answers: Answers, size: PodSize, rate: float) -> int:
    """Pods that serve a load at the autoscaler's target."""
    return max(1, math.ceil(rate * answers.cpu_ms * 100 / (size.request * UTILIZATION)))


def nodes_for(pods: int, per_node: int) -> int:
    """Nodes that hold so many pods."""
    return -(-pods // per_node)
