"""Simulations of single requests, to hold the formulas against. Times are service times unless stated otherwise."""

import heapq
import math
from collections import deque

import numpy as np


def service_times(generator, cv, count):
    """Mean 1: constant, gamma, or one of two exponentials."""
    if cv == 0.0:
        return np.ones(count)
    if cv <= 1.0:
        return generator.gamma(1 / cv**2, cv**2, count)
    share = 0.5 * (1 + math.sqrt((cv**2 - 1) / (cv**2 + 1)))
    means = np.where(generator.random(count) < share, 0.5 / share, 0.5 / (1 - share))
    return generator.exponential(1.0, count) * means


def settled(values):
    """Without the beginning."""
    return np.array(values[len(values) // 20 :])


def first_come_first_served(servers, rho, cv, requests, seed=3):
    """Waits and responses at one pod with fixed workers."""
    generator = np.random.default_rng(seed)
    arrivals = np.cumsum(generator.exponential(1 / (servers * rho), requests))
    work = service_times(generator, cv, requests)
    free, waits = [0.0] * servers, []
    for arrival, service in zip(arrivals.tolist(), work.tolist(), strict=True):
        start = max(arrival, free[0])
        heapq.heapreplace(free, start + service)
        waits.append(start - arrival)
    return settled(waits), settled(waits + work)


def shared_processor(servers, rho, cv, requests, seed=5):
    """Responses where n requests work at min(1, m/n) each; a request leaves when its own work is done."""
    generator = np.random.default_rng(seed)
    arrivals = np.cumsum(generator.exponential(1 / (servers * rho), requests)).tolist()
    works = service_times(generator, cv, requests).tolist()
    now = done = 0.0
    present, responses = [], []
    for arrival, work in zip(arrivals, works, strict=True):
        while present:
            speed = min(1.0, servers / len(present))
            leaves = now + (present[0][0] - done) / speed
            if leaves > arrival:
                done += (arrival - now) * speed
                break
            done, now = present[0][0], leaves
            responses.append(now - heapq.heappop(present)[1])
        now = arrival
        heapq.heappush(present, (done + work, arrival))
    return settled(responses)


def behind_a_balancer(choose_two, pods, servers, rho, requests, seed=1):
    """Responses at pods with workers; each pod in turn, or (`choose_two`) the emptier of two random ones."""
    generator = np.random.default_rng(seed)
    arrivals = np.cumsum(generator.exponential(1 / (pods * servers * rho), requests)).tolist()
    works = generator.exponential(1.0, requests).tolist()
    one = generator.integers(pods, size=requests)
    other = ((one + 1 + generator.integers(pods - 1, size=requests)) % pods).tolist()
    one, free, held = one.tolist(), [[0.0] * servers for _ in range(pods)], [0] * pods
    leaving, responses = [], []
    for number, (arrival, work) in enumerate(zip(arrivals, works, strict=True)):
        pod = number % pods
        if choose_two:
            while leaving and leaving[0][0] <= arrival:
                held[heapq.heappop(leaving)[1]] -= 1
            pod = min(one[number], other[number], key=held.__getitem__)
        end = max(arrival, free[pod][0]) + work
        heapq.heapreplace(free[pod], end)
        responses.append(end - arrival)
        if choose_two:
            held[pod] += 1
            heapq.heappush(leaving, (end, pod))
    return settled(responses)


class ThrottledPod:
    """A pod whose `threads` workers stop while its quota of the 100 ms period is used up. Times in seconds."""

    def __init__(self, limit, threads, period_s=0.1):
        self.threads, self.period_s, self.quota = threads, period_s, limit * period_s
        self.now = self.still = self.progress = 0.0
        self.left, self.ends = self.quota, period_s
        self.running, self.queue, self.responses = [], deque(), []

    def serve(self, rate, request_s, cv, requests, seed):
        """Responses of requests, and the share of time in which the pod stood still."""
        generator = np.random.default_rng(seed)
        arrivals = np.cumsum(generator.exponential(1 / rate, requests)).tolist()
        works = (service_times(generator, cv, requests) * request_s).tolist()
        for arrival, work in zip(arrivals, works, strict=True):
            self._until(arrival)
            self.queue.append((arrival, work))
            self._start()
        return settled(self.responses), self.still / self.now

    def _start(self):
        while self.queue and len(self.running) < self.threads:
            arrival, work = self.queue.popleft()
            heapq.heappush(self.running, (self.progress + work, arrival))

    def _until(self, arrival):
        while self.now < arrival:
            at = min(arrival, self.ends)
            busy = len(self.running)
            if busy and self.left > 1e-9:
                done, used_up = self.now + self.running[0][0] - self.progress, self.now + self.left / busy
                at = min(at, done, used_up)
                self.progress += at - self.now
                self.left = 0.0 if at == used_up else self.left - busy * (at - self.now)
                if at == done:
                    self.progress, met = heapq.heappop(self.running)
                    self.responses.append(at - met)
                    self._start()
            elif busy:
                self.still += at - self.now
            self.now = at
            if at == self.ends:
                self.ends += self.period_s
                self.left = self.quota


def with_retries(rate, most, until_s, service_s, timeout_s, attempts, back_off_s, seed):
    """Tries, served, timed out and given up at one server; who would wait too long is lost on arrival."""
    generator = np.random.default_rng(seed)
    candidates = np.cumsum(generator.exponential(1 / most, round(until_s * most * 1.1)))
    kept = generator.random(len(candidates)) * most < np.array([rate(t) for t in candidates.tolist()])
    tries = [(t, 0) for t in candidates[kept & (candidates < until_s)].tolist()]
    free, counts = 0.0, dict.fromkeys(("tries", "served", "timed_out", "gave_up"), 0)
    while tries:
        now, number = heapq.heappop(tries)
        if now > until_s:
            break
        counts["tries"] += 1
        if free - now <= timeout_s:
            free = max(now, free) + generator.exponential(service_s)
            counts["served"] += 1
            continue
        counts["timed_out"] += 1
        if number < attempts:
            heapq.heappush(tries, (now + back_off_s * 2**number, number + 1))
        else:
            counts["gave_up"] += 1
    return counts
