"""One pass of the StatefulSet controller.

Source: Kubernetes 1.36, pkg/controller/statefulset/stateful_set_control.go.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SetRules:
    """The spec of a StatefulSet."""

    replicas: int
    start: int = 0
    """First ordinal."""
    parallel: bool = False
    """podManagementPolicy Parallel; else OrderedReady."""
    on_delete: bool = False
    """Update strategy OnDelete: outdated pods are not replaced by the controller."""
    partition: int = 0
    """Ordinals from start below this keep the old revision."""
    min_ready_us: int = 0


@dataclass(frozen=True, slots=True)
class SetPod:
    """One pod of the set."""

    ordinal: int
    up_to_date: bool
    """It has the new revision."""
    running: bool = True
    finished: bool = False
    """Failed or Succeeded."""
    ready_for_us: int | None = None
    """None: not Ready."""
    terminating: bool = False


@dataclass
class SetActions:
    """What the pass does."""

    create: list[tuple[int, bool]] = field(default_factory=list)
    """Ordinals, and whether the pod gets the new revision."""
    delete: list[int] = field(default_factory=list)
    """Ordinals in the order of the calls. With Parallel, a finished pod of an old revision is named twice: as finished
    and, since the pass does not look at it again, as outdated."""


def stateful_pass(rules: SetRules, pods: Iterable[SetPod]) -> SetActions:
    """Creations and deletions of one pass; pods have different ordinals."""
    actions = SetActions()
    found = {pod.ordinal: pod for pod in pods}
    wanted = range(rules.start, rules.start + rules.replicas)
    condemned = [found[at] for at in sorted(found, reverse=True) if at not in wanted]
    if _fill(rules, wanted, found, actions):
        return actions
    if _shrink(rules, condemned, actions):
        return actions
    if not rules.on_delete:
        _update(rules, wanted, found, actions)
    return actions


def is_available(pod: SetPod, min_ready_us: int) -> bool:
    """Running, Ready for long enough, and not being deleted."""
    ready_us = pod.ready_for_us
    return pod.running and not pod.terminating and ready_us is not None and ready_us >= min_ready_us


def _fill(rules: SetRules, wanted: range, found: dict[int, SetPod], actions: SetActions) -> bool:
    """Walk the range upwards; whether the pass ends here."""
    for ordinal in wanted:
        pod = found.get(ordinal)
        if pod is None:
            keeps_old = not rules.on_delete and ordinal < rules.start + rules.partition
            actions.create.append((ordinal, not keeps_old))
        elif pod.finished:
            if not pod.terminating:
                actions.delete.append(ordinal)
        elif is_available(pod, rules.min_ready_us):
            continue
        if not rules.parallel:
            return True
    return False


def _shrink(rules: SetRules, condemned: list[SetPod], actions: SetActions) -> bool:
    """Remove pods outside the range, the highest first; whether the pass ends here."""
    if rules.parallel:
        for pod in condemned:
            if not pod.terminating:
                actions.delete.append(pod.ordinal)
        return False
    if not condemned:
        return False
    highest, others = condemned[0], condemned[1:]
    blocked = not is_available(highest, rules.min_ready_us) and any(
        not is_available(pod, rules.min_ready_us) for pod in others
    )
    if not highest.terminating and not blocked:
        actions.delete.append(highest.ordinal)
    return True


def _update(rules: SetRules, wanted: range, found: dict[int, SetPod], actions: SetActions) -> None:
    """Replace one outdated pod, from the highest ordinal down to the partition."""
    for ordinal in reversed(wanted):
        if ordinal < rules.start + rules.partition:
            return
        pod = found.get(ordinal)
        if pod is not None and not pod.up_to_date and not pod.terminating:
            actions.delete.append(ordinal)
            return
        if pod is None or not is_available(pod, rules.min_ready_us):
            return
