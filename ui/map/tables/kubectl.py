"""The columns of `kubectl get nodes -o wide` and `kubectl get pods -o wide`, as far as a run knows them."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from planner.record import kubectl_words as words
from planner.record.moment import ClusterMoment
from planner.units import format_bytes, format_cpu
from ui.map.drawing.words import node_status
from ui.map.tables.object_table import Keys, ObjectColumn
from ui.wording.figures import percent_text


def node_columns(version: Callable[[], str]) -> list[ObjectColumn]:
    """Name, status, age and version as kubectl has them; pool, type, capacity type and zone as for NodeClaims of
    Karpenter, which are called as their nodes here; then how full the node is.
    """
    return [
        ObjectColumn("NAME", lambda moment, node: moment.history.nodes.names[node]),
        ObjectColumn("STATUS", node_status),
        ObjectColumn("AGE", words.node_age, _of_nodes("requested_us"), True),
        ObjectColumn("VERSION", lambda _moment, _node: version()),
        ObjectColumn("POOL", _pool, _of_nodes("group")),
        ObjectColumn("TYPE", words.machine_type_of, _of_nodes("machine_type")),
        ObjectColumn("CAPACITY", words.capacity_type_of, _of_nodes("capacity_type")),
        ObjectColumn("ZONE", words.zone_of, _of_nodes("zone")),
        ObjectColumn("PODS", lambda m, n: f"{len(m.pods_on(n))}/{int(m.history.nodes.pods[n])}", _pods_on, True),
        ObjectColumn("CPU", lambda m, n: _share(m, n, "cpu_milli", format_cpu), _requested("cpu_milli"), True),
        ObjectColumn("MEMORY", _memory_share, _requested("memory_bytes"), True),
        ObjectColumn(_tr("PRICE/H"), _price, _of_nodes("price_per_hour"), True),
    ]


def pod_columns(containers: Callable[[], Mapping[str, int]]) -> list[ObjectColumn]:
    """Namespace to node as kubectl has them; then priority and requests. `containers` by workload."""
    return [
        ObjectColumn("NAMESPACE", lambda m, p: m.history.pods.namespaces[m.history.pods.workload[p]], _namespace),
        ObjectColumn("NAME", lambda m, p: m.history.pods.name(p), _name),
        ObjectColumn(
            "READY",
            lambda m, p: words.ready_text(m, p, containers()),
            _states,
            True,
        ),
        ObjectColumn("STATUS", lambda m, p: words.POD_STATUS[words.state_of(m, p)], _states),
        ObjectColumn("AGE", words.pod_age, _ages, True),
        ObjectColumn("NODE", words.node_of, lambda m, rows: m.history.pods.node[rows]),
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


def _pool(moment: ClusterMoment, node: int) -> str:
    nodes = moment.history.nodes
    return nodes.groups[int(nodes.group[node])]


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


def _states(moment: ClusterMoment, rows: NDArray[np.intp]) -> NDArray[Any]:
    return np.asarray(moment.pod_states(rows))
