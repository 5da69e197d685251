"""Which rows the tables show, and where a search goes next."""

import numpy as np

from planner.record.moment import Rows
from ui.map.drawing.scene import MapScene
from ui.map.map_view import Picked
from ui.map.moments.finding import found_pods
from ui.map.tools import Page


def chosen_rows(scene: MapScene, page: Page) -> Rows:
    """Nodes, or pods with those that wait; only those that are searched for, if something is."""
    moment, wanted = scene.moment, scene.look.wanted
    if page is Page.NODES:
        return scene.found_nodes if wanted else moment.nodes
    rows = np.concatenate((moment.pending, moment.bound))
    if not wanted:
        return rows
    on_found = np.isin(moment.history.pods.node[rows], scene.found_nodes) & np.isin(rows, moment.bound)
    return rows[found_pods(moment.history.pods, rows, wanted) | on_found]


def next_found(scene: MapScene, choice: Picked) -> Picked:
    """The next pod, or else node, that is searched for, after what is chosen; as it is if nothing is found."""
    pods, nodes = scene.moment.bound[scene.found_pods], scene.found_nodes
    if len(pods):
        after = np.flatnonzero(pods == choice.pod) if choice.pod is not None else np.empty(0, np.intp)
        pod = int(pods[(after[0] + 1) % len(pods)] if len(after) else pods[0])
        return Picked(int(scene.moment.history.pods.node[pod]), pod)
    if len(nodes):
        later = nodes[nodes > choice.node] if choice.node is not None else nodes
        return Picked(int(later[0] if len(later) else nodes[0]))
    return choice
