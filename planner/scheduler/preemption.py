"""Which pods of lower priority would have to go, and from which node (kube-scheduler 1.36, framework/preemption).

Nothing here changes the cluster: candidates are evaluated on deltas of one node at a time.
"""

from collections.abc import Callable, Mapping, Sequence
from heapq import nsmallest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.scheduler.compiled_room import CompiledRoom
from planner.scheduler.cycle.feasibility import Prepared, Verdicts
from planner.scheduler.cycle.node_answers import NodeAnswers
from planner.scheduler.interface import NodeDelta
from planner.scheduler.preemption_result import LEADING, PRIORITY_OFFSET, Budget, Candidate, Preemption, Trial
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.reasons import Strength
from planner.scheduler.room_trial import RoomTrial
from planner.scheduler.topology.spread_constraints import matcher_of
from planner.scheduler.trial_memory import TrialMemory, nodes_with_lower
from planner.scheduler.trials import Trials
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.units import US_PER_S

NEVER_PREEMPTS = "not eligible due to preemptionPolicy=Never."
_UNSCHEDULABLE = int(Strength.UNSCHEDULABLE)  # looking up a member of an enum costs a call in Python 3.11
VICTIM_STILL_ENDING = "not eligible due to a terminating pod on the nominated node."


def preempt(
    cluster: Cluster,
    profile: SchedulerProfile,
    prepared: Prepared,
    verdicts: Verdicts | NodeAnswers,
    order: NDArray[np.int64],
    budgets: Sequence[Budget] = (),
    offset: Callable[[int], int] = lambda count: 0,
    memory: TrialMemory | None = None,
) -> Preemption:
    """Look for the node where preemption hurts least. `order`: nodes in the order in which they are tried.

    `offset`: at which of so many potential nodes the search begins.
    """
    refusal = _not_eligible(cluster, prepared, verdicts)
    if refusal:
        return Preemption(False, refusal)
    could_help = verdicts.strength.take(order) == _UNSCHEDULABLE
    count = int(np.count_nonzero(could_help))
    if not count:
        return Preemption()
    share = count * profile.min_candidate_nodes_percentage // 100
    wanted = min(count, max(profile.min_candidate_nodes_absolute, share))
    potential = order if count == len(order) else order[could_help]
    priority = prepared.spec.priority
    lower = nodes_with_lower(cluster, priority) if memory is None else memory.nodes_with_lower(priority)
    out = Preemption(True, "", potential, offset(count), lower, count, wanted)
    if not lower.any():
        return out
    trials = Trials(cluster.nodes.count) if memory is None else memory.of(prepared, budgets)
    if memory is not None and memory.is_compiled and cluster.pods.nominated[prepared.pod] == NONE:
        _walk(cluster, prepared, budgets, out, trials, memory.room)
    else:
        _try_each(cluster, prepared, budgets, out, trials)
    return out


def _not_eligible(cluster: Cluster, prepared: Prepared, verdicts: Verdicts | NodeAnswers) -> str:
    pods, spec = cluster.pods, prepared.spec
    if not spec.placement.may_preempt:
        return NEVER_PREEMPTS
    node = int(pods.nominated[prepared.pod])
    if node == NONE or not cluster.nodes.exists[node] or verdicts.strength[node] == Strength.UNRESOLVABLE:
        return ""
    waiting = any(
        pods.priority[pod] < spec.priority and pods.deletion_us[pod] != NONE and pods.disrupted[pod]
        for pod in cluster.node_pods[node]
    )
    return VICTIM_STILL_ENDING if waiting else ""


def _try_each(cluster: Cluster, prepared: Prepared, budgets: Sequence[Budget], out: Preemption, trials: Trials) -> None:
    """Nodes in turn until enough are found and one of them violates no budget; each list keeps `wanted` entries."""
    clean = violating = 0
    own, wanted, found_on = int(cluster.pods.nominated[prepared.pod]), out.wanted, dict[int, Trial]()
    candidates: list[Candidate] = []
    potential = out.in_turn
    places = np.flatnonzero(out.lower[potential])
    for place, node in zip(places.tolist(), potential[places].tolist(), strict=True):
        found = trials.found.get(node) if node != own else None
        if found is None:
            found = _trial(cluster, prepared, node, budgets)
            if node != own:  # there the pod does not meet its own nomination, as others of its template do
                trials.put(node, found)
        found_on[node] = found
        if isinstance(found, tuple):
            out.failed[node] = found
            continue
        if found.violated:
            if violating < wanted:
                violating += 1
                candidates.append(found)
        elif clean < wanted:
            clean += 1
            candidates.append(found)
        if clean and clean + violating >= wanted:
            out.tried = place + 1
            break
    out.trials, out.helped = found_on, [candidate.node for candidate in candidates]
    out.leading = [one.node for one in nsmallest(LEADING, candidates, key=lambda candidate: candidate.rank)]
    out.equals = np.array(_best(candidates), np.int64)


def _walk(
    cluster: Cluster,
    prepared: Prepared,
    budgets: Sequence[Budget],
    out: Preemption,
    trials: Trials,
    room: CompiledRoom | None,
) -> None:
    """The same by the kernel, for a pod that is nominated nowhere."""
    from planner.kernels.placing.candidate_walk import CandidateWalk

    known: dict[int, Any] = trials.found
    columns = out.lower.view(np.uint8), trials.states, trials.ranks
    walk = CandidateWalk(out.potential, out.first, *columns, out.wanted)
    asked, spec, pod = None if budgets or room is None else prepared.asked_room, prepared.spec, prepared.pod
    while (node := walk.go_on()) != NONE:
        found = room.victims(spec, asked, node, pod) if room is not None and asked is not None else None
        if found is None:
            trials.put(node, _trial(cluster, prepared, node, budgets))
        else:
            trials.put(node, Candidate(node, found[0], rank=found[1]))
    out.trials, out.tried, out.helped = known, walk.tried, walk.candidates()
    out.failed = {node: known[node] for node in walk.failed}
    if out.helped:
        out.leading, out.equals = walk.leading(LEADING)


def _trial(cluster: Cluster, prepared: Prepared, node: int, budgets: Sequence[Budget]) -> Candidate | tuple[str, ...]:
    """Take all lower pods off one node; give back as many as possible, the most important first."""
    pods, priority, asked = cluster.pods, prepared.spec.priority, prepared.asked_room
    there = [*cluster.node_pods[node]]
    priorities = zip(there, pods.priority[there].tolist(), strict=True)
    lower = [pod for pod, its_priority in priorities if its_priority < priority]
    if asked is not None:
        trial = RoomTrial(cluster, prepared.sparse, node, asked, prepared.nominated_specs(node, prepared.pod))
        if trial.take_off(lower):
            violating, others = _split_by_budgets(cluster, _by_importance(cluster, lower), budgets)
            return _candidate(cluster, node, trial.give_back((*violating, *others)), violating)
    delta = NodeDelta(prepared.sparse)
    for pod in lower:
        delta.add(cluster.pod_specs[pods.spec[pod]], -1)
    refusal = prepared.refuse_changed(node, delta)
    if refusal is not None:
        return tuple(reason.reason for reason in refusal[1])
    violating, others = _split_by_budgets(cluster, _by_importance(cluster, lower), budgets)
    victims: list[int] = []
    for pod in (*violating, *others):
        spec = cluster.pod_specs[pods.spec[pod]]
        delta.add(spec)
        if prepared.refuse_changed(node, delta) is not None:
            delta.add(spec, -1)
            victims.append(pod)
    return _candidate(cluster, node, victims, violating)


def _candidate(cluster: Cluster, node: int, victims: list[int], violating: Mapping[int, str]) -> Candidate:
    """`victims`: in the order in which they could not be given back."""
    violated = {pod: violating[pod] for pod in victims if pod in violating}
    # Stable: among equals those that violate budgets stay in front.
    victims.sort(key=lambda pod: _importance(cluster, pod)[:2])
    return Candidate(node, tuple(victims), violated, _rank(cluster, victims, len(violated)))


def _importance(cluster: Cluster, pod: int) -> tuple[int, int, int]:
    """Higher priority, then earlier start (whole seconds, as the API keeps them), then earlier creation comes first."""
    return -cluster.pods.priority.item(pod), _start_s(cluster, pod), pod


def _by_importance(cluster: Cluster, pods: list[int]) -> list[int]:
    """The most important first."""
    priorities, starts = cluster.pods.priority[pods].tolist(), cluster.pods.bound_us[pods].tolist()
    keyed = [(-priority, start // US_PER_S, pod) for priority, start, pod in zip(priorities, starts, pods, strict=True)]
    return [pod for _, _, pod in sorted(keyed)]


def _start_s(cluster: Cluster, pod: int) -> int:
    return cluster.pods.bound_us.item(pod) // US_PER_S


def _split_by_budgets(
    cluster: Cluster, pods: Sequence[int], budgets: Sequence[Budget]
) -> tuple[dict[int, str], list[int]]:
    """Pods whose eviction would break a budget, with its name, and the others.

    Budgets are charged in order of importance of the pods.
    """
    if not budgets:
        return {}, list(pods)
    matchers = [matcher_of(budget.namespace, budget.selector) for budget in budgets]
    left = [budget.allowed for budget in budgets]
    violating: dict[int, str] = {}
    others: list[int] = []
    for pod in pods:
        spec, broken = cluster.pod_specs[cluster.pods.spec[pod]], None
        for i, (budget, matcher) in enumerate(zip(budgets, matchers, strict=True)):
            if not spec.labels or matcher.is_empty or not matcher.matches(spec) or pod in budget.disrupted:
                continue
            left[i] -= 1
            if broken is None and left[i] < 0:
                broken = budget.name
        if broken is None:
            others.append(pod)
        else:
            violating[pod] = broken
    return violating, others


def _rank(cluster: Cluster, victims: Sequence[int], violations: int) -> tuple[int, int, int, int, int]:
    """Violations, highest priority, sum of priorities, number, and the latest of the earliest starts wins."""
    priorities = [cluster.pods.priority.item(pod) for pod in victims]
    top = max(priorities, default=-PRIORITY_OFFSET)
    starts = [_start_s(cluster, pod) for pod, priority in zip(victims, priorities, strict=True) if priority == top]
    total = sum(priorities) + PRIORITY_OFFSET * len(victims)
    return violations, top, total, len(victims), -min(starts, default=0)


def _best(candidates: Sequence[Candidate]) -> list[int]:
    """Nodes of the candidates that no rule distinguishes from the best."""
    least = min((candidate.rank for candidate in candidates), default=None)
    return [candidate.node for candidate in candidates if candidate.rank == least]
