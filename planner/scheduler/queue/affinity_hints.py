"""Which changes may help a pod that inter-pod affinity refused.

These checks do not evaluate namespace selectors: only namespaces that are listed, or all of them, count.
"""

from collections.abc import Sequence

from planner.scheduler.queue.wake_facts import NodeFacts, PodChange, Waiting
from planner.scheduler.topology.pod_terms import PodTerm, PodTerms, compile_terms
from planner.state.specs import PodSpec


def affinity_and_pod(waiting: Waiting, change: PodChange) -> bool:
    """A pod came that attracts, a pod left that repelled, or labels changed to that effect."""
    if change.is_waiting_pod:
        return change.relabelled
    if not change.counts_on_node:
        return False
    old, new, terms = change.old, change.new, waiting.terms
    if old is None:
        return new is not None and _matches_all(terms.affinity, new)
    if new is None:
        return _matches_all(terms.anti_affinity, old) or _matches_all(compile_terms(old).anti_affinity, waiting.spec)
    attracts_now = not _matches_all(terms.affinity, old) and _matches_all(terms.affinity, new)
    repelled_before = _matches_all(terms.anti_affinity, old) and not _matches_all(terms.anti_affinity, new)
    return attracts_now or repelled_before


def _matches_all(terms: Sequence[PodTerm], spec: PodSpec) -> bool:
    return bool(terms) and all(term.matches(spec, {}) for term in terms)


def affinity_and_node(terms: PodTerms, old: NodeFacts | None, new: NodeFacts) -> bool:
    """A node came or changed its domain with respect to a term's key."""
    if old is None:
        return bool(terms.anti_affinity) or any(term.key in new.labels for term in terms.affinity)
    return any(
        term.key in new.labels and old.labels.get(term.key) != new.labels[term.key] for term in terms.affinity
    ) or any(
        term.key in old.labels and old.labels[term.key] != new.labels.get(term.key) for term in terms.anti_affinity
    )
