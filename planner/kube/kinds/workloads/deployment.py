"""Deployments."""

from collections.abc import Iterator

from planner.kube.autoscalers import autoscaler_flags, proportional
from planner.kube.autoscalers.program_flags import runs_program
from planner.kube.draft.draft import Draft, Part, given
from planner.kube.files.field import Field
from planner.kube.pods.controllers import (
    controller_manifest,
    read_controller,
    read_update_strategy,
    whole_seconds,
    workloads_of,
)
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import UpdateStrategy, UpdateStrategyType, WorkloadKind

KIND, GROUPS = "Deployment", ("apps", "extensions")
_STRATEGIES = ("RollingUpdate", "Recreate")


def read(manifest: Field, draft: Draft) -> None:
    """A Deployment becomes a workload; those of autoscalers of the cluster also give their flags."""
    spec = manifest.at("spec")
    spec.at("strategy", "type").choice(_STRATEGIES)
    spec.at("selector").raw()
    strategy = read_update_strategy(spec.at("strategy"), spec.at("minReadySeconds"))
    replicas = spec.at("replicas").whole()
    read_controller(manifest, KIND, draft, WorkloadKind.DEPLOYMENT, replicas, update_strategy=strategy)
    if runs_program(manifest, autoscaler_flags.PROGRAM):
        autoscaler_flags.read_autoscaler_flags(manifest, draft)
    if runs_program(manifest, proportional.PROGRAM):
        proportional.note_proportional(manifest, draft)


def write(plan: Plan) -> Iterator[Part]:
    """All Deployments of the plan."""
    for workload in workloads_of(plan, WorkloadKind.DEPLOYMENT):
        strategy = workload.update_strategy
        seconds = whole_seconds(strategy.min_ready)
        yield controller_manifest(
            workload, "apps/v1", replicas=workload.replicas, min_ready_seconds=seconds or None,
            strategy=_strategy(strategy),
        )  # fmt: skip


def _strategy(strategy: UpdateStrategy) -> Part:
    if strategy.type is UpdateStrategyType.RECREATE:
        return {"type": "Recreate"}
    default = UpdateStrategy()
    if (strategy.max_surge, strategy.max_unavailable) == (default.max_surge, default.max_unavailable):
        return {}
    rolling = given(max_surge=strategy.max_surge, max_unavailable=strategy.max_unavailable)
    return {"type": "RollingUpdate", "rollingUpdate": rolling}
