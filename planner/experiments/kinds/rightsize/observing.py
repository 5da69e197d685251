"""The use that sizes follow from, observed in the processes of an experiment."""

from dataclasses import dataclass
from typing import NamedTuple

from planner.experiments.execution.executor import Cancelled
from planner.experiments.execution.work import plan_of
from planner.experiments.variants.runnable_plan import PlanParcel
from planner.simulation.use.observation import ContainerUse, observed_use

Uses = tuple[ContainerUse, ...]


class KnownUse(NamedTuple):
    """Use that need not be observed, because a cluster was measured."""

    uses: Uses
    source: str
    """What was measured, and when."""
    notes: tuple[str, ...] = ()
    """What was assumed, as sentences."""


@dataclass(frozen=True)
class UseJob:
    """A plan whose use is to be observed."""

    parcel: PlanParcel
    seed: int
    until_us: int | None = None


def observe_use(job: UseJob, cancelled: Cancelled) -> Uses | None:
    """The use of all containers; None if `cancelled()` turned true. Raises RunStopped."""
    return observed_use(plan_of(job.parcel), job.seed, job.until_us, cancelled)
