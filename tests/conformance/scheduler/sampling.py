"""Vectors of the scheduler's search: order of nodes, how many are looked at, and where the next search begins."""

from typing import Any

from planner.scheduler.cycle.cycle import SchedulingCycle
from planner.scheduler.cycle.node_order import NodeOrder, nodes_to_find, zone_key
from planner.state.nodes import NONE
from planner.state.specs import ZONE_LABEL
from tests.conformance.scheduler.world import World, profile_of

Json = dict[str, Any]
Outcome = tuple[bool, object]


def sampling(case: Json) -> Outcome:
    source, expect = case["input"], case["expect"]
    if source["kind"] == "numFeasible":
        got: object = {"numFeasibleNodesToFind": [_wanted(row) for row in source["rows"]]}
    elif source["kind"] == "nodeOrder":
        got = {"order": _node_order(source["ops"])}
    else:
        got = _rotation(source)
    return got == expect, got


def _wanted(row: Json) -> int:
    percentage = row.get("profilePercentageOfNodesToScore", row.get("percentageOfNodesToScore", 0))
    return nodes_to_find(row["numNodes"], percentage)


def _node_order(operations: list[Json]) -> list[str]:
    order, numbers = NodeOrder(), {}
    for operation in operations:
        if operation["op"] == "remove":
            order.remove(numbers.get(operation["name"], NONE))
            continue
        meta = operation["node"]["metadata"]
        number = numbers.setdefault(meta["name"], len(numbers))
        (order.add if operation["op"] == "add" else order.update)(number, zone_key(meta.get("labels", {})))
    names = {number: name for name, number in numbers.items()}
    return [names[number] for number in order.rows.tolist()]


def _rotation(source: Json) -> Json:
    count, zones, cordoned = source["numNodes"], source["zones"], source.get("cordoned", [])
    nodes = [
        {
            "metadata": {"name": f"n{i}", "labels": {ZONE_LABEL: f"z{i * i % zones}"}},
            "spec": {"unschedulable": f"n{i}" in cordoned or i in cordoned},
            "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}},
        }
        for i in range(1, count + 1)
    ]
    pod = {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}}
    world = World({"nodes": nodes, "pod": pod})
    cycle = SchedulingCycle(world.cluster, profile_of(source))
    row = world.add_pod(pod)
    assert row is not None
    steps = []
    for _ in range(source["pods"]):
        start = cycle.search.start
        rows = cycle.decide(row).rows
        seen = (cycle.search.start - start - 1) % count + 1 if len(rows) else count
        steps.append(
            {
                "startIndex": start,
                "feasibleCount": len(rows),
                "rejectedSeen": seen - len(rows),
                "firstFeasible": world.node_name(int(rows[0])),
                "lastFeasible": world.node_name(int(rows[-1])),
                "nextStartIndex": cycle.search.start,
            }
        )
    return {"orderHead": [world.node_name(row) for row in cycle.search.order.rows[:12].tolist()], "steps": steps}
