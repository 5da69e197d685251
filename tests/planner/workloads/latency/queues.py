"""Queues by a few numbers, as the rules of a run see them."""

from functools import cache

import numpy as np

from planner.plan.model.serving import Balancer
from planner.workloads.latency import mmc
from planner.workloads.latency.laws import BALANCERS, Laws
from planner.workloads.latency.pod_latency import PodLatency
from tests.requests.loads import open_load
from tests.requests.pod import PodLaw
from tests.requests.streams import Work

_REQUESTS = 80_000


def laws_alike(servers, pods=1, balancer=Balancer.RANDOM, cv=1.0, scalar_twins=True):
    """Laws of groups behind the same kind of balancer; what is one number holds for all of them."""
    servers, pods, codes, cvs = np.broadcast_arrays(
        np.atleast_1d(servers), pods, BALANCERS.index(balancer), np.asarray(cv, float)
    )
    return Laws(servers, pods, codes, cvs, scalar_twins)


def calm_queue(servers, rho, scalar_twins=True):
    """Response times of M/M/m in mean service times: one group."""
    waiting, decay = laws_alike(servers, scalar_twins=scalar_twins).wait(rho)
    return PodLatency(1.0, 0.0, 1.0, waiting, decay)


def mean_wait(servers, rho):
    """Mean wait of M/M/m in mean service times."""
    waiting, decay = laws_alike(servers).wait(rho)
    return float(waiting[0] / decay[0])


def response_percentile(servers, rho, percent):
    """Response time of M/M/m, in mean service times, that `percent` % of requests do not exceed."""
    return float(calm_queue(servers, rho).percentiles_s(mmc.log_late(percent))[0])


@cache
def simulated(servers, rho, cv, sharing):
    """Waits and responses, in mean service times, at a pod of so many cores; very variable work takes more requests."""
    law = PodLaw(workers=servers, sharing=sharing, cores=servers)
    found = open_load(law, servers * rho, Work.of(1.0, cv), _REQUESTS if cv <= 1.0 else 4 * _REQUESTS)
    return found.waits, found.responses
