"""Services: the scheduler's default constraints spread their pods if no ReplicaSet or StatefulSet owns these."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part, given
from planner.kube.files.field import Field
from planner.kube.manifest import framed, name_of, namespace_of
from planner.language.translation import marked, tr
from planner.plan.model.plan import Plan

KIND, GROUPS = "Service", ("",)
NO_SELECTOR = marked("it has no selector, so no pods of the cluster belong to it")


def read(manifest: Field, draft: Draft) -> None:
    """Name and selector; how requests travel is not simulated."""
    namespace = namespace_of(manifest)
    selector = manifest.at("spec", "selector").labels()
    part = given(name=name_of(manifest), namespace=None if namespace == "default" else namespace, selector=selector)
    if selector:
        draft.add("services", manifest.source, part)
    else:
        draft.losses.add(KIND, "", tr(NO_SELECTOR))


def write(plan: Plan) -> Iterator[Part]:
    """All services with pods; the port is made up, since the API wants one."""
    for service in plan.services:
        if not service.selector:
            continue
        spec = given(selector=dict(service.selector)) | {"ports": [{"port": 80}]}
        yield framed("v1", KIND, service.name, service.namespace, spec=spec)
