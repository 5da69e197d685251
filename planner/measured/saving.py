"""Writes what was measured as the answer of a range query, packed, which every command reads again."""

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from planner.disk.atomic import replace_file
from planner.disk.cures import cure_of, reason_of
from planner.errors import ResultFileError
from planner.language.translation import tr
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.quantities import OWN_PREFIX, Quantity
from planner.plan.model.plan import Plan

ENDING = ".measured.json.gz"
_OTHER_PODS = 1_000_000
"""Number from which on pods are counted whose binding is known."""


def save_measured(measured: MeasuredCluster, plan: Plan, path: Path) -> None:
    """Write what was measured of a plan. Raises ResultFileError."""
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0, compresslevel=1) as file:
        for piece in _pieces(measured, plan):
            file.write(piece.encode())
    try:
        replace_file(path.resolve(), packed.getvalue())
    except OSError as error:
        problem = tr("The file cannot be written ({reason_of}).", reason_of=reason_of(error))
        raise ResultFileError(str(path), problem, cure_of(error)) from error


def _pieces(measured: MeasuredCluster, plan: Plan) -> Iterator[str]:
    yield '{"status":"success","data":{"resultType":"matrix","result":['
    separator = ""
    for piece in _series(measured, plan):
        yield separator + piece
        separator = ","
    yield "]}}\n"


def _series(measured: MeasuredCluster, plan: Plan) -> Iterator[str]:
    namespaces = {item.name: item.namespace for item in plan.workloads}
    ends = measured.start_s + (np.arange(measured.steps) + 1) * measured.step_s
    for (quantity, name), course in measured.courses.items():
        labels = {"__name__": f"{OWN_PREFIX}{quantity}"}
        if quantity in (Quantity.NODES, Quantity.NODES_WANTED):
            labels["pool"] = name
        elif quantity is not Quantity.PENDING:
            labels |= {"namespace": namespaces[name], "workload": name}
        known = np.isfinite(course)
        samples = zip(ends[known].tolist(), course[known].tolist(), strict=True)
        values = ",".join(f'[{at},"{value:.7g}"]' for at, value in samples)
        yield f'{{"metric":{json.dumps(labels)},"values":[{values}]}}'
    yield from _lengths(measured, int(ends[-1]))
    spans = ((measured.pod_starts, Quantity.STARTED, Quantity.READY_SINCE, 0),
             (measured.pod_launches, Quantity.SCHEDULED, Quantity.STARTED, _OTHER_PODS))  # fmt: skip
    for of_workloads, begin, end, first in spans:
        for name, seconds in of_workloads.items():
            for number, length in enumerate(seconds, first):
                for quantity, moment in ((begin, 0.0), (end, float(length))):
                    pod = {"namespace": namespaces[name], "pod": f"{name}-{number}"}
                    labels = {"__name__": f"{OWN_PREFIX}{quantity}"} | pod
                    at = measured.start_s + moment
                    yield f'{{"metric":{json.dumps(labels)},"values":[[{int(ends[-1])},"{at:.3f}"]]}}'


def _lengths(measured: MeasuredCluster, end_s: int) -> Iterator[str]:
    """Times of nodes, a sample each; samples of one series have different times."""
    for quantity, pools in (
        (Quantity.NODE_LAUNCH, measured.node_launches),
        (Quantity.NODE_BOOT, measured.node_boots),
    ):
        for pool, seconds in pools.items():
            labels = {"__name__": f"{OWN_PREFIX}{quantity}", "pool": pool}
            times_s = range(end_s - len(seconds) + 1, end_s + 1)
            values = ",".join(f'[{at},"{length:.3f}"]' for at, length in zip(times_s, seconds, strict=True))
            yield f'{{"metric":{json.dumps(labels)},"values":[{values}]}}'
