"""What the Cluster Autoscaler needs to know about a pod template besides its placement."""

from dataclasses import dataclass
from enum import Enum, auto

from planner.plan.model.scaling_marks import SafeToEvict


class ControllerKind(Enum):
    """Kinds of pod owners that scale-down distinguishes."""

    NONE = auto()
    REPLICATION_CONTROLLER = auto()
    REPLICA_SET = auto()
    STATEFUL_SET = auto()
    JOB = auto()
    DAEMON_SET = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class PodScaling:
    """Owner and annotations of the pods of a template."""

    controller: ControllerKind = ControllerKind.REPLICA_SET
    controller_exists: bool = True
    safe_to_evict: SafeToEvict = SafeToEvict.UNSET
    is_mirror: bool = False
    is_terminal: bool = False
    """Failed, or succeeded and never started again."""
    local_volumes: tuple[str, ...] = ()
    """Names of hostPath volumes and of emptyDir volumes that are not in memory."""
    safe_local_volumes: tuple[str, ...] = ()
    enable_ds_eviction: bool | None = None
    """Whether pods of a DaemonSet are evicted before their node is deleted; None: as the autoscaler's settings say."""
    is_buffer: bool = False
    """The pods exist in the autoscaler's thought only and are never scheduled (CapacityBuffer)."""
    static_groups: tuple[int, ...] = ()
    """Rows of the node groups whose nodes run one of these static pods."""
    scale_up_delay_us: int = 0
    """Younger pods cause no scale-up."""
    first_container: tuple[int, int] | None = None
    """CPU and memory requests of the first container alone; None: those of the pod."""

    @property
    def is_bare(self) -> bool:
        """No controller made the pods."""
        return self.controller is ControllerKind.NONE
