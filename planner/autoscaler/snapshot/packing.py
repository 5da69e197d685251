"""Which pending pods already have room: on existing nodes, or on upcoming nodes."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from planner.autoscaler.snapshot.domain_counts import Mask
from planner.autoscaler.snapshot.hints import Hints
from planner.autoscaler.snapshot.listed_nodes import NOWHERE
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.autoscaler.snapshot.trial_kernel import TrialKernel, trial_kernel
from planner.state.specs import PodSpec


def pack_pending(pods: Sequence[int], snapshot: Snapshot, cursor: SearchCursor, hints: Hints) -> list[int]:
    """Put pods where they fit, in the order given (high priority first); those without place are returned.

    A pod first tries its hint. Once a pod fails, others of its template are not tried any more.
    Source: Cluster Autoscaler 1.36.1, core/podlistprocessor/filter_out_schedulable.go.
    """
    left: list[int] = []
    failed: dict[int, None] = {}
    kernel, templates = trial_kernel(snapshot, hints), snapshot.templates_of(pods)
    # The node of the last loop may be gone; placeholders have new names in most loops.
    hinted = _hinted(pods, snapshot, hints) if kernel is None else kernel.hinted(pods)
    for begin, end in _runs(templates, hinted):
        members, template = list(pods[begin:end]), templates[begin]
        if template in failed:
            left += members
            continue
        unplaced = _pack_run(members, hinted[begin], snapshot, cursor, hints, kernel)
        if unplaced and not snapshot.spec(template).is_daemon:
            failed[template] = None
        left += unplaced
    hints.drop_old()
    return left


def _hinted(pods: Sequence[int], snapshot: Snapshot, hints: Hints) -> list[bool]:
    return [position != NOWHERE for position in snapshot.positions_of(hints.get_all(pods))]


def _runs(templates: Sequence[int], hinted: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Begin and end of each run of pods that are alike in both."""
    kinds = np.array(templates, dtype=np.int64) * 2 + np.array(hinted, dtype=np.bool_)
    firsts = np.flatnonzero(np.diff(kinds, prepend=-1)).tolist()
    return pairwise([*firsts, len(kinds)])


def _pack_run(
    pods: list[int],
    is_hinted: bool,
    snapshot: Snapshot,
    cursor: SearchCursor,
    hints: Hints,
    kernel: TrialKernel | None,
) -> list[int]:
    spec = snapshot.spec_of(pods[0])
    if spec.is_daemon or is_hinted or not snapshot.is_plain(spec):
        return [pod for pod in pods if place_one(pod, snapshot, snapshot.accepts_pod(pod), cursor, hints) is None]
    count = len(snapshot)
    if count == 0:
        return pods
    start = cursor.position % count
    if kernel is None:
        positions = snapshot.fill(spec, snapshot.accepts(spec), start, len(pods))
        snapshot.note_placed(pods, positions)
        hints.set_all(dict(zip(pods, snapshot.keys_of(positions), strict=False)))
    else:
        positions = kernel.fill(pods, spec, start)
    snapshot.count_placed(pods, positions)
    if positions:
        cursor.position = positions[-1] + 1
    return pods[len(positions) :]


def place_one(
    pod: int, snapshot: Snapshot, allowed: Mask, cursor: SearchCursor, hints: Hints, spec: PodSpec | None = None
) -> int | None:
    """Put one pod on its hint, else on the first allowed position with room after the last match.

    `spec`: its template, where that is known.
    """
    spec = spec or snapshot.spec_of(pod)
    key = hints.get(pod)
    position = None if key is None else snapshot.position(key)
    if position is None or not allowed[position] or not snapshot.has_room(spec, position):
        start = snapshot.dropped.position_at(cursor.position % max(snapshot.listed, 1))
        position = snapshot.first_fit(spec, allowed, start)
        if position is None:
            return None
        cursor.position = snapshot.dropped.place_of(position) + 1
    snapshot.put(pod, position, spec)
    hints.set(pod, snapshot.key(position))
    return position
