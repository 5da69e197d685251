"""Where pods may and should run: node selectors, spreading, affinity and tolerations."""

from enum import StrEnum

from pydantic import Field

from planner.matching.selectors import SelectorOperator
from planner.matching.taints import TaintEffect, TolerationOperator
from planner.plan.values.fields import (
    INT32_MAX,
    DurationUs,
    Labels,
    PlanModel,
    required,
    setting,
)


class NodeSelectorRequirement(PlanModel):
    """One expression on a node's labels."""

    key: str = required("Key", "Label key.", min_length=1, max_length=317)
    operator: SelectorOperator = required("Operator", "How the label is compared.")
    values: tuple[str, ...] = setting((), "Values", "Values for In and NotIn; one integer for Gt and Lt.")


class NodeSelectorTerm(PlanModel):
    """Expressions that must all hold."""

    match_expressions: tuple[NodeSelectorRequirement, ...] = setting(
        (), "Expressions", "All must hold; a term without expressions and fields matches no node."
    )
    match_fields: tuple[NodeSelectorRequirement, ...] = setting(
        (), "Fields", "Expressions on metadata.name: In or NotIn with exactly one value."
    )


class PreferredNodeTerm(PlanModel):
    """A node affinity term that adds points instead of excluding nodes."""

    weight: int = required("Weight", "Points of a node that matches.", ge=0, le=100)
    preference: NodeSelectorTerm = required("Preference", "What the node should match.")


class LabelSelector(PlanModel):
    """Chooses pods by their labels; empty chooses all."""

    match_labels: Labels = Field(
        default_factory=dict,
        title="Labels",
        description="Labels a pod must have.",
        json_schema_extra={"unit": ""},
    )
    match_expressions: tuple[NodeSelectorRequirement, ...] = setting((), "Expressions", "All must hold.")


class UnsatisfiableAction(StrEnum):
    """What a spread constraint does when it cannot be met."""

    DO_NOT_SCHEDULE = "DoNotSchedule"
    SCHEDULE_ANYWAY = "ScheduleAnyway"


class NodeInclusionPolicy(StrEnum):
    """Whether nodes the pod may not use count in a spread constraint."""

    HONOR = "Honor"
    IGNORE = "Ignore"


class TopologySpreadConstraint(PlanModel):
    """Spreads pods evenly over the values of a node label."""

    max_skew: int = required(
        "Max skew",
        "Number of pods by which a domain may exceed the domain with the fewest.",
        unit="pods",
        ge=1,
        le=INT32_MAX,
    )
    topology_key: str = required("Topology key", "Node label that defines the domains.", min_length=1, max_length=317)
    when_unsatisfiable: UnsatisfiableAction = setting(
        UnsatisfiableAction.DO_NOT_SCHEDULE, "When unsatisfiable", "Refuse the node, or only prefer others."
    )
    label_selector: LabelSelector | None = setting(
        None, "Label selector", "Pods that are counted; if not given, none are."
    )
    min_domains: int = setting(1, "Min domains", "With fewer domains the minimum counts as 0.", ge=1, le=INT32_MAX)
    node_affinity_policy: NodeInclusionPolicy = setting(
        NodeInclusionPolicy.HONOR, "Node affinity policy", "Honor: nodes excluded by the pod's affinity do not count."
    )
    node_taints_policy: NodeInclusionPolicy = setting(
        NodeInclusionPolicy.IGNORE, "Node taints policy", "Honor: nodes with untolerated taints do not count."
    )
    match_label_keys: tuple[str, ...] = setting(
        (), "Match label keys", "Keys whose value in the pod's own labels is added to the selector."
    )


class PodAffinityTerm(PlanModel):
    """Pods chosen by label and namespace, and the node label that defines the domains."""

    topology_key: str = required(
        "Topology key", "Node label; nodes with the same value form one domain.", min_length=1, max_length=317
    )
    label_selector: LabelSelector | None = setting(
        None, "Label selector", "Pods that attract or repel; if not given, no pod does."
    )
    namespaces: tuple[str, ...] = setting(
        (), "Namespaces", "Namespaces of those pods; without these and without a namespace selector, the pod's own."
    )
    namespace_selector: LabelSelector | None = setting(
        None, "Namespace selector", "Further namespaces by their labels; empty chooses all."
    )
    match_label_keys: tuple[str, ...] = setting(
        (), "Match label keys", "Keys whose value in the pod's own labels the other pods must share."
    )
    mismatch_label_keys: tuple[str, ...] = setting(
        (), "Mismatch label keys", "Keys whose value in the pod's own labels the other pods must not have."
    )


class WeightedPodAffinityTerm(PlanModel):
    """An affinity term that adds or subtracts points instead of excluding nodes."""

    weight: int = required("Weight", "Points for each matching pod of the domain.", ge=0, le=100)
    pod_affinity_term: PodAffinityTerm = required("Term", "The pods and the domain.")


class Toleration(PlanModel):
    """Allows a pod on nodes whose taint would repel it."""

    key: str = setting("", "Key", "Taint key; empty with Exists tolerates every taint.", max_length=317)
    operator: TolerationOperator = setting(
        TolerationOperator.EQUAL, "Operator", "Equal compares the value too; Gt and Lt compare numbers."
    )
    value: str = setting("", "Value", "Taint value for Equal, number for Gt and Lt.", max_length=63)
    effect: TaintEffect | None = setting(None, "Effect", "Empty means every effect.")
    toleration_seconds: DurationUs | None = setting(
        None, "For", "How long a NoExecute taint is tolerated; empty means forever.", unit="s"
    )

    @property
    def toleration_us(self) -> int | None:
        """The same, under the name of its unit."""
        return self.toleration_seconds
