"""One pod with several servers: the rules of `mmc.py` and `busy_share.py` in plain numbers.

A NumPy call takes about a microsecond however short its arrays are, and a root needs a hundred calls; for a handful of
pods plain numbers are several times as fast. `RunOptions.scalar_twins` switches them off, and a property test compares
both.
"""

import math

_MAX_NEWTON = 60
_FREE_STEPS = 4
_LEAST_PART = 0.05
_CLOSE = 1e-6
_LEAST = 1e-100
_RAREST = 1e100
_FULL = 1.0 - 1e-14


def share_of_one(servers: int, available: float, capacity: float, near: float) -> float:
    """The rho that solves L(rho) + capacity * rho = available for M/M/m; `near` says where to look first."""
    if available <= 0.0:
        return _LEAST
    could = servers + capacity
    total = 1.0 + could + available
    low = 2.0 * available / (total + math.sqrt(total * total - 4.0 * could * available))
    if low >= _FULL:
        return _FULL
    least, most = max(low / (1.0 - low), _LEAST), max(available, _LEAST)
    odds = max(near / (1.0 - near), least)
    for number in range(_MAX_NEWTON):
        step = _step(servers, could, available, odds)
        close = abs(step) <= _CLOSE * odds
        found = min(max(odds - step, least, _LEAST_PART * odds), most)
        if number >= _FREE_STEPS:
            least, most = (least, min(odds, most)) if step > 0.0 else (odds, most)
            if found > most and not close:
                found = 0.5 * (least + most)
        odds = found
        if close:
            break
    return odds / (1.0 + odds)


def waiting_of_one(servers: int, rho: float) -> float:
    """Probability that a request has to wait, `mmc.erlang_c`."""
    rarity = _rarity(servers, servers * rho)
    return 1.0 / (rho + rarity * (1.0 - rho))


def _rarity(servers: int, load: float) -> float:
    """One over Erlang's B, by his recursion."""
    load = max(load, _LEAST)
    rarity = term = 1.0
    for left in range(servers, 0, -1):
        term *= left / load
        rarity += term
    return rarity


def _step(servers: int, could: float, available: float, odds: float) -> float:
    """Newton's step from `odds`: by how much it is too large, to first order."""
    free = 1.0 / (1.0 + odds)
    rho = odds * free
    rarity = min(_rarity(servers, servers * rho), _RAREST)
    rare = rarity - 1.0
    waiting = 1.0 / (1.0 + free * rare)
    slope = waiting * waiting * (servers * (rarity * free / rho + 1.0) * free + rare)
    missing = could * rho + waiting * odds - available
    return missing / ((could + slope * odds) * (free * free) + waiting)
