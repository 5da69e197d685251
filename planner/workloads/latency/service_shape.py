"""Service that is not exponential, as one or two exponential parts with the same mean and variability.

First come first served (`queue`) lets the shape of service show in the latency; processor sharing does not.
"""

import math

from planner.workloads.latency.mixture import PodLatency

_LEAST_CV = 0.01


def shaped(pod: PodLatency, cv: float) -> tuple[PodLatency, ...]:
    """`pod` with service of variability `cv`: a fixed part below 1, two kinds of requests above (balanced means)."""
    if cv == 1.0:
        return (pod,)
    if cv < 1.0:
        kept = max(cv, _LEAST_CV)
        fixed_s = (1.0 - kept) * pod.service_s
        scaled = pod._replace(
            fixed_s=pod.fixed_s + fixed_s,
            service_s=pod.service_s * kept,
            decay=pod.decay * kept,
            latest_start_s=pod.latest_start_s + fixed_s,
        )
        return (scaled,)
    spread = math.sqrt((cv * cv - 1.0) / (cv * cv + 1.0))
    parts = []
    for share in (0.5 * (1.0 + spread), 0.5 * (1.0 - spread)):
        factor = 0.5 / share
        parts.append(
            pod._replace(weight=pod.weight * share, service_s=pod.service_s * factor, decay=pod.decay * factor)
        )
    return tuple(parts)
