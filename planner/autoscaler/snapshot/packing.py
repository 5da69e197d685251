"""Which pending pods already have room: on existing nodes, or on upcoming nodes."""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from planner.autoscaler.snapshot.domain_counts import Mask
from planner.autoscaler.snapshot.hints import Hints
from planner.autoscaler.snapshot.listed_nodes import NOWHERE
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.state.specs import PodSpec


def pack_pending(pods: Sequence[int], snapshot: Snapshot, cursor: SearchCursor, hints: Hints) -> list[int]:
    """Put pods where they fit, in the order given (high priority first); those without place are returned.

    A pod first tries its hint. Once a pod fails, others of its template are not tried any more.
    Source: Cluster Autoscaler 1.36.1, core/podlistprocessor/filter_out_schedulable.go.
    """
    left: list[int] = []
    failed: dict[int, None] = {}
    shapes = snapshot.templates_of(pods)
    # The node of the last loop may be gone; placeholders have new names in most loops.
    hinted = [position != NOWHERE for position in snapshot.positions_of(hints.get_all(pods))]
    for (shape, is_hinted), run in groupby(zip(shapes, hinted, pods, strict=True), key=itemgetter(0, 1)):
        members = [pod for _, _, pod in run]
        if shape in failed:
            left += members
            continue
        unplaced = _pack_run(members, is_hinted, snapshot, cursor, hints)
        if unplaced and not snapshot.spec_of(members[0]).is_daemon:
            failed[shape] = None
        left += unplaced
    hints.drop_old()
    return left


def _pack_run(pods: list[int], is_hinted: bool, snapshot: Snapshot, cursor: SearchCursor, hints: Hints) -> list[int]:
    spec = snapshot.spec_of(pods[0])
    if spec.is_daemon or is_hinted or not snapshot.is_plain(spec):
        return [pod for pod in pods if place_one(pod, snapshot, snapshot.accepts_pod(pod), cursor, hints) is None]
    count = len(snapshot)
    if count == 0:
        return pods
    positions = snapshot.put_equal(pods, spec, cursor.position % count)
    if positions:
        hints.set_all(dict(zip(pods, snapshot.keys_of(positions), strict=False)))
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
