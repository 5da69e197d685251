"""RuntimeClasses with their overhead."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part, given
from planner.kube.files.field import Field
from planner.kube.manifest import framed, name_of
from planner.kube.pods.pod_manifest import resource_list
from planner.kube.pods.pod_template import resources
from planner.plan.model.plan import Plan

KIND, GROUPS = "RuntimeClass", ("node.k8s.io",)


def read(manifest: Field, draft: Draft) -> None:
    """Overhead; where its pods may run is left out."""
    manifest.at("handler").text()
    overhead = resources(manifest.at("overhead", "podFixed"), draft.losses)
    draft.add("runtimeClasses", manifest.source, given(name=name_of(manifest), overhead=overhead))


def write(plan: Plan) -> Iterator[Part]:
    """All classes of the plan."""
    for known in plan.runtime_classes:
        fixed = resource_list(known.overhead)
        yield framed("node.k8s.io/v1", KIND, known.name, handler=known.name) | given(overhead=given(pod_fixed=fixed))
