"""One scale-up step: which group grows by how many nodes.

Source: Cluster Autoscaler 1.36.1, core/scaleup/orchestrator/orchestrator.go.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from planner.autoscaler.estimator.bin_packing import PodBatch, estimate_nodes
from planner.autoscaler.estimator.new_node_rules import NewNodeRules
from planner.autoscaler.expander.chain import choose_option
from planner.autoscaler.expander.option import ExpansionOption, GroupLots, PodPrices, expander_context
from planner.autoscaler.expander.price import pod_price
from planner.autoscaler.groups.similarity import SimilarityRules, is_similar
from planner.autoscaler.groups.templates import GroupTemplate
from planner.autoscaler.scaleup.balancing import balance_scale_up
from planner.autoscaler.scaleup.equivalence import EquivalenceGroup
from planner.autoscaler.scaleup.quota import Amounts, QuotaRoom, node_limit
from planner.autoscaler.scaleup.result import NoScaleUpInfo, Resize, ScaleUpPlan, ScaleUpResult
from planner.autoscaler.scaleup.skip_reasons import EXECUTION_FAILED, FILTERED_OUT, NO_NEW_NODE
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.state.resources import CPU, MEMORY, pod_amounts
from planner.state.specs import PodSpec


@dataclass(frozen=True, slots=True, eq=False)
class GroupFacts:
    """A node group as the scale-up step sees it."""

    group: int
    """Row of the group."""
    template: GroupTemplate | None
    """None when nothing is known of a new node; the group is skipped then."""
    name: str
    target: int
    max_size: int
    size: Amounts
    """What a new node counts for the bounds of the cluster."""
    skipped: str | None
    """Why it cannot grow now, or None."""
    rejections: Mapping[int, tuple[str, ...]]
    """Per pod template why a new node would refuse its pods; templates that fit are missing."""
    zero_or_max: bool = False
    has_gpu: bool = False
    """A new node would have one."""
    simulated: bool = True
    """Whether `rejections` were found; skipped groups are simulated only on request."""

    @property
    def room(self) -> int:
        """Nodes up to the maximum."""
        return max(self.max_size - self.target, 0)


@dataclass(frozen=True, slots=True, eq=False)
class ScaleUpInput:
    """Everything one step looks at; groups in cloud order, pods in order of first appearance."""

    pods: Sequence[EquivalenceGroup]
    shapes: Mapping[int, PodSpec]
    groups: Sequence[GroupFacts]
    snapshot_nodes: int
    """Nodes of the snapshot, placeholders included."""
    cluster_nodes: int
    quota: QuotaRoom
    settings: ClusterAutoscalerSettings
    lots: GroupLots | None
    """Break ties of the expanders; without them the smallest group name wins."""
    new_node_rules: Callable[[GroupTemplate, Sequence[int]], NewNodeRules | None]
    """Filters on other pods for pod templates when nodes of a group are added; None when there are none."""


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """An option with what is needed to carry it out."""

    option: ExpansionOption
    facts: GroupFacts
    similar: tuple[GroupFacts, ...]
    placed: dict[int, int]
    """How many pods of each group of pods, in the order in which they were packed."""


def plan_scale_up(given: ScaleUpInput, cursor: SearchCursor) -> ScaleUpPlan:
    """Decide one step. Only groups that are not skipped are estimated."""
    usable = [facts for facts in given.groups if facts.skipped is None]
    candidates = [found for facts in usable if (found := _candidate(facts, usable, given, cursor)) is not None]
    if given.lots is None:
        candidates.sort(key=lambda each: each.option.group_id)
    options = tuple(each.option for each in candidates)
    context = expander_context(given.settings, given.cluster_nodes, given.lots)
    choice = choose_option(given.settings.expander, options, context) if options else None
    if choice is None:
        return ScaleUpPlan(ScaleUpResult.NO_OPTIONS, remaining=_remaining(given))
    pods_of = {each.facts.group: _placed_pods(each, given) for each in candidates}
    weighed = ScaleUpPlan(ScaleUpResult.NO_OPTIONS, options=options, choice=choice, pods_of=pods_of)
    if choice.chosen is None:
        return replace(weighed, remaining=_remaining(given, filtered_out=True))
    chosen = next(each for each in candidates if each.option is choice.chosen)
    count = _within_total(chosen.option.node_count, given)
    weighed = replace(weighed, remaining=_remaining(given), capped=count < chosen.option.node_count)
    if count < 1:
        return replace(weighed, result=ScaleUpResult.ERROR)
    triggered = pods_of[chosen.facts.group]
    awaiting = tuple(
        pod
        for group in given.pods
        if _fits_any(group.shape, given.groups) and group.shape in chosen.facts.rejections
        for pod in group.pods
    )
    resizes = _resizes(chosen, count, given.quota)
    result = ScaleUpResult.SUCCESSFUL if resizes else ScaleUpResult.ERROR
    rejected = _rejected(given, [each.facts.group for each in candidates])
    return replace(weighed, result=result, resizes=resizes, triggered=triggered, awaiting=awaiting, rejected=rejected)


def _placed_pods(candidate: _Candidate, given: ScaleUpInput) -> tuple[int, ...]:
    return tuple(pod for at, count in candidate.placed.items() for pod in given.pods[at].pods[:count])


def _candidate(
    facts: GroupFacts, usable: Sequence[GroupFacts], given: ScaleUpInput, cursor: SearchCursor
) -> _Candidate | None:
    fitting = [at for at, group in enumerate(given.pods) if group.shape not in facts.rejections]
    template = facts.template
    if not fitting or template is None:
        return None
    balances = given.settings.balance_similar_node_groups and not facts.zero_or_max
    similar = _similar_groups(facts, usable, given) if balances else ()
    room = facts.room + sum(other.room for other in similar)
    settings = given.settings
    limit = node_limit(settings.max_nodes_per_scaleup, room, settings.max_nodes_total, given.snapshot_nodes)
    groups = [given.pods[at] for at in fitting]
    estimate = estimate_nodes(
        [_batch(group, given) for group in groups],
        template.node.allocatable,
        template.free,
        limit,
        cursor,
        cluster_nodes=given.snapshot_nodes,
        fast_path=settings.fastpath_binpacking_enabled,
        capacity=template.node.capacity,
        rules=given.new_node_rules(template, [group.shape for group in groups]),
    )
    placed = {fitting[at]: estimate.placed[at] for at in estimate.order}
    if estimate.node_count == 0:
        return None
    nodes = facts.max_size if facts.zero_or_max else estimate.node_count
    return _Candidate(_option(facts, template, nodes, placed, given), facts, similar, placed)


def _batch(group: EquivalenceGroup, given: ScaleUpInput) -> PodBatch:
    spec = given.shapes[group.shape]
    cpu, memory = spec.scaling.first_container or (int(spec.request[CPU]), int(spec.request[MEMORY]))
    return PodBatch(
        pod_amounts(spec.request),
        len(group.pods),
        container_cpu_milli=cpu,
        container_memory_bytes=memory,
        spec=spec,
    )


def _option(
    facts: GroupFacts, template: GroupTemplate, nodes: int, placed: Mapping[int, int], given: ScaleUpInput
) -> ExpansionOption:
    node = template.node
    prices = PodPrices(given.settings.pod_core_price_per_hour, given.settings.pod_gib_price_per_hour)
    cpu = memory = 0
    pods_price = 0.0
    for at, count in sorted(placed.items()):
        request = given.shapes[given.pods[at].shape].request
        cpu += int(request[CPU]) * count
        memory += int(request[MEMORY]) * count
        pods_price += pod_price(int(request[CPU]), int(request[MEMORY]), prices) * count
    return ExpansionOption(
        group=facts.group,
        group_id=facts.name,
        node_count=nodes,
        pod_count=sum(placed.values()),
        requested_cpu_milli=cpu,
        requested_memory_bytes=memory,
        capacity_cpu_milli=int(node.capacity[CPU]),
        capacity_memory_bytes=int(node.capacity[MEMORY]),
        node_price=node.price_per_hour or None,
        pods_price=pods_price,
        has_gpu=facts.has_gpu,
    )


def _similar_groups(facts: GroupFacts, usable: Sequence[GroupFacts], given: ScaleUpInput) -> tuple[GroupFacts, ...]:
    """Usable groups like this one that take every pod it takes.

    Those that scale as a whole are among them: only a group that is chosen itself goes from zero to its maximum.
    """
    shapes = [group.shape for group in given.pods if group.shape not in facts.rejections]
    rules = SimilarityRules.from_settings(given.settings)
    return tuple(
        other
        for other in usable
        if other is not facts
        and not any(shape in other.rejections for shape in shapes)
        and facts.template is not None
        and other.template is not None
        and is_similar(facts.template.traits, other.template.traits, rules)
    )


def _within_total(count: int, given: ScaleUpInput) -> int:
    total = given.settings.max_nodes_total
    return count if total <= 0 else min(count, total - given.snapshot_nodes)


def _resizes(chosen: _Candidate, count: int, quota: QuotaRoom) -> tuple[Resize, ...]:
    count = min(count, quota.nodes(chosen.facts.size))
    groups = (chosen.facts, *chosen.similar)
    sizes = balance_scale_up([each.target for each in groups], [each.max_size for each in groups], count)
    resizes = []
    for at, size in sizes.items():
        each = groups[at]
        added = min(size - each.target, quota.nodes(each.size))
        quota = quota.after(each.size, added)
        if added > 0:  # what a bound cuts off is not given to another group
            resizes.append(Resize(each.group, each.target, each.target + added))
    return tuple(resizes)


def _rejected(given: ScaleUpInput, options: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Why the other groups are no option: skipped, refused by a filter for the pods, or without room for new nodes."""
    found = {}
    for facts in given.groups:
        if facts.group not in options:
            refusals = dict.fromkeys(reason for reasons in facts.rejections.values() for reason in reasons)
            found[facts.group] = (facts.skipped,) if facts.skipped is not None else (*refusals,) or (NO_NEW_NODE,)
    return found


def _fits_any(shape: int, groups: Sequence[GroupFacts]) -> bool:
    return any(facts.simulated and shape not in facts.rejections for facts in groups)


def _remaining(given: ScaleUpInput, *, filtered_out: bool = False) -> tuple[NoScaleUpInfo, ...]:
    """Pods that no usable group takes, with each group's reasons. `filtered_out`: the expanders want no option."""
    usable = [facts for facts in given.groups if facts.skipped is None]
    found = []
    for group in given.pods:
        if _fits_any(group.shape, usable) and not filtered_out:
            continue
        rejected, skipped = {}, {}
        for facts in given.groups:
            reasons = facts.rejections.get(group.shape)
            if reasons:
                rejected[facts.group] = reasons
            elif facts.skipped is not None:
                skipped[facts.group] = (facts.skipped,)
            else:
                rejected[facts.group] = (FILTERED_OUT,)
        found.append(NoScaleUpInfo(group.pods, rejected, skipped))
    return tuple(found)


def remaining_after_refusal(given: ScaleUpInput, refused: Sequence[int]) -> tuple[NoScaleUpInfo, ...]:
    """Pods that no usable group takes once the cloud has refused to resize these groups."""
    groups = []
    for facts in given.groups:
        if facts.group in refused:
            fits = [group.shape for group in given.pods if group.shape not in facts.rejections]
            facts = replace(facts, rejections={**facts.rejections, **dict.fromkeys(fits, (EXECUTION_FAILED,))})
        groups.append(facts)
    return _remaining(replace(given, groups=groups))
