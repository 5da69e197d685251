"""The only class that changes simulated state.

Each verb changes the tables, keeps the running sums up to date, and publishes what happened. Verbs decide
nothing: the caller has already applied a rule.
"""

from planner.state.verbs.nodes import NodeVerbs
from planner.state.verbs.pods import PodVerbs
from planner.state.verbs.workloads import WorkloadVerbs


class Cluster(PodVerbs, NodeVerbs, WorkloadVerbs):
    """Nodes, pods, workloads and node groups, with the verbs that change them."""
