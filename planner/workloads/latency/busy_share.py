"""How busy a pod is that holds so many requests: the stationary mean number L(rho) of `laws.py`, inverted.

docs/model.md, "Changing load and overload".
"""

from collections.abc import Callable

import numpy as np

from planner.workloads.latency.laws import Laws
from planner.workloads.latency.mmc import Amounts, Bools, Floats
from planner.workloads.latency.share_of_one import share_of_one

_MAX_NEWTON = 60
_FREE_STEPS = 4
_LEAST_PART = 0.05
_CLOSE = 1e-6
"""A step of Newton's method as short as this ends at the precision of a double."""
_LEAST = 1e-100
_FULL = 1.0 - 1e-14
_MOST_ODDS = 1e13
_NUDGE = 1e-6
_FEW = 200
"""So few servers are faster looked at pod by pod."""
_SERVERS_OF_A_STEP = 8
"""The rest of a step takes as long as so many servers."""


def busy_share(laws: Laws, available: Amounts, capacity: Amounts = 0.0, near: Floats | None = None) -> Floats:
    """The rho that solves L(rho) + capacity * rho = available; with `capacity` 0 the inverse of L.

    `capacity` is what the servers could serve in an implicit step. Below 1, up to the precision of a double. Columns,
    or rows of columns; `near` says where to look first (0: nowhere in particular).
    """
    available = np.maximum(available, 0.0)
    if laws.floor_load is not None:
        capacity = capacity + laws.floor_load
    if laws.of_single:
        return _single_share(available, capacity)
    if laws.of_many:
        return _share_of_many(laws, available, capacity, near)
    if laws.of_throttled:
        return _share_under_quota(laws, available, _like(available, capacity), near)
    share = _single_share(available, capacity)
    whole, most = _like(share, available), _like(share, capacity)
    for rows, share_of in (
        (laws.many, _share_of_many),
        (laws.other, _share_of_others),
        (laws.throttled, _share_under_quota),
    ):
        if len(rows):
            start = None if near is None else near[..., rows]
            share[..., rows] = share_of(laws, whole[..., rows], most[..., rows], start)
    return share


def _single_share(available: Amounts, capacity: Amounts) -> Floats:
    """Root of rho/(1-rho) + capacity rho = available, written without cancellation."""
    total = 1.0 + capacity + available
    return 2.0 * available / (total + np.sqrt(total * total - 4.0 * capacity * available))


def _share_of_many(laws: Laws, available: Floats, capacity: Amounts, near: Floats | None) -> Floats:
    """The same for M/M/m: between the shares of one server as fast as all, with and without their waiting."""
    queues = laws.many_queues
    if laws.scalar_twins and np.size(available) * (queues.most_servers + _SERVERS_OF_A_STEP) <= _FEW:
        return _each_by_itself(queues.counts, available, capacity, near)
    could = queues.servers + capacity
    low = np.minimum(_single_share(available, could), _FULL)

    def missing(odds: Floats) -> tuple[Floats, Floats]:
        free = 1.0 / (1.0 + odds)
        rho = odds * free
        waiting, slope = queues.erlang_c_and_slope(rho)
        return could * rho + waiting * odds - available, (could + slope * odds) * (free * free) + waiting

    least = np.maximum(low / (1.0 - low), _LEAST)
    start = least if near is None else np.where(available > 0.0, np.maximum(near / (1.0 - near), least), least)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        odds = _root(missing, least, np.maximum(available, _LEAST), start, available <= 0.0)
    return np.where(low >= _FULL, low, odds / (1.0 + odds))


def _each_by_itself(servers: list[int], available: Floats, capacity: Amounts, near: Floats | None) -> Floats:
    """The same in plain numbers."""
    rows = available.size // len(servers) if servers else 0
    most, first = (_like(available, column).ravel().tolist() for column in (capacity, 0.0 if near is None else near))
    shares = map(share_of_one, servers * rows, available.ravel().tolist(), most, first)
    return np.array(list(shares)).reshape(available.shape)


def _like(column: Floats, amounts: Amounts) -> Floats:
    """`amounts` in the shape of `column`; `broadcast_to` takes its time."""
    if isinstance(amounts, np.ndarray):
        return amounts if amounts.shape == column.shape else np.broadcast_to(amounts, column.shape)
    return np.full(column.shape, amounts)


def _share_of_others(laws: Laws, available: Floats, capacity: Floats, near: Floats | None) -> Floats:
    """The same by the odds of each law."""
    others = laws.of_other

    def missing(odds: Floats) -> tuple[Floats, Floats]:
        both = np.stack((odds, odds * (1.0 + _NUDGE)))
        rho, number = others.number_at(both)
        value, more = number + capacity * rho - available
        return value, (more - value) / (odds * _NUDGE)

    first = _single_share(available, capacity + others.servers)
    if near is not None:
        first = np.where(near > 0.0, near, first)
    start = np.clip(first / np.maximum(1.0 - first, 1e-14), _LEAST, _MOST_ODDS)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        odds = _root(missing, np.full(start.shape, _LEAST), np.full(start.shape, _MOST_ODDS), start, available <= 0.0)
    return np.where(available > 0.0, np.minimum(others.number_at(np.minimum(odds, _MOST_ODDS))[0], _FULL), 0.0)


def _share_under_quota(laws: Laws, available: Floats, capacity: Floats, near: Floats | None) -> Floats:
    """The same by the tables of pods under a quota, which give it at once."""
    return np.minimum(laws.share_under_quota(available, capacity), _FULL)


def _root(
    missing: Callable[[Floats], tuple[Floats, Floats]], low: Floats, high: Floats, start: Floats, settled: Bools
) -> Floats:
    """Where growing functions are 0, by Newton's method.

    `missing` gives values and slopes at the same time for all columns; a column that has settled stays. Where a few
    steps are not enough, bounds are kept and halved when a step would leave them.
    """
    odds = start
    for number in range(_MAX_NEWTON):
        value, slope = missing(odds)
        step = value / slope
        close = np.abs(step) <= _CLOSE * odds
        found = np.minimum(np.maximum(odds - step, np.maximum(low, _LEAST_PART * odds)), high)
        if number >= _FREE_STEPS:
            high, low = np.where(step > 0.0, np.minimum(odds, high), high), np.where(step > 0.0, low, odds)
            found = np.where((found <= high) | close, found, 0.5 * (low + high))
        odds = np.where(settled, odds, found)
        settled = settled | close
        if settled.all():
            break
    return odds
