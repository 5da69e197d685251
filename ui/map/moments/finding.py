"""Which pods and nodes a search text means: parts of names, such as "web", "web-0012" or "general-00"."""

import numpy as np
from numpy.typing import NDArray

from planner.record.history import PodHistory
from planner.record.moment import ClusterMoment, Rows


def found_pods(pods: PodHistory, rows: Rows, text: str) -> NDArray[np.bool_]:
    """Whether each of these pods is meant. Only names of workloads that the text begins with are spelled out."""
    text = text.strip().lower()
    found = np.zeros(len(rows), np.bool_)
    if not text:
        return found
    workload = pods.workload[rows]
    names = [name.lower() for name in pods.workloads]
    whole = np.array([text in name or text in space for name, space in zip(names, pods.namespaces, strict=True)])
    found |= whole[workload] if len(whole) else False
    for at, name in enumerate(names):
        if text.startswith(f"{name}-"):
            mine = np.flatnonzero(workload == at)
            found[mine] |= [pods.name(int(rows[row])).lower().startswith(text) for row in mine]
    return found


def found_nodes(moment: ClusterMoment, text: str) -> Rows:
    """Rows of the nodes there that are meant."""
    text, names = text.strip().lower(), moment.history.nodes.names
    if not text:
        return np.empty(0, np.intp)
    return np.array([row for row in moment.nodes.tolist() if text in names[row].lower()], np.intp)
