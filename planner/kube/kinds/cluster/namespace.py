"""Namespaces: their labels matter to namespace selectors of pod affinity."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part
from planner.kube.files.field import Field
from planner.kube.manifest import framed, name_of
from planner.plan.model.plan import Plan

KIND, GROUPS = "Namespace", ("",)
NAME_LABEL = "kubernetes.io/metadata.name"


def read(manifest: Field, draft: Draft) -> None:
    """Every namespace has its name as a label, as the API server sets it."""
    name = name_of(manifest)
    manifest.at("spec").raw()
    labels = manifest.at("metadata", "labels").labels()
    draft.add("namespaces", manifest.source, {"name": name, "labels": {**labels, NAME_LABEL: name}})


def write(plan: Plan) -> Iterator[Part]:
    """The namespaces that the plan knows or uses."""
    labels = {namespace.name: dict(namespace.labels) for namespace in plan.namespaces}
    used = [workload.namespace for workload in plan.workloads]
    used += [budget.namespace for budget in plan.pod_disruption_budgets]
    for name in dict.fromkeys((*labels, *used)):
        if name == "default" and name not in labels:
            continue
        manifest = framed("v1", KIND, name)
        if labels.get(name):
            manifest["metadata"]["labels"] = labels[name]
        yield manifest
