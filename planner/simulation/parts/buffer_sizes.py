"""Capacity buffers that are a percentage of a workload follow its replicas (spec/cluster-autoscaler.md section 11)."""

from planner.plan.derived.reserves import room_size
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import RoomFor
from planner.simulation.compile.world import World
from planner.state.changes import ClusterEvent, ClusterEventKind


def follow_replicas(plan: Plan, world: World) -> None:
    """Resize the buffers whenever the replicas of their workload are written."""
    cluster = world.cluster
    followers: dict[int, list[tuple[int, RoomFor]]] = {}
    for reserve in plan.overprovisioning:
        room = reserve.room_for
        if room is not None and room.percentage is not None:
            buffer = (world.workload_rows[reserve.name], room)
            followers.setdefault(world.workload_rows[room.workload], []).append(buffer)

    def resize(event: ClusterEvent) -> None:
        for row, room in followers.get(event.workload, ()):
            size = room_size(room, int(cluster.workloads.desired[event.workload]))
            if size != cluster.workloads.desired[row]:
                cluster.set_replicas(row, size)

    if followers:
        cluster.subscribe(resize, (ClusterEventKind.REPLICAS_SET,))
