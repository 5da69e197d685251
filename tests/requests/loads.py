"""Pods under load, run to the end, and the figures that follow."""

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tests.requests.pod import Counts, Pod, PodLaw
from tests.requests.streams import Floats, Work, arrivals

_BEGINNING = 20
"""One request in so many comes before the pod has settled, and does not count."""


@dataclass(frozen=True)
class Outcome:
    """What a load test of one pod shows."""

    waits: Floats
    responses: Floats
    """Of requests served, the beginning left out; seconds, the floor included."""
    counts: Counts
    length_s: float
    tries: int

    @property
    def mean_s(self) -> float:
        """Mean response."""
        return float(self.responses.mean())

    def percentile_s(self, percent: float) -> float:
        """Response that so many per cent of the requests served do not exceed."""
        return float(np.percentile(self.responses, percent))

    @property
    def throughput(self) -> float:
        """Requests served per second."""
        return len(self.counts.served) / self.length_s

    @property
    def rejected(self) -> float:
        """Share of the tries that found the pod full."""
        return self.counts.rejected / self.tries

    @property
    def timed_out(self) -> float:
        """Share of the tries that took too long."""
        return self.counts.timed_out / self.tries

    @property
    def lost(self) -> float:
        """Share of the tries that were not served."""
        return self.rejected + self.timed_out

    @property
    def throttled(self) -> float:
        """Share of the time in which the pod stands still at its quota."""
        return self.counts.throttled_s / self.length_s

    @property
    def busy_cores(self) -> float:
        """Mean CPU use."""
        return self.counts.spent_s / self.length_s

    @property
    def in_flight(self) -> float:
        """Mean number of requests at the pod."""
        return self.counts.request_s / self.length_s


def open_load(
    law: PodLaw,
    rate: float,
    work: Work,
    requests: int,
    seed: int = 1,
    arrivals_cv: float = 1.0,
    floor: Work | None = None,
) -> Outcome:
    """Requests come at a steady rate, whatever the pod makes of them."""
    generator = np.random.default_rng(seed)
    return served(law, arrivals(generator, rate, arrivals_cv, requests), work, generator, floor)


def served(
    law: PodLaw, times: Floats, work: Work, generator: np.random.Generator, floor: Work | None = None
) -> Outcome:
    """Requests come at these times; `floor` is what each spends besides, without a worker."""
    pod, works = Pod(law), work.draw(generator, len(times))
    for number, (arrival, each) in enumerate(zip(times.tolist(), works.tolist(), strict=True)):
        pod.take(arrival, number, each)
    pod.run_until(math.inf)
    floors = floor.draw(generator, len(times)) if floor else np.zeros(len(times))
    return _outcome(pod, len(times), floors)


def _outcome(pod: Pod, tries: int, floors: Floats) -> Outcome:
    kept = sorted(one for one in pod.counts.served if one[0] >= tries // _BEGINNING)
    numbers, waits, responses = (np.array(column) for column in zip(*kept, strict=True))
    return Outcome(waits, responses + floors[numbers.astype(np.int64)], pod.counts, pod.now, tries)


def closed_load(law: PodLaw, clients: int, think_s: float, work: Work, requests: int, seed: int = 1) -> Outcome:
    """So many clients think (exponentially) after each response and send again, until as many requests were sent."""
    generator = np.random.default_rng(seed)
    works, thinks = work.draw(generator, requests).tolist(), generator.exponential(1.0, requests) * think_s
    sent = 0

    def send(now: float) -> None:
        nonlocal sent
        if sent < requests:
            pod.take(now + thinks[sent], sent, works[sent])
            sent += 1

    pod = Pod(law, lambda now, _number, _served: send(now))
    for _ in range(clients):
        send(0.0)
    pod.run_until(math.inf)
    return _outcome(pod, sent, np.zeros(requests))


def retried_load(
    law: PodLaw, times: Floats, work: Work, until_s: float, attempts: int, back_off_s: float, seed: int
) -> dict[str, int]:
    """Tries, served, lost, given up by `until_s`; a lost request comes again after a back-off that doubles."""
    generator = np.random.default_rng(seed)
    works, tries = work.draw(generator, len(times)).tolist(), [1] * len(times)
    counts = {"tries": len(times), "served": 0, "lost": 0, "gave_up": 0}

    def ended(now: float, number: int, is_served: bool) -> None:
        if is_served:
            counts["served"] += 1
            return
        counts["lost"] += 1
        if tries[number] > attempts:
            counts["gave_up"] += 1
        else:
            pod.take(now + back_off_s * 2 ** (tries[number] - 1), number, works[number])
            tries[number] += 1
            counts["tries"] += 1

    pod = Pod(law, ended)
    for number, arrival in enumerate(times.tolist()):
        pod.take(arrival, number, works[number])
    pod.run_until(until_s)
    return counts


def behind_a_balancer(choose_two: bool, pods: int, servers: int, rho: float, requests: int, seed: int = 1) -> Floats:
    """Responses, in service times, at pods with workers; each pod in turn, or the emptier of two random ones."""
    generator = np.random.default_rng(seed)
    times = np.cumsum(generator.exponential(1 / (pods * servers * rho), requests)).tolist()
    works = generator.exponential(1.0, requests).tolist()
    one = generator.integers(pods, size=requests)
    other = ((one + 1 + generator.integers(pods - 1, size=requests)) % pods).tolist()
    all_pods: Sequence[list[float]] = [[0.0] * servers for _ in range(pods)]
    held, leaving, responses = [0] * pods, [], []
    for number, (arrival, work) in enumerate(zip(times, works, strict=True)):
        pod = number % pods
        if choose_two:
            while leaving and leaving[0][0] <= arrival:
                held[heapq.heappop(leaving)[1]] -= 1
            pod = min(int(one[number]), other[number], key=held.__getitem__)
        end = max(arrival, all_pods[pod][0]) + work
        heapq.heapreplace(all_pods[pod], end)
        responses.append(end - arrival)
        if choose_two:
            held[pod] += 1
            heapq.heappush(leaving, (end, pod))
    return np.array(responses[len(responses) // _BEGINNING :])
