"""Options of a run that are not part of the plan: for tests and comparisons, not for users."""

from dataclasses import dataclass

from planner.engine.loop import Bounds


@dataclass(frozen=True)
class RunOptions:
    """Switches of one run. All but `bounds` and `recorded_stand_ins` leave its decisions as they are."""

    bounds: Bounds = Bounds()
    """How many events it may take."""
    scalar_twins: bool = True
    """Few pods and few changed nodes are computed in plain numbers (`workloads/latency/share_of_one.py`,
    `scheduler/feasibility/one_node_rules.py`) instead of in columns: the same rules, faster on short columns."""
    recorded_stand_ins: bool = False
    """Simplify as the recorded whole runs of the real control plane do: only ready pods with load are sampled, their
    use is rounded to the nearest milli-CPU, and ready siblings alone rank the pods that a smaller workload gives up."""


ORDINARY = RunOptions()
