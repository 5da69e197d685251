"""Recordings marked nondeterministic are compared with the outcomes over listing orders.

Nodes of the real program's snapshot and its groups of equal pods come out of Go maps (Cluster Autoscaler 1.36.1,
simulator/clustersnapshot/store/delta.go, core/scaleup/equivalence/groups.go), and so do the lists of its informers:
each loop lists them in an order of its own, which is no part of the recording. A run lists nodes by name and pods by
age. So the order of each loop is searched under which the production loop decides as recorded; the rules stay, and a
decision that no order gives is a difference. Recordings marked deterministic are compared exactly, without this.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.loop.static_autoscaler import StaticAutoscaler

Json = dict[str, Any]
Orders = Mapping[float, int]
"""By time of the loop the number of its order; loops that are missing list by name and by age."""
_TRIED = 60
"""Orders tried for one loop."""
_GUIDES = ("scaleUp", "expanderBest", "unneeded", "deleted")


def list_in_order(autoscaler: StaticAutoscaler, number: Callable[[], int]) -> None:
    """From now on nodes and pods are listed in the order of this number; 0 is the usual one."""
    order, pending = autoscaler._order, autoscaler._scale_up._pending
    existing, unschedulable = order.rows, pending.unschedulable

    def nodes() -> NDArray[np.int64]:
        return np.array(_shuffled(existing().tolist(), number()), dtype=np.int64)

    order.rows = nodes  # type: ignore[method-assign]
    pending.unschedulable = lambda: _shuffled(unschedulable(), number())  # type: ignore[method-assign]


def explaining_orders(replay: Callable[[Orders], list[Json]], recorded: Sequence[Json]) -> Orders:
    """Orders that lead to the recorded loops as far as any was found: each loop keeps the first that fits it."""
    wanted = {loop["t"]: _guide(loop) for loop in recorded}
    orders: dict[float, int] = {}
    settled = -1.0
    while True:
        differs = _first_difference(replay(orders), wanted, settled)
        if differs is None:
            return orders
        for number in range(1, _TRIED):
            later = _first_difference(replay({**orders, differs: number}), wanted, settled)
            if later is None or later > differs:
                orders[differs] = number
                break
        settled = differs


def _first_difference(loops: Sequence[Json], wanted: Mapping[float, Json], after: float) -> float | None:
    got = {loop["t"]: _guide(loop) for loop in loops}
    differing = [t for t in got.keys() | wanted.keys() if got.get(t) != wanted.get(t)]
    return min((t for t in differing if t > after), default=None)


def _guide(loop: Json) -> Json:
    return {key: loop[key] for key in _GUIDES if key in loop}


def _shuffled(things: list[int], number: int) -> list[int]:
    if number:
        random.Random(number).shuffle(things)
    return things
