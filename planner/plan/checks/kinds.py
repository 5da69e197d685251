"""Checks of settings that only some kinds of workloads have, and of templates that rollouts bring."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.checks.pods import repeated, suggestion
from planner.plan.files.problems import shown
from planner.plan.model.events.on_workloads import Rollout
from planner.plan.model.plan import Plan
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import CronSettings, Workload, WorkloadKind
from planner.plan.values.job_calendar import parse_job_calendar


def check_kind_settings(plan: Plan, workload: Workload, where: str) -> Iterator[PlanProblem]:
    """Custom controllers of pods, and the pools and nodes of static pods."""
    if workload.custom_controller and workload.kind is not WorkloadKind.POD:
        problem = tr("The pods of a {kind} have a controller that Kubernetes knows.", kind=workload.kind)
        yield PlanProblem(f"{where}.customController", problem, tr("Remove it, or use the kind Pod."))
    if workload.job.cron is not None:
        yield from _check_calendar(plan, workload, workload.job.cron, f"{where}.job.cron")
    if workload.kind is WorkloadKind.STATIC_POD:
        yield from _check_static(plan, workload, where)
    elif workload.node_groups:
        problem = tr("Only static pods are bound to pools; this is a {kind}.", kind=workload.kind)
        yield PlanProblem(
            f"{where}.nodeGroups", problem, tr("Remove them, use a node selector, or the kind StaticPod.")
        )


def _check_calendar(plan: Plan, workload: Workload, cron: CronSettings, where: str) -> Iterator[PlanProblem]:
    if workload.kind is not WorkloadKind.JOB:
        problem = tr("Only Jobs are made by a calendar; this is a {kind}.", kind=workload.kind)
        yield PlanProblem(where, problem, tr("Remove it, or use the kind Job."))
    if parse_job_calendar(cron.schedule, cron.time_zone).next_due_us(plan.simulation.starts_at) is None:
        problem = tr("{schedule} is never due.", schedule=shown(cron.schedule))
        yield PlanProblem(f"{where}.schedule", problem, tr("Choose a day that exists."))
    makers = [
        one.name for one in plan.scaled_jobs if (one.namespace, one.job_target) == (workload.namespace, workload.name)
    ]
    if makers:
        problem = tr("{maker} makes jobs of it already.", maker=shown(makers[0]))
        yield PlanProblem(where, problem, tr("Remove the calendar or the scaled job."))


def check_new_template(plan: Plan, event: Rollout, where: str) -> Iterator[PlanProblem]:
    """A template that a rollout brings, beyond what holds of every template."""
    pod = event.pod
    if pod is None:
        return
    kept = next((known.pod for known in plan.workloads if known.name == event.workload), pod)
    for name, field in (("node_name", "nodeName"), ("scheduling_gates", "schedulingGates")):
        if getattr(pod, name):
            problem = tr("A rollout cannot bind pods to a node or gate them.")
            yield PlanProblem(
                f"{where}.{field}", problem, tr("Remove it, or set it on a workload that is created then.")
            )
    if pod.zonal_claim != kept.zonal_claim:
        problem = tr("Volume claims of a StatefulSet cannot be changed.")
        yield PlanProblem(
            f"{where}.zonalClaim",
            problem,
            tr("Use {zonal_claim}, as the workload does.", zonal_claim=str(kept.zonal_claim).lower()),
        )


def template_places(plan: Plan, workload: Workload, own: str) -> dict[str, PodTemplate]:
    """Templates of a workload in the course of a run, by place: its own (at `own`), and those that rollouts bring."""
    found = {own: workload.pod}
    for index, event in enumerate(plan.events):
        if isinstance(event, Rollout) and event.pod is not None and event.workload == workload.name:
            found[f"events[{index}].pod"] = event.pod
    return found


def _check_static(plan: Plan, workload: Workload, where: str) -> Iterator[PlanProblem]:
    known = [group.name for group in plan.node_groups]
    for index, name in enumerate(workload.node_groups):
        if name not in known:
            remedy = suggestion(name, known, tr("Name a node pool of the plan."))
            yield PlanProblem(
                f"{where}.nodeGroups[{index}]", tr("There is no node pool {name}.", name=shown(name)), remedy
            )
    for index, name in repeated(workload.node_groups):
        yield PlanProblem(
            f"{where}.nodeGroups[{index}]", tr("The pool {name} is named twice.", name=shown(name)), tr("Remove one.")
        )
    if workload.pod.node_name:
        problem = tr("Static pods are on every node of their pools and name none.")
        yield PlanProblem(f"{where}.pod.nodeName", problem, tr("Remove the name."))
    if workload.pod.scheduling_gates:
        problem = tr("Static pods are not scheduled, so they cannot have scheduling gates.")
        yield PlanProblem(f"{where}.pod.schedulingGates", problem, tr("Remove the gates."))
    if workload.pod.volumes:
        problem = tr("Static pods cannot refer to volume claims, as to no object of the API.")
        yield PlanProblem(f"{where}.pod.volumes", problem, tr("Remove the volumes, or use the kind DaemonSet."))
