"""What the map says of lanes, nodes and pods."""

from PySide6.QtCore import QCoreApplication

from planner.record.history import NEVER, NodeMark
from planner.record.kubectl_words import POD_STATUS, is_registered, node_condition, pod_age
from planner.record.moment import ClusterMoment, NodeState, PodState
from planner.units import format_bytes, format_cpu
from ui.map.drawing.scene import MapScene
from ui.map.moments.measures import Stacking
from ui.wording.figures import percent_text

_RESOURCES = {False: "CPU", True: "memory"}


def translate(text: str) -> str:
    """In the user's language."""
    return QCoreApplication.translate("Map", text)


def heading_of(scene: MapScene, lane: int) -> tuple[str, str]:
    """Name and facts of a lane."""
    nodes = scene.moment.history.nodes
    group, zone = scene.layout.slots.lanes[lane]
    name = nodes.groups[group]
    if nodes.zones[zone]:
        name = f"{name} · {nodes.zones[zone]}"
    count, requested, used = scene.lane_facts(lane)
    words = translate("1 node") if count == 1 else translate("{0:,} nodes").format(count)
    booting = scene.booting(lane)
    words = translate("{nodes}, {count:,} booting").format(nodes=words, count=booting) if booting else words
    if requested is None or used is None:
        return name, words
    what = translate(_RESOURCES[scene.look.stacking.is_memory])
    facts = translate("{nodes} · {what} requested {requested} · used {used}")
    return name, facts.format(nodes=words, what=what, requested=percent_text(requested), used=percent_text(used))


def node_status(moment: ClusterMoment, node: int) -> str:
    """As `kubectl get nodes` says it, and what else keeps pods away; of what is no Node yet what it does."""
    nodes, marks = moment.history.nodes, int(moment.marks[node])
    state = moment.node_state[node]
    if state == NodeState.FAILED:
        return translate("Failed at the cloud")
    if not is_registered(moment, node):
        return translate("Booting")
    words = [node_condition(moment, node)]
    words += ["Pressure"] if marks & NodeMark.PRESSURE else []
    gone = nodes.delete_requested_us[node]
    if marks & NodeMark.DELETING or NEVER < gone <= moment.time_us:
        words.append("Deleting")
    return ",".join(words)


def node_words(scene: MapScene, node: int) -> str:
    """A few lines about a node."""
    moment, nodes = scene.moment, scene.moment.history.nodes
    pods = len(moment.pods_on(node))
    lines = [
        f"{nodes.names[node]}: {node_status(moment, node)}",
        translate("{count} of {room} pods; offers {cpu} CPU, {memory}").format(
            count=pods,
            room=int(nodes.pods[node]),
            cpu=format_cpu(int(nodes.cpu_milli[node])),
            memory=format_bytes(int(nodes.memory_bytes[node])),
        ),
    ]
    return "\n".join(lines)


def pod_words(scene: MapScene, pod: int) -> str:
    """A few lines about a pod."""
    moment, pods = scene.moment, scene.moment.history.pods
    state = PodState(int(moment.pod_states(moment.bound[moment.bound == pod])[0]))
    facts = translate("requests {cpu} CPU, {memory}; priority {priority}; {age} old").format(
        cpu=format_cpu(int(pods.cpu_milli[pod])),
        memory=format_bytes(int(pods.memory_bytes[pod])),
        priority=f"{int(pods.priority[pod]):,}",
        age=pod_age(moment, pod),
    )
    return f"{pods.name(pod)}: {POD_STATUS[state]}\n{facts}"


STACKINGS = {
    Stacking.CPU_REQUEST: "CPU requested",
    Stacking.MEMORY_REQUEST: "Memory requested",
    Stacking.CPU_USE: "CPU used",
    Stacking.MEMORY_USE: "Memory used",
}
