"""Limits that keep their proportion to the requests.

Vertical Pod Autoscaler 1.8, utils/vpa/limit_and_request_scaling.go. Amounts are milli-CPU and bytes; 0 is none.
"""


def proportional_limit(limit: int, request: int, recommended: int, default_limit: int) -> int | None:
    """The limit that goes with a recommended request; None: no limit is set. `default_limit`: of the namespace."""
    limit = limit or default_limit
    if not limit or not recommended:
        return None
    return recommended if request in (0, limit) else limit * recommended // request


def boundary_request(request: int, limit: int, boundary_limit: int, default_limit: int) -> int:
    """The request whose proportional limit is at a boundary; 0: no boundary."""
    limit = limit or default_limit
    if not limit:
        return 0
    return boundary_limit if not request else request * boundary_limit // limit
