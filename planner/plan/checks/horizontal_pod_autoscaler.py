"""Checks of horizontal and proportional pod autoscalers and their metrics against the plan's workloads."""

from collections.abc import Iterator, Mapping

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.matching.label_syntax import is_label_value
from planner.plan.checks.kinds import template_places
from planner.plan.checks.pods import repeated, suggestion
from planner.plan.derived.kubernetes.versions import hpa_controller_of
from planner.plan.derived.pod_requests import container_request, running_containers
from planner.plan.files.problems import shown
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.model.autoscalers.hpa_metric import SERIES_SOURCES, HpaMetric, MetricSource, ResourceName, TargetType
from planner.plan.model.autoscalers.metric_series import WorkloadValue
from planner.plan.model.plan import Plan
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import SCALABLE, Workload, WorkloadKind

_ZERO_SOURCES = (MetricSource.OBJECT, MetricSource.EXTERNAL)
_EXAMPLES = {ResourceName.CPU: '"250m"', ResourceName.MEMORY: '"256Mi"'}
_DEFAULT = HpaMetric(average_utilization=80)


def check_hpas(plan: Plan) -> Iterator[PlanProblem]:
    """All autoscalers of replicas and the series they follow."""
    yield from _check_names(plan)
    targets = {(workload.namespace, workload.name): index for index, workload in enumerate(plan.workloads)}
    taken: dict[tuple[str, str], str] = {}
    for index, autoscaler in enumerate(plan.horizontal_pod_autoscalers):
        where = f"horizontalPodAutoscalers[{index}]"
        yield from _check_minimum(autoscaler, plan, where)
        yield from _check_series_names(autoscaler, plan, where)
        target = (autoscaler.namespace, autoscaler.scale_target)
        if target not in targets:
            yield _unknown_target(autoscaler, plan, where)
            continue
        if target in taken:
            problem = tr(
                "{scale_target} is already scaled by {taken}; both would stop with AmbiguousSelector.",
                scale_target=shown(autoscaler.scale_target),
                taken=shown(taken[target]),
            )
            yield PlanProblem(f"{where}.scaleTarget", problem, tr("Merge both autoscalers into one."))
        taken.setdefault(target, autoscaler.name)
        workload = plan.workloads[targets[target]]
        places = template_places(plan, workload, f"workloads[{targets[target]}].pod")
        yield from _check_scaled(autoscaler, workload, places, where)
    yield from _check_series(plan)
    yield from _check_proportional(plan)


def _check_names(plan: Plan) -> Iterator[PlanProblem]:
    keys = [f"{known.namespace}/{known.name}" for known in plan.horizontal_pod_autoscalers]
    for index, key in repeated(keys):
        where = f"horizontalPodAutoscalers[{index}].name"
        yield PlanProblem(where, tr("There is another autoscaler {key}.", key=shown(key)), tr("Choose another name."))


def _check_minimum(autoscaler: HorizontalPodAutoscaler, plan: Plan, where: str) -> Iterator[PlanProblem]:
    """minReplicas 0 needs the gate and something to follow while there are no pods (gate HPAScaleToZero)."""
    if autoscaler.min_replicas > 0:
        return
    if not hpa_controller_of(plan).scale_to_zero:
        problem = tr("A minimum of 0 is not allowed while the gate HPAScaleToZero is off.")
        yield PlanProblem(f"{where}.minReplicas", problem, tr("Use 1 or more, or set featureGates.HPAScaleToZero."))
    elif not any(metric.type in _ZERO_SOURCES for metric in autoscaler.metrics):
        problem = tr(
            "A minimum of 0 needs an Object or External metric, because without pods there are no pod metrics."
        )
        yield PlanProblem(f"{where}.minReplicas", problem, tr("Use 1 or more, or add such a metric."))


def _check_series_names(autoscaler: HorizontalPodAutoscaler, plan: Plan, where: str) -> Iterator[PlanProblem]:
    known = [series.name for series in plan.metric_series]
    for index, metric in enumerate(autoscaler.metrics):
        if metric.type in SERIES_SOURCES and metric.metric not in known:
            problem = tr(
                "There is no metric series {metric}, so the metric would always fail.", metric=shown(metric.metric)
            )
            remedy = suggestion(metric.metric, known, tr("Name an entry of metricSeries, or add one."))
            yield PlanProblem(f"{where}.metrics[{index}].metric", problem, remedy)


def _unknown_target(autoscaler: HorizontalPodAutoscaler, plan: Plan, where: str) -> PlanProblem:
    names = [workload.name for workload in plan.workloads if workload.namespace == autoscaler.namespace]
    problem = tr(
        "There is no workload {scale_target} in namespace {namespace}.",
        scale_target=shown(autoscaler.scale_target),
        namespace=shown(autoscaler.namespace),
    )
    remedy = suggestion(autoscaler.scale_target, names, tr("Name a workload of the plan."))
    return PlanProblem(f"{where}.scaleTarget", problem, remedy)


def _check_scaled(
    autoscaler: HorizontalPodAutoscaler, workload: Workload, templates: Mapping[str, PodTemplate], where: str
) -> Iterator[PlanProblem]:
    """`templates`: those of the workload in the course of the run, by their place."""
    if workload.kind is WorkloadKind.DAEMON_SET:
        problem = tr(
            "{name} is a DaemonSet, which has one pod per node and cannot be scaled.", name=shown(workload.name)
        )
        yield PlanProblem(f"{where}.scaleTarget", problem, tr("Name a Deployment."))
        return
    if workload.kind not in SCALABLE:
        problem = tr("{name} is a {kind}, which cannot be scaled.", name=shown(workload.name), kind=workload.kind)
        yield PlanProblem(f"{where}.scaleTarget", problem, tr("Name a Deployment."))
        return
    missing: dict[ResourceName, None] = {}
    for index, metric in enumerate(autoscaler.metrics or (_DEFAULT,)):
        if metric.type is MetricSource.RESOURCE and metric.target_type is TargetType.UTILIZATION:
            missing[metric.resource] = None
        elif metric.type is MetricSource.CONTAINER_RESOURCE:
            at = f"{where}.metrics[{index}].container"
            yield from check_container(metric, autoscaler.name, workload, tuple(templates.values()), at)
    for resource in missing:
        for place, pod in templates.items():
            yield from check_requests(pod, resource, autoscaler.name, place)


def check_requests(pod: PodTemplate, resource: ResourceName, autoscaler: str, where: str) -> Iterator[PlanProblem]:
    """Utilization is a share of the requests; one container without makes it unknown for the whole pod."""
    if pod.resources.cpu or pod.resources.memory:  # pod-level requests stand for the containers'
        return
    places = [(container, f"{where}.containers[{index}]") for index, container in enumerate(pod.containers)]
    sidecars = [(one, f"{where}.initContainers[{index}]") for index, one in enumerate(pod.init_containers)]
    for container, place in (*places, *(known for known in sidecars if known[0].sidecar)):
        if not container_request(container).get(resource):
            name = "CPU" if resource is ResourceName.CPU else "memory"
            text = tr(
                "The autoscaler {autoscaler} follows {name} utilization, ", autoscaler=shown(autoscaler), name=name
            )
            problem = tr("{text}but this container requests no {name}.", text=text, name=name)
            remedy = tr("Give a request, for example {examples}.", examples=_EXAMPLES[resource])
            yield PlanProblem(f"{place}.requests.{resource}", problem, remedy)


def check_container(
    metric: HpaMetric, autoscaler: str, workload: Workload, templates: tuple[PodTemplate, ...], where: str
) -> Iterator[PlanProblem]:
    """A container that any of the templates has: of a renamed one both names are followed."""
    containers = {one.name: one for pod in reversed(templates) for one in running_containers(pod)}
    if metric.container not in containers:
        problem = tr(
            "The pods of {name} have no container {container}; the metric fails.",
            name=shown(workload.name),
            container=shown(metric.container),
        )
        remedy = suggestion(metric.container, list(containers), tr("Name a container of the pod."))
        yield PlanProblem(where, problem, remedy)
        return
    request = container_request(containers[metric.container]).get(metric.resource)
    if metric.target_type is TargetType.UTILIZATION and not request:
        text = tr(
            "The autoscaler {autoscaler} follows the {resource} utilization of the container ",
            autoscaler=shown(autoscaler),
            resource=metric.resource,
        )
        problem = tr("{text}{container}, which requests none.", text=text, container=shown(metric.container))
        yield PlanProblem(
            where, problem, tr("Give it a request, for example {examples}.", examples=_EXAMPLES[metric.resource])
        )


def _check_series(plan: Plan) -> Iterator[PlanProblem]:
    for index, name in repeated([series.name for series in plan.metric_series]):
        problem = tr("The name {name} is already used by another metric series.", name=shown(name))
        yield PlanProblem(f"metricSeries[{index}].name", problem, tr("Choose another name."))
    serving = frozenset(plan.serving_rows())
    traffic = {workload.name: row in serving for row, workload in enumerate(plan.workloads)}
    for index, series in enumerate(plan.metric_series):
        if not isinstance(series.source, WorkloadValue):
            continue
        name, where = series.source.workload, f"metricSeries[{index}].source.workload"
        if name not in traffic:
            remedy = suggestion(name, list(traffic), tr("Name a workload of the plan."))
            yield PlanProblem(where, tr("There is no workload {name}.", name=shown(name)), remedy)
        elif not traffic[name]:
            problem = tr("{name} has no load, so there is nothing to measure.", name=shown(name))
            yield PlanProblem(where, problem, tr("Give it traffic, name another workload, or use a profile."))


def _check_proportional(plan: Plan) -> Iterator[PlanProblem]:
    section = "proportionalAutoscalers"
    for index, name in repeated([known.name for known in plan.proportional_autoscalers]):
        problem = tr("The name {name} is already used by another proportional autoscaler.", name=shown(name))
        yield PlanProblem(f"{section}[{index}].name", problem, tr("Choose another name."))
    kinds = {workload.name: workload.kind for workload in plan.workloads}
    reserves = {reserve.name: reserve for reserve in plan.overprovisioning}
    taken = {
        hpa.scale_target: tr("the autoscaler {name}", name=shown(hpa.name)) for hpa in plan.horizontal_pod_autoscalers
    }
    for index, known in enumerate(plan.proportional_autoscalers):
        for key, value in known.node_labels.items():
            if not is_label_value(value):
                problem = tr("{shown} is not a valid label value.", shown=shown(value))
                yield PlanProblem(
                    f'{section}[{index}].nodeLabels["{key}"]', problem, tr("Use a label that nodes carry.")
                )
        for position, name in enumerate(known.targets):
            where = f"{section}[{index}].targets[{position}]"
            if name not in kinds and name not in reserves:
                remedy = suggestion(name, [*kinds, *reserves], tr("Name a workload or reserve of the plan."))
                yield PlanProblem(where, tr("There is no workload or reserve {name}.", name=shown(name)), remedy)
            elif kinds.get(name) not in (None, WorkloadKind.DEPLOYMENT):
                problem = tr(
                    "{name} is a {kinds}; only Deployments and reserves can be scaled.",
                    name=shown(name),
                    kinds=kinds[name],
                )
                yield PlanProblem(where, problem, tr("Name a Deployment or a reserve."))
            elif name in taken:
                problem = tr(
                    "{name} is already scaled by {taken}; they would work against each other.",
                    name=shown(name),
                    taken=taken[name],
                )
                yield PlanProblem(where, problem, tr("Keep only one of them."))
            taken.setdefault(name, tr("the proportional autoscaler {name}", name=shown(known.name)))
