"""When two host ports cannot be held on one node (kube-scheduler 1.36, framework/types.go, HostPortInfo)."""

from collections.abc import Sequence

from planner.state.specs import PortClaim

ANY_ADDRESS = "0.0.0.0"


def ports_conflict(one: PortClaim, other: PortClaim) -> bool:
    """Same protocol and port, and the same address or either side on all addresses."""
    if (one.protocol, one.port) != (other.protocol, other.port):
        return False
    return one.ip == other.ip or ANY_ADDRESS in (one.ip, other.ip)


def any_conflict(wanted: Sequence[PortClaim], held: Sequence[PortClaim]) -> bool:
    """Whether one of the wanted ports is taken."""
    return any(ports_conflict(mine, theirs) for mine in wanted for theirs in held)
