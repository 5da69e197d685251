"""What the nodes had, what of it was asked for and used, and how many more pods had room."""

import numpy as np

from planner.metrics.figures.inputs import FigureInputs
from planner.metrics.figures.named import Named
from planner.plan.model.workloads import ONE_PER_NODE
from planner.record.result import Figure
from planner.state.nodes import NONE
from planner.units import US_PER_S


def capacity(inputs: FigureInputs) -> Named:
    """Peaks and means of what the nodes have, is requested and is used, and peaks of nodes and pods."""
    for resource, unit in (("cpu", "cores"), ("memory", "bytes")):
        for kind in ("allocatable", "requested", "used"):
            values = inputs.series.get(f"{resource}_{kind}_{unit}")
            if values is not None and len(values) and not np.isnan(values).any():  # memory in use may be unknown
                yield f"{resource}_{kind}_peak", Figure(float(values.max()), unit)
                yield f"{resource}_{kind}_mean", Figure(float(values.mean()), unit)
    states = ("pending", "starting", "running", "not_ready", "terminating")
    for name, column in (("nodes_peak", "nodes_ready_count"), *((f"pods_{s}_peak", f"pods_{s}_count") for s in states)):
        values = inputs.series.get(column)
        if values is not None and len(values):
            yield name, Figure(float(values.max()), "count")


def room_for_pods(inputs: FigureInputs) -> Named:
    """How many more pods of each workload would have fitted when least was free."""
    room = inputs.room
    if room is None or room.at_us == NONE:
        return
    yield "room_worst_at", Figure(room.at_us / US_PER_S, "s")
    for item, pods in zip(inputs.plan.workloads, room.pods, strict=True):
        if item.kind not in ONE_PER_NODE:
            yield f"room_for_pods[{item.name}]", Figure(float(pods), "pods")
