"""Provisioners of Karpenter until 0.32, read as the NodePools that they became.

Source: Karpenter 0.32, pkg/apis/v1alpha5/provisioner.go; what AWS added to them: karpenter-provider-aws 0.32,
pkg/apis/v1alpha5/provisioner.go (SetDefaults).
"""

from planner.kube.draft.draft import Draft, Part, given
from planner.kube.files.field import Field
from planner.kube.kinds.karpenter import aws_node_template
from planner.kube.kinds.karpenter.node_pool import CLASS_OF_POOL, SECTION, limits_of, requirement_of, taint_of
from planner.kube.manifest import name_of
from planner.language.translation import tr
from planner.plan.derived.machine_choice import CAPACITY_TYPE
from planner.plan.model.karpenter.machine_types import CapacityType
from planner.plan.model.karpenter.node_pools import ConsolidationPolicy, RequirementWord
from planner.plan.model.node_groups import ARCH_LABEL, MACHINE_TYPE_LABEL

KIND, GROUPS = "Provisioner", ("karpenter.sh",)
_CATEGORY, _GENERATION, _FAMILY = (
    f"karpenter.k8s.aws/instance-{what}" for what in ("category", "generation", "family")
)


def read(manifest: Field, draft: Draft) -> None:
    """What a NodePool of version 1 says in other words; one of the same name counts instead."""
    spec, name = manifest.at("spec"), name_of(manifest)
    if any(part["name"] == name for _, part in draft.lists.get(SECTION, [])):
        spec.raw()
        draft.losses.add(KIND, "", f"{name}: {tr('the NodePool of this name is used')}")
        return
    kind = _add_class(spec, name, draft)
    requirements = [requirement_of(each) for each in spec.at("requirements").items()]
    part = given(
        name=name,
        requirements=_with_defaults(requirements) if kind == aws_node_template.KIND else requirements,
        weight=spec.at("weight").whole(),
        limits=limits_of(spec.at("limits", "resources"), draft),
        labels=spec.at("labels").labels(),
        annotations=spec.at("annotations").labels(),
        taints=[taint_of(each) for each in spec.at("taints").items()],
        startup_taints=[taint_of(each) for each in spec.at("startupTaints").items()],
    )
    part["disruption"] = _disruption(spec)
    part["expireAfter"] = spec.at("ttlSecondsUntilExpired").seconds()
    draft.add(SECTION, manifest.source, part)
    draft.losses.remark(
        tr("Provisioners of Karpenter became NodePools and are read as such: check karpenter.nodePools")
    )


def _add_class(spec: Field, name: str, draft: Draft) -> str:
    """Notes which template the pool names, and returns its kind; `provider` is such a template in place."""
    reference = spec.at("providerRef")
    kind = reference.at("kind").text() or aws_node_template.KIND
    template = given(name=name, kind=kind, node_class=reference.at("name").text())
    reference.raw()
    spec.at("provider").raw()
    draft.add(CLASS_OF_POOL, spec.source, template)
    return kind


def _with_defaults(requirements: list[Part]) -> list[Part]:
    """What AWS added where a Provisioner left it open."""
    known = {each["key"] for each in requirements}
    added = [_one_of(ARCH_LABEL, "amd64"), _one_of(CAPACITY_TYPE, CapacityType.ON_DEMAND.value)]
    made = [*requirements, *(each for each in added if each["key"] not in known)]
    if known.isdisjoint((MACHINE_TYPE_LABEL, _FAMILY, _CATEGORY, _GENERATION)):
        newer = given(key=_GENERATION, operator=RequirementWord.GT.value, values=["2"])
        made += [_one_of(_CATEGORY, "c", "m", "r"), newer]
    return made


def _one_of(key: str, *values: str) -> Part:
    return given(key=key, operator=RequirementWord.IN.value, values=list(values))


def _disruption(spec: Field) -> Part:
    """Nodes were consolidated, or went some time after they were empty, or stayed."""
    after = spec.at("ttlSecondsAfterEmpty").seconds()
    if spec.at("consolidation", "enabled").flag():
        return {"consolidationPolicy": ConsolidationPolicy.WHEN_EMPTY_OR_UNDERUTILIZED.value}
    return {"consolidationPolicy": ConsolidationPolicy.WHEN_EMPTY.value, "consolidateAfter": after}
