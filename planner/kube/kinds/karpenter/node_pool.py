"""NodePools of Karpenter."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part, given
from planner.kube.files.field import Field
from planner.kube.manifest import framed, name_of
from planner.language.translation import tr
from planner.plan.model.karpenter.node_pools import (
    ConsolidationPolicy,
    DisruptionReason,
    NodePool,
    PoolBudget,
    RequirementWord,
)
from planner.plan.model.plan import Plan
from planner.units import US_PER_S, format_bytes, format_cpu, format_duration, parse_duration_us

KIND, GROUPS = "NodePool", ("karpenter.sh",)
SECTION = "karpenterNodePools"
CLASS_OF_POOL = "karpenterClassOfPool"
"""List of a draft that the plan does not have: kind and name of every pool's node class."""
_NEVER = "Never"
_UNTIL_V1 = {"WhenUnderutilized": ConsolidationPolicy.WHEN_EMPTY_OR_UNDERUTILIZED.value}
"""Words of karpenter.sh/v1beta1, and what version 1 calls them."""
_NATIVE = ("cpu", "memory", "nodes")


def read(manifest: Field, draft: Draft) -> None:
    """Requirements, template, limits and disruption, and which node class it names."""
    spec = manifest.at("spec")
    template = spec.at("template")
    inner = template.at("spec")
    reference = inner.at("nodeClassRef")
    draft.add(CLASS_OF_POOL, manifest.source, _node_class(name_of(manifest), reference))
    part = given(
        name=name_of(manifest),
        requirements=[requirement_of(each) for each in inner.at("requirements").items()],
        weight=spec.at("weight").whole(),
        limits=limits_of(spec.at("limits"), draft),
        labels=template.at("metadata", "labels").labels(),
        annotations=template.at("metadata", "annotations").labels(),
        taints=[taint_of(each) for each in inner.at("taints").items()],
        startup_taints=[taint_of(each) for each in inner.at("startupTaints").items()],
        disruption=_disruption(spec.at("disruption")),
        termination_grace_period=duration_of(inner.at("terminationGracePeriod")),
    )
    for expiry in (spec.at("disruption", "expireAfter"), inner.at("expireAfter")):  # v1beta1, v1
        if expiry.is_given:
            part["expireAfter"] = duration_of(expiry)
    draft.add(SECTION, manifest.source, part)


def _node_class(pool: str, reference: Field) -> Part:
    """Which node class a pool names."""
    found = given(name=pool, kind=reference.at("kind").text(), node_class=reference.at("name").text())
    reference.raw()
    return found


def requirement_of(field: Field) -> Part:
    """One requirement on a label."""
    return given(
        key=field.at("key").required_text(),
        operator=field.at("operator").choice(RequirementWord),
        values=[str(each.value) for each in field.at("values").items()],
        min_values=field.at("minValues").whole(),
    )


def taint_of(field: Field) -> Part:
    """A taint as plan files spell it."""
    return given(
        key=field.at("key").required_text(),
        value=field.at("value").text() or None,
        effect=field.at("effect").required_text(),
    )


def limits_of(field: Field, draft: Draft) -> Part:
    """What the nodes of a pool may have in all."""
    nodes = field.at("nodes")
    extended = {name: field.at(name).count() for name in field.map() if name not in _NATIVE and "/" in name}
    for name in field.map():
        if name not in _NATIVE and "/" not in name:
            field.at(name).raw()
            draft.losses.add(KIND, f"spec.limits.{name[:60]}", tr("the plan limits CPU, memory, nodes and devices"))
    return given(cpu=field.at("cpu").cpu(), memory=field.at("memory").memory(), nodes=nodes.count(), extended=extended)


def _disruption(field: Field) -> Part:
    word = field.at("consolidationPolicy").choice((*ConsolidationPolicy, *_UNTIL_V1))
    part = given(consolidation_policy=_UNTIL_V1.get(word or "", word))
    after = field.at("consolidateAfter")
    if after.is_given:
        part["consolidateAfter"] = duration_of(after)
    if field.at("budgets").is_given:
        part["budgets"] = [_budget(each) for each in field.at("budgets").items() if not _limits_nothing(each)]
    return part


def _limits_nothing(budget: Field) -> bool:
    """An empty list of reasons names none, while a missing one stands for all (nodepool.go: Reasons == nil)."""
    reasons = budget.at("reasons")
    return reasons.is_given and not reasons.items()


def _budget(field: Field) -> Part:
    nodes = field.at("nodes").portion()
    return given(
        nodes=int(nodes) if isinstance(nodes, str) and nodes.isdecimal() else nodes,
        reasons=[each.choice(DisruptionReason) for each in field.at("reasons").items()],
        schedule=field.at("schedule").text() or None,
        duration=duration_of(field.at("duration")),
    )


def duration_of(field: Field) -> str | None:
    """A duration of Go in the spelling of plan files; None for Never."""
    text = field.text()
    if text is None or text == _NEVER:
        return None
    try:
        return format_duration(parse_duration_us(text))
    except ValueError as error:
        raise field.problem(f"{error}.", tr('Write for example "720h", or Never.')) from None


def write(plan: Plan) -> Iterator[Part]:
    """All pools of Karpenter in the plan."""
    for pool in plan.karpenter.node_pools:
        yield framed("karpenter.sh/v1", KIND, pool.name, spec=_spec(pool))


def _spec(pool: NodePool) -> Part:
    limits = pool.limits
    inner = given(
        node_class_ref={"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
        taints=[taint.model_dump(mode="json", by_alias=True) for taint in pool.taints],
        startup_taints=[taint.model_dump(mode="json", by_alias=True) for taint in pool.startup_taints],
        expire_after=_go_duration(pool.expire_after),
        termination_grace_period=None
        if pool.termination_grace_period is None
        else _go_duration(pool.termination_grace_period),
    )
    inner["requirements"] = [
        given(key=each.key, operator=each.operator.value, values=list(each.values), min_values=each.min_values)
        for each in pool.requirements
    ]
    disruption = given(
        consolidation_policy=pool.disruption.consolidation_policy.value,
        consolidate_after=_go_duration(pool.disruption.consolidate_after),
        budgets=[_written_budget(each) for each in pool.disruption.budgets],
    )
    metadata = given(labels=dict(pool.labels) or None, annotations=dict(pool.annotations) or None)
    return given(
        template=given(metadata=metadata or None, spec=inner),
        weight=pool.weight or None,
        limits=given(
            cpu=None if limits.cpu is None else format_cpu(limits.cpu),
            memory=None if limits.memory is None else format_bytes(limits.memory),
            nodes=None if limits.nodes is None else str(limits.nodes),
        )
        | {name: str(count) for name, count in limits.extended.items()},
        disruption=disruption,
    )


def _written_budget(budget: PoolBudget) -> Part:
    return given(
        nodes=str(budget.nodes),
        reasons=[reason.value for reason in budget.reasons],
        schedule=budget.schedule or None,
        duration=None if budget.duration is None else _go_duration(budget.duration),
    )


def _go_duration(us: int | None) -> str:
    """Go durations have no days."""
    if us is None:
        return _NEVER
    hours, rest = divmod(us // US_PER_S, 3600)
    minutes, seconds = divmod(rest, 60)
    return "".join(f"{n}{unit}" for n, unit in ((hours, "h"), (minutes, "m"), (seconds, "s")) if n) or "0s"
