"""How many of the requests in flight wait, and how many are worked on (spec/load-latency-cost.md sections 3 and 5)."""

from planner.plan.model.traffic import Demand


def requests_waiting(demand: Demand, in_flight: float, served_rps: float, capacity_milli: float) -> float:
    """Requests in flight less those that are worked on: by Little's law served rate times service time.

    `capacity_milli`: of a ready pod, idle use included. Without capacity all of them wait.
    """
    servers = max(1, int(capacity_milli) // 1000)
    if demand.concurrency:
        servers = min(servers, demand.concurrency)
    cores = (capacity_milli - demand.idle_cpu) / 1000.0
    if cores <= 0.0:
        return in_flight
    return max(0.0, in_flight - served_rps * demand.cpu_seconds_per_request * servers / cores)
