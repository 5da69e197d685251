"""A pod in a scheduling round."""

from dataclasses import dataclass

from planner.karpenter.requirements.requirements import Requirements
from planner.state.specs import PodSpec


@dataclass(frozen=True, slots=True, eq=False)
class RoundPod:
    """A pod that is looking for room."""

    row: int
    """Identity for the caller."""
    uid: str
    """Breaks ties between pods of equal size and age."""
    spec: PodSpec
    created_us: int
    is_pending: bool = True
    """Marked unschedulable; others run on nodes that go or may go."""
    from_deleting: bool = False
    """Runs on a node that is being deleted."""
    volumes: tuple[Requirements, ...] = ()
    """Alternatives of where its volumes can be reached."""
