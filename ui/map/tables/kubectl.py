"""The columns of `kubectl get nodes -o wide` and `kubectl get pods -o wide`, as far as a run knows them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from planner.record.history import NEVER
from planner.units import format_bytes, format_cpu
from ui.map.drawing.words import POD_STATUS, age_text, node_status
from ui.map.moments.moment import ClusterMoment, PodState
from ui.map.tables.object_table import Keys, ObjectColumn
from ui.wording.figures import percent_text

_NONE = "<none>"


def node_columns(version: Callable[[], str]) -> list[ObjectColumn]:
    """Name, status, age and version as kubectl has them; pool, type, capacity type and zone as for NodeClaims of
    Karpenter, which are called as their nodes here; then how full the node is.
    """
    return [
        ObjectColumn("NAME", lambda moment, node: moment.history.nodes.names[node]),
        ObjectColumn("STATUS", node_status),
        ObjectColumn("AGE", _node_age, _of_nodes("requested_us"), True),
        ObjectColumn("VERSION", lambda _moment, _node: version()),
        ObjectColumn("POOL", _pool, _of_nodes("group")),
        ObjectColumn("TYPE", _machine_type, _of_nodes("machine_type")),
        ObjectColumn("CAPACITY", _capacity_type, _of_nodes("capacity_type")),
        ObjectColumn("ZONE", _zone, _of_nodes("zone")),
        ObjectColumn("PODS", lambda m, n: f"{len(m.pods_on(n))}/{int(m.history.nodes.pods[n])}", _pods_on, True),
        ObjectColumn("CPU", lambda m, n: _share(m, n, "cpu_milli", format_cpu), _requested("cpu_milli"), True),
        ObjectColumn("MEMORY", _memory_share, _requested("memory_bytes"), True),
        ObjectColumn(_tr("PRICE/H"), _price, _of_nodes("price_per_hour"), True),
    ]


def pod_columns(containers: Callable[[str], int]) -> list[ObjectColumn]:
    """Namespace to node as kubectl has them; then priority and requests. `containers` of a workload."""
    return [
        ObjectColumn("NAMESPACE", lambda m, p: m.history.pods.namespaces[m.history.pods.workload[p]], _namespace),
        ObjectColumn("NAME", lambda m, p: m.history.pods.name(p), _name),
        ObjectColumn("READY", lambda m, p: _ready(m, p, containers), _states, True),
        ObjectColumn("STATUS", lambda m, p: POD_STATUS[_state(m, p)], _states),
        ObjectColumn("AGE", lambda m, p: age_text(int(m.history.pods.created_us[p]), m.time_us), _ages, True),
        ObjectColumn("NODE", _node_of, lambda m, rows: m.history.pods.node[rows]),
        ObjectColumn("PRIORITY", lambda m, p: str(int(m.history.pods.priority[p])), _of_pods("priority"), True),
        ObjectColumn("CPU", lambda m, p: format_cpu(int(m.history.pods.cpu_milli[p])), _of_pods("cpu_milli"), True),
        ObjectColumn("MEMORY", _memory_of, _of_pods("memory_bytes"), True),
    ]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Map", text)


def _price(moment: ClusterMoment, node: int) -> str:
    return f"{moment.history.nodes.price_per_hour[node]:.4g}"


def _memory_share(moment: ClusterMoment, node: int) -> str:
    return _share(moment, node, "memory_bytes", format_bytes)


def _memory_of(moment: ClusterMoment, pod: int) -> str:
    return format_bytes(int(moment.history.pods.memory_bytes[pod]))


def _node_age(moment: ClusterMoment, node: int) -> str:
    registered = int(moment.history.nodes.registered_us[node])
    is_node = registered != NEVER and registered <= moment.time_us
    return age_text(registered, moment.time_us) if is_node else _NONE


def _pool(moment: ClusterMoment, node: int) -> str:
    nodes = moment.history.nodes
    return nodes.groups[int(nodes.group[node])]


def _zone(moment: ClusterMoment, node: int) -> str:
    nodes = moment.history.nodes
    return nodes.zones[int(nodes.zone[node])] or _NONE


def _machine_type(moment: ClusterMoment, node: int) -> str:
    nodes = moment.history.nodes
    return nodes.machine_types[int(nodes.machine_type[node])] or _NONE


def _capacity_type(moment: ClusterMoment, node: int) -> str:
    nodes = moment.history.nodes
    return nodes.capacity_types[int(nodes.capacity_type[node])] or _NONE


def _pods_on(moment: ClusterMoment, rows: NDArray[np.intp]) -> NDArray[Any]:
    return np.bincount(moment.node_of_bound, minlength=len(moment.history.nodes))[rows]


def _requested(column: str) -> Keys:
    def keys(moment: ClusterMoment, rows: NDArray[np.intp]) -> NDArray[Any]:
        amounts = getattr(moment.history.pods, column)[moment.bound]
        sums = np.bincount(moment.node_of_bound, amounts, len(moment.history.nodes))
        return np.asarray(sums / np.maximum(getattr(moment.history.nodes, column), 1))[rows]

    return keys


def _share(moment: ClusterMoment, node: int, column: str, text: Callable[[int], str]) -> str:
    requested = int(getattr(moment.history.pods, column)[moment.pods_on(node)].sum())
    offered = int(getattr(moment.history.nodes, column)[node])
    return f"{text(requested)} ({percent_text(requested / offered)})" if offered else text(requested)


def _of_nodes(column: str) -> Keys:
    return lambda moment, rows: getattr(moment.history.nodes, column)[rows]


def _of_pods(column: str) -> Keys:
    return lambda moment, rows: getattr(moment.history.pods, column)[rows]


def _ages(moment: ClusterMoment, rows: NDArray[np.intp]) -> NDArray[Any]:
    return np.asarray(-moment.history.pods.created_us[rows])


def _name(moment: ClusterMoment, rows: NDArray[np.intp]) -> NDArray[Any]:
    """By name of the workload, then by number."""
    pods = moment.history.pods
    rank = np.argsort(np.argsort(np.array(pods.workloads)))
    number = np.maximum(pods.number[rows], pods.ordinal[rows])
    return np.asarray(rank[pods.workload[rows]].astype(np.int64) << 32 | number)


def _namespace(moment: ClusterMoment, rows: NDArray[np.intp]) -> NDArray[Any]:
    pods = moment.history.pods
    rank = np.unique(np.array(pods.namespaces), return_inverse=True)[1]
    return np.asarray(rank[pods.workload[rows]].astype(np.int64) << 48 | _name(moment, rows))


def _state(moment: ClusterMoment, pod: int) -> PodState:
    return PodState(int(moment.pod_states(np.array([pod]))[0]))


def _states(moment: ClusterMoment, rows: NDArray[np.intp]) -> NDArray[Any]:
    return np.asarray(moment.pod_states(rows))


def _ready(moment: ClusterMoment, pod: int, containers: Callable[[str], int]) -> str:
    pods = moment.history.pods
    count = containers(pods.workloads[pods.workload[pod]])
    return f"{count if _state(moment, pod) is PodState.RUNNING else 0}/{count}"


def _node_of(moment: ClusterMoment, pod: int) -> str:
    pods = moment.history.pods
    is_bound = pods.node[pod] != NEVER and pods.bound_us[pod] <= moment.time_us
    return moment.history.nodes.names[pods.node[pod]] if is_bound else _NONE
