"""Stationary laws of pods: M/M/m, how a Service balances, and first come first served with any variability.

Times are in units of the mean service time S. A law gives, for utilisation rho < 1 of a pod, the probability of
waiting and the rate at which the tail of the wait decays; everything else follows. Exact: M/M/m, round-robin over
one-server pods, the shared queue, one server with `queue`. The rest is scaled from those by the wait of M/M/m.
docs/model.md, "Latency of a calm pod", has the errors.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.plan.model.serving import Balancer
from planner.workloads.latency import mmc
from planner.workloads.latency.cfs.quota_table import QuotaTables
from planner.workloads.latency.mmc import Amounts, Bools, Counts, Floats, Ints
from planner.workloads.latency.wait_stretch import wait_stretch

_MAX_STEPS = 60
_LEAST_OF_TWO_TERMS = 62
_LEAST_RHO = 1e-100
_LEAST_STRETCH = 1e-3
BALANCERS = tuple(Balancer)
RANDOM, ROUND_ROBIN, LEAST_OF_TWO, SHARED_QUEUE = (
    BALANCERS.index(one)
    for one in (Balancer.RANDOM, Balancer.ROUND_ROBIN, Balancer.LEAST_OF_TWO, Balancer.SHARED_QUEUE)
)


@dataclass(frozen=True)
class Laws:
    """Laws of groups of like pods, one entry a group."""

    servers: Ints | Floats
    """Of each pod; whole numbers."""
    pods: Ints
    """Behind the same balancer."""
    balancer: Ints
    """Position in BALANCERS."""
    cv: Floats
    """Variability of service demand as far as the discipline lets it matter; 1 is exponential."""
    scalar_twins: bool = True
    """A few of them are computed in plain numbers."""
    arrival_cv2: Floats | None = None
    """Squared variability of the time between requests before they are balanced; None: 1 for all."""
    quota: Ints | None = None
    """Which of `tables` the group has, -1 for none; None: no group has one."""
    tables: QuotaTables | None = None
    """Of pods under a CPU quota."""
    floor_load: Floats | None = None
    """Requests on their latency floor at a pod that is fully busy; None: nowhere any."""

    def take(self, rows: Ints) -> "Laws":
        """The laws of some of the groups."""
        arrival, floor = (None if one is None else one[rows] for one in (self.arrival_cv2, self.floor_load))
        quota = None if self.quota is None else self.quota[rows]
        own = (self.servers[rows], self.pods[rows], self.balancer[rows], self.cv[rows])
        return Laws(*own, self.scalar_twins, arrival, quota, self.tables, floor)

    @cached_property
    def single(self) -> Ints:
        """Groups that are M/M/1."""
        return np.flatnonzero(self._plain & (self.servers == 1))

    @cached_property
    def many(self) -> Ints:
        """Groups that are M/M/m with more than one server."""
        return np.flatnonzero(self._plain & (self.servers > 1))

    @cached_property
    def other(self) -> Ints:
        """Groups that are neither M/M/m nor under a quota."""
        others = ~self._plain
        others[self.throttled] = False
        return np.flatnonzero(others)

    @cached_property
    def throttled(self) -> Ints:
        """Groups under a quota."""
        return np.zeros(0, np.int64) if self.quota is None else np.flatnonzero(self.quota >= 0)

    @cached_property
    def _quotas(self) -> tuple[QuotaTables, Ints]:
        """The tables of groups under a quota, and which of them each of these has."""
        assert self.tables is not None and self.quota is not None, "no group is under a quota"
        return self.tables, self.quota[self.throttled]

    def steepness(self, rho: Floats) -> Floats:
        """Requests at pods under a quota over rho / (1 - rho), which one server would hold."""
        tables, of = self._quotas
        return tables.steepness(of, rho)

    def share_under_quota(self, available: Floats, capacity: Floats) -> Floats:
        """The rho at which pods under a quota hold `available` requests less capacity * rho."""
        tables, of = self._quotas
        return tables.share(of, available, capacity)

    @property
    def _plain(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        plain = (self.balancer == RANDOM) & (self.cv == 1.0)
        if self.arrival_cv2 is not None:
            plain &= self.arrival_cv2 == 1.0
        return np.asarray(plain if self.quota is None else plain & (self.quota < 0))

    @cached_property
    def of_single(self) -> bool:
        """Whether all groups are M/M/1."""
        return len(self.single) == len(self.servers)

    @cached_property
    def of_many(self) -> bool:
        """Whether all groups are M/M/m with more than one server."""
        return len(self.many) == len(self.servers)

    @cached_property
    def of_throttled(self) -> bool:
        """Whether all groups are under a quota."""
        return 0 < len(self.throttled) == len(self.servers)

    @cached_property
    def queues(self) -> mmc.Servers:
        """The servers of all groups."""
        return mmc.Servers(self.servers, self.scalar_twins)

    @cached_property
    def many_queues(self) -> mmc.Servers:
        """The servers of the groups that are M/M/m with more than one."""
        return self.queues if self.of_many else mmc.Servers(self.servers[self.many], self.scalar_twins)

    @cached_property
    def of_other(self) -> "OtherLaws":
        """Those groups."""
        return OtherLaws(self.take(self.other))

    def wait(self, rho: Amounts) -> tuple[Floats, Floats]:
        """Probability of waiting, and the decay of the wait's tail per mean service time."""
        if np.ndim(rho) == 0:
            rho = np.full(self.servers.shape, rho)
        if self.of_single:
            return np.asarray(rho), 1.0 - np.asarray(rho)
        if self.of_throttled:
            decay = self.servers * (1.0 - np.asarray(rho))
            return self.steepness(np.asarray(rho)) - decay, decay
        waiting, decay = self.queues.erlang_c(rho), self.servers * (1.0 - np.asarray(rho))
        if len(self.other):
            waiting[self.other], decay[self.other] = self.of_other.wait(np.asarray(rho)[self.other])
        if len(self.throttled):
            rows = self.throttled
            load, servers = np.asarray(rho)[rows], self.servers[rows]
            decay[rows] = servers * (1.0 - load)
            waiting[rows] = self.steepness(load) - decay[rows]
        return waiting, decay

    def number(self, rho: Amounts) -> Floats:
        """Mean number of requests at a pod, L(rho)."""
        return self.number_after(rho, *self.wait(rho))

    def number_after(self, rho: Amounts, waiting: Floats, decay: Floats) -> Floats:
        """The same, with what `wait` says at `rho`."""
        number = self.servers * rho * (1.0 + waiting / decay)
        return number if self.floor_load is None else number + self.floor_load * rho


class OtherLaws:
    """Laws that are not M/M/m, each kind on its own groups.

    A calm pod is found by its `odds`: rho / (1 - rho), but z / n with z = n rho / (1 - sigma) behind round-robin over
    n pods. There sigma and rho follow from z at once, sigma = (z / (1 + z))^n, sigma from rho only by trial.
    """

    def __init__(self, laws: Laws) -> None:
        self._laws = laws
        self.servers, self._pods = laws.servers, laws.pods
        self._turns = np.flatnonzero(laws.balancer == ROUND_ROBIN)
        self._best = np.flatnonzero(laws.balancer == LEAST_OF_TWO)
        self._shared = np.flatnonzero(laws.balancer == SHARED_QUEUE)
        self._variable = np.flatnonzero(laws.cv != 1.0)
        self._queues = laws.servers.copy()
        """Servers that take from the same queue."""
        self._queues[self._shared] *= laws.pods[self._shared]
        self._alone = mmc.Servers(self.servers, laws.scalar_twins)
        self._together = mmc.Servers(self._queues[self._shared], laws.scalar_twins)
        self._all_together = mmc.Servers(laws.servers[self._best] * laws.pods[self._best], laws.scalar_twins)
        self._arrival = np.ones(len(laws.servers))
        """Squared variability of the time between arrivals."""
        self._arrival[self._turns] /= laws.pods[self._turns]
        self._uneven = np.zeros(0, np.int64) if laws.arrival_cv2 is None else np.flatnonzero(laws.arrival_cv2 != 1.0)

    def wait(self, rho: Floats) -> tuple[Floats, Floats]:
        """Probability of waiting and decay, as of `Laws.wait`."""
        return self._wait(rho, round_robin_sigma(self._pods[self._turns], rho[self._turns]))

    def number_at(self, odds: Floats) -> tuple[Floats, Floats]:
        """Utilisation and mean number of requests by odds, one row of columns or several."""
        rho = odds / (1.0 + odds)
        turns = self._turns
        sigma = np.exp(-self._pods[turns] * np.log1p(1.0 / (self._pods[turns] * odds[..., turns])))
        rho[..., turns] = odds[..., turns] * (1.0 - sigma)
        waiting, decay = self._wait(rho, sigma)
        return rho, self.servers * rho * (1.0 + waiting / decay)

    def _wait(self, rho: Floats, sigma: Floats) -> tuple[Floats, Floats]:
        waiting, decay = self._alone.erlang_c(rho), self.servers * (1.0 - rho)
        if len(self._turns):
            rows = self._turns
            waiting[..., rows] *= sigma / np.maximum(rho[..., rows], 1e-300)
            decay[..., rows] = self.servers[rows] * (1.0 - sigma)
        if len(self._best):
            rows = self._best
            waiting[..., rows], decay[..., rows] = self._least_of_two(rows, rho[..., rows], waiting[..., rows])
        if len(self._shared):
            rows = self._shared
            waiting[..., rows] = self._together.erlang_c(rho[..., rows])
            decay[..., rows] = self._queues[rows] * (1.0 - rho[..., rows])
        if len(self._variable):
            rows = self._variable
            decay[..., rows] /= wait_stretch(
                self._queues[rows], rho[..., rows], self._laws.cv[rows], self._arrival[rows]
            )
        if len(self._uneven):
            rows = self._uneven
            decay[..., rows] /= self._unevenness(rows)
        return waiting, decay

    def _unevenness(self, rows: Ints) -> Floats:
        """Mean wait over that of independent arrivals, of the part of a stream that reaches one pod."""
        cv2, before = np.square(self._laws.cv[rows]), self._arrival[rows]
        own = arrival_cv2_at_pod(self._laws.arrival_cv2, self._laws.pods, self._laws.balancer)[rows]
        return np.maximum(own + cv2, _LEAST_STRETCH) / (before + cv2)

    def _least_of_two(self, rows: Ints, rho: Floats, waiting: Floats) -> tuple[Floats, Floats]:
        """The limit for many pods, never better than one queue for all of them."""
        servers = self.servers[rows]
        alone = waiting / (servers * (1.0 - rho))
        many = alone * least_of_two_wait(rho) * (1.0 - rho) / np.maximum(rho, 1e-300)
        together = self._all_together.erlang_c(rho) / (self._all_together.servers * (1.0 - rho))
        met = waiting * rho
        waits = (rho > _LEAST_RHO) & (met > 0.0)
        decay = np.where(waits, met / np.maximum(np.maximum(many, together), 1e-300), servers * (1.0 - rho))
        return np.where(waits, met, waiting), decay


def laws_of(
    servers: Ints | Floats, pods: Ints, balancer: Ints, cv: Floats, queueing: Bools, scalar_twins: bool = True
) -> Laws:
    """The laws of groups: a Service with one pod does not balance, and variability matters where requests queue."""
    return Laws(servers, pods, np.where(pods > 1, balancer, RANDOM), np.where(queueing, cv, 1.0), scalar_twins)


def arrival_cv2_at_pod(arrival_cv2: Floats | None, pods: Ints, balancer: Ints) -> Floats:
    """Squared variability of the time between requests at one pod of those behind a balancer."""
    if arrival_cv2 is None:
        return np.where((balancer == ROUND_ROBIN), 1.0 / pods, 1.0)
    found = np.where(balancer == RANDOM, 1.0 + (arrival_cv2 - 1.0) / pods, 1.0)
    found = np.where(balancer == ROUND_ROBIN, arrival_cv2 / pods, found)
    return np.where(balancer == SHARED_QUEUE, arrival_cv2, found)


def round_robin_sigma(pods: Counts, rho: Amounts) -> Floats:
    """Root below 1 of sigma = (n rho / (n rho + 1 - sigma))^n: an arrival of E_n/M/1 finds the server busy.

    Newton's method from 0 on a convex function: it climbs to the root without passing it.
    """
    pods, rho = np.asarray(pods), np.asarray(rho, float)
    load = np.maximum(pods * rho, 1e-300)
    sigma = np.zeros(load.shape)
    settled = rho <= 0.0
    for _ in range(_MAX_STEPS):
        if settled.all():
            break
        power = (load / (load + 1.0 - sigma)) ** pods
        step = np.where(settled, 0.0, (power - sigma) / (1.0 - pods * power / (load + 1.0 - sigma)))
        sigma = sigma + step
        settled = settled | (step <= 1e-15 * sigma)
    return np.minimum(sigma, rho)


def least_of_two_wait(rho: Amounts) -> Floats:
    """Mean wait at the shorter of two random queues out of very many, sum over i >= 2 of rho^(2^i - 2)."""
    # rho^(2^i) is squared from term to term, and the terms fall so fast that what is left out cannot be seen.
    square = np.square(np.asarray(rho, float))
    power, total = square, np.zeros(square.shape)
    for _ in range(_LEAST_OF_TWO_TERMS):
        power = power * power
        term = power / np.maximum(square, 1e-300)
        total = total + term
        if not np.any(term > 1e-17 * total):
            break
    return total
