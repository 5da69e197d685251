"""Checks that a kubelet would start with its settings."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import marked, tr
from planner.plan.derived.allocatable import offer_of
from planner.plan.model.kubelet import KubeletSettings
from planner.plan.model.node_groups import NodeGroup
from planner.plan.values.thresholds import SIMULATED_SIGNALS, Signal
from planner.units import format_bytes

_BY_SIGNAL = ("eviction_hard", "eviction_soft", "eviction_soft_grace_period", "eviction_minimum_reclaim")
_NOT_MEASURED = marked("A run has no inodes, no process IDs and one disk a node, so a value for {signal} does nothing.")


def check_kubelet(group: NodeGroup, where: str) -> Iterator[PlanProblem]:
    """The kubelet settings of a node pool, if it has any."""
    kubelet = group.kubelet
    if kubelet is None:
        return
    if group.reserved_cpu or group.reserved_memory:
        problem = tr("The pool has both simple reservations and kubelet settings.")
        field = "reservedMemory" if group.reserved_memory else "reservedCpu"
        yield PlanProblem(f"{where}.{field}", problem, tr("Move the reservation into the kubelet settings."))
    if kubelet.shutdown_grace_period_critical_pods > kubelet.shutdown_grace_period:
        problem = tr("Critical pods get more time than the whole shutdown takes.")
        place = f"{where}.kubelet.shutdownGracePeriodCriticalPods"
        yield PlanProblem(place, problem, tr("Lengthen shutdownGracePeriod or shorten this."))
    if kubelet.system_disk + kubelet.unused_images + kubelet.dead_containers >= kubelet.disk:
        problem = tr("System, unused images and dead containers use up all of {disk}.", disk=format_bytes(kubelet.disk))
        yield PlanProblem(f"{where}.kubelet.disk", problem, tr("Give the nodes a larger disk."))
    yield from _unmeasured(kubelet, f"{where}.kubelet")
    try:
        offer = offer_of(group)
    except ValueError as error:
        yield PlanProblem(
            f"{where}.kubelet",
            tr("The kubelet would refuse its thresholds: {error}.", error=error),
            tr("Correct or remove it."),
        )
        return
    stops = "" if offer.valid else tr(" The kubelet would not start.")
    if offer.allocatable["memory"] == 0:
        kept, have = format_bytes(offer.reservation["memory"]), format_bytes(group.memory)
        problem = tr(
            "Reservations and threshold ({kept}) use up all of {have}.{stops}", kept=kept, have=have, stops=stops
        )
        yield PlanProblem(f"{where}.kubelet", problem, tr("Reserve less memory."))
    if offer.allocatable["cpu"] == 0:
        yield PlanProblem(
            f"{where}.kubelet", tr("The reservations leave no CPU.{stops}", stops=stops), tr("Reserve less CPU.")
        )


def _unmeasured(kubelet: KubeletSettings, where: str) -> Iterator[PlanProblem]:
    """Signals that a kubelet knows and no run measures."""
    idle = [str(signal) for signal in Signal if signal not in SIMULATED_SIGNALS]
    for name in _BY_SIGNAL:
        key = KubeletSettings.model_fields[name].alias
        for signal in getattr(kubelet, name):
            if signal in idle:
                problem = tr(_NOT_MEASURED, signal=signal)
                remedy = tr(
                    "Remove it; a run measures {simulated_signals}.", simulated_signals=", ".join(SIMULATED_SIGNALS)
                )
                yield PlanProblem(f'{where}.{key}["{signal}"]', problem, remedy)
