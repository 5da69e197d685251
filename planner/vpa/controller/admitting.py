"""The webhook of a run: new pods are made of templates with the recommended requests."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from planner.plan.model.pods.pod_template import PodTemplate
from planner.state.cluster import Cluster
from planner.state.specs import PodSpec
from planner.vpa.admission.capping import ContainerResources, Recommendation, capped
from planner.vpa.admission.webhook import settings_of
from planner.vpa.controller.recommending import RecommenderController
from planner.vpa.controller.tracked import TrackedVpa, containers_of, with_settings
from planner.vpa.updater.updater import UpdateMode

CompilePod = Callable[[int, PodTemplate], PodSpec]
"""The pod spec of a workload row whose template is changed."""
_Settings = tuple[tuple[str, tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]], ...]


class RequestAdmission:
    """Rewrites the templates of new pods."""

    def __init__(
        self,
        cluster: Cluster,
        vpas: Sequence[TrackedVpa],
        recommender: RecommenderController,
        compile_pod: CompilePod,
    ) -> None:
        self._cluster, self._recommender, self._compile_pod = cluster, recommender, compile_pod
        self._made: dict[tuple[int, _Settings], int] = {}
        self._latest: dict[int, tuple[Recommendation, int, int]] = {}
        """By workload: what was recommended when its last pod came, the template of that pod, and what became of it."""
        controlling: dict[int, TrackedVpa] = {}
        for vpa in vpas:
            if vpa.mode is not UpdateMode.OFF:
                controlling.setdefault(vpa.workload, vpa)
        for workload, vpa in controlling.items():
            cluster.admit_with(workload, partial(self._admitted, vpa))

    def changed(self, template: int, settings: Sequence[ContainerResources]) -> int:
        """The template with other requests and limits of some containers."""
        key = (template, tuple((one.name, _sorted(one.requests), _sorted(one.limits)) for one in settings))
        if key not in self._made:
            base = self._cluster.pod_specs[template]
            pod = with_settings(base.template, settings)
            if pod == base.template:
                self._made[key] = template
            else:
                self._made[key] = self._cluster.add_template(_resized(base, self._compile_pod(base.workload, pod)))
        return self._made[key]

    def _admitted(self, vpa: TrackedVpa, template: int) -> int:
        recommendation = self._recommender.of(vpa)
        if not recommendation:
            return template
        latest = self._latest.get(vpa.workload)
        if latest is None or latest[0] is not recommendation or latest[1] != template:
            containers = containers_of(self._cluster.pod_specs[template].template)
            fitted = capped(containers, recommendation, vpa.policies, vpa.limits)
            made = self.changed(template, settings_of(containers, fitted, vpa.policies, vpa.limits))
            latest = self._latest[vpa.workload] = recommendation, template, made
        return latest[2]


def _sorted(amounts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(amounts.items()))


def _resized(base: PodSpec, compiled: PodSpec) -> PodSpec:
    """A template as it was, but for what follows from requests and limits."""
    return replace(
        base,
        request=compiled.request,
        nonzero=compiled.nonzero,
        running=compiled.running,
        placement=replace(
            base.placement,
            score_request=compiled.placement.score_request,
            tolerations=compiled.placement.tolerations,
        ),
        scaling=replace(base.scaling, first_container=compiled.scaling.first_container),
        template=compiled.template,
        resized_from=base.resized_from or base.template,
    )
