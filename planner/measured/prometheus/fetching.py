"""Asks a server for everything that it knows of a plan, in parts that it can answer."""

import contextlib
import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from planner.errors import MeasuredProblem
from planner.language.translation import tr
from planner.measured.collecting import Collector
from planner.measured.formats.prometheus_answer import read_answer
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.prometheus.queries import Query, queries
from planner.measured.prometheus.server import PrometheusServer, TooMuch
from planner.measured.quantities import KNOWN_METRICS, REQUEST_METRICS
from planner.measured.raw_series import RawSeries
from planner.plan.files.problems import shown
from planner.plan.model.plan import Plan

_STEPS = 1_440
"""Moments that are asked for at once: a day of minutes. Prometheus refuses more than 11,000."""
_SELDOM_STEPS = 60
_USUAL_SCRAPE_S = 60
_LOOK_S = 600
_MOST_LISTED = 20
OnAsked = Callable[[int, int], None]
"""Called with the questions that are answered and all of them."""


class Wanted(NamedTuple):
    """What the user wants to know."""

    since_s: float
    """Length of the window; it ends at the server's time, or at `to_s`."""
    step_s: int = 60
    from_s: float | None = None
    to_s: float | None = None
    requests: str = ""
    """Name of a metric that counts requests, or a query of the user's own for requests per second; empty: whatever of
    the known ones is there."""


def fetched(server: PrometheusServer, plan: Plan, wanted: Wanted, on_asked: OnAsked | None = None) -> MeasuredCluster:
    """What a server knows of a plan. Raises MeasuredProblem."""
    start, end = _window(server, wanted)
    names = _names(server)
    own = _own_requests(wanted.requests, names)
    asked = list(queries(names, f"{_rate_window(server, names, end, wanted.step_s)}s", own))
    if wanted.requests in REQUEST_METRICS:
        asked = [query for query in asked if query.metric not in REQUEST_METRICS or query.metric == wanted.requests]
    if not any(query.quantity is not None for query in asked):
        raise _nothing(server, names)
    collector = Collector(plan, server.name, wanted.step_s)
    for number, query in enumerate(asked):
        for series in _answers(server, query, (start, end), wanted.step_s):
            labels = {label: value for label, value in series.labels.items() if label != "__name__"}
            if query.quantity is None:
                labels["__name__"] = query.metric
            collector.take(series._replace(labels=labels), query.quantity, query.metric)
        if on_asked is not None:
            on_asked(number + 1, len(asked))
    return collector.measured()


def _own_requests(wanted: str, names: list[str]) -> str:
    """A query; empty if the user names a known metric or nothing. Raises MeasuredProblem for unknown names."""
    if not wanted or wanted in REQUEST_METRICS:
        if wanted and wanted not in names:
            raise _no_metric(wanted, names)
        return ""
    if wanted.isidentifier() and wanted not in names:
        raise _no_metric(wanted, names)
    return wanted


def _window(server: PrometheusServer, wanted: Wanted) -> tuple[int, int]:
    """Ends of the first and of the last step, by the clock of the server."""
    if wanted.to_s is not None:
        now = wanted.to_s
    else:
        found = server.value("query", {"query": "time()"})
        try:
            now = float(found["result"][1])
        except (KeyError, IndexError, TypeError, ValueError) as error:
            problem = tr("This does not answer as Prometheus does.")
            raise MeasuredProblem(
                server.name, problem, tr("Check the address, and whether a login is needed.")
            ) from error
    begin = wanted.from_s if wanted.from_s is not None else now - wanted.since_s
    step = wanted.step_s
    start, end = int(begin // step + 1) * step, int(now // step) * step
    if end < start:
        raise MeasuredProblem("--since", tr("The window is shorter than a step."), tr("Choose a longer one."))
    return start, end


def _rate_window(server: PrometheusServer, names: list[str], end: int, step_s: int) -> int:
    """Seconds over which rates are taken: a step, or as long as two samples need."""
    counter = next((name for name, known in KNOWN_METRICS.items() if known.is_counter and name in names), "")
    scrape_s = _USUAL_SCRAPE_S
    if counter:
        text = f"max(count_over_time({counter}[{_LOOK_S}s]))"
        found = server.value("query", {"query": text, "time": str(end)})
        with contextlib.suppress(KeyError, IndexError, TypeError, ValueError, ZeroDivisionError):
            scrape_s = math.ceil(_LOOK_S / float(found["result"][0]["value"][1]))
    return max(step_s, 2 * scrape_s)


def _names(server: PrometheusServer) -> list[str]:
    found = server.value("label/__name__/values", {})
    return [str(name) for name in found] if isinstance(found, list) else []


def _answers(server: PrometheusServer, query: Query, window: tuple[int, int], step: int) -> Iterator[RawSeries]:
    start, end = window
    if query.seldom:
        step = max(step, (end - start) // _SELDOM_STEPS // step * step)
    length = _STEPS * step
    while start <= end:
        last = min(end, start + length - step)
        try:
            yield from _answer(server, query, (start, last), step)
        except TooMuch as error:
            if length <= step:
                problem = tr(
                    "The server refuses even a single moment of {text} ({error}).", text=shown(query.text), error=error
                )
                raise MeasuredProblem(server.name, problem, tr("Raise its limit query.max-samples.")) from error
            length = max(step, length // step // 4 * step)
            continue
        start = last + step


def _answer(server: PrometheusServer, query: Query, window: tuple[int, int], step: int) -> list[RawSeries]:
    parameters = {"query": query.text, "start": str(window[0]), "end": str(window[1]), "step": str(step)}
    with server.answer("query_range", parameters) as text:
        return list(read_answer(text, f"{server.name}, {query.text}", may_be_empty=True))


def _no_metric(wanted: str, names: list[str]) -> MeasuredProblem:
    alike = [name for name in names if "request" in name or "http" in name] or names
    more = tr(" and {count} more", count=len(alike) - _MOST_LISTED) if len(alike) > _MOST_LISTED else ""
    return MeasuredProblem(
        "--requests",
        tr("The server has no metric {wanted}.", wanted=wanted),
        tr("It has {alike}{more}.", alike=", ".join(alike[:_MOST_LISTED]), more=more),
    )


def _nothing(server: PrometheusServer, names: list[str]) -> MeasuredProblem:
    shown_names = ", ".join(names[:_MOST_LISTED]) or tr("no metrics at all")
    more = tr(" and {count} more", count=len(names) - _MOST_LISTED) if len(names) > _MOST_LISTED else ""
    problem = tr("None of its metrics is known: it has {shown_names}{more}.", shown_names=shown_names, more=more)
    return MeasuredProblem(
        server.name, problem, tr("Scrape cAdvisor and kube-state-metrics, or give a query: --requests.")
    )
