"""ResourceQuotas: what the pods of a namespace may use together."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part, given
from planner.kube.files.field import Field
from planner.kube.manifest import framed, name_of, namespace_of
from planner.kube.pods.pod_manifest import resource_list
from planner.kube.pods.pod_template import resources
from planner.language.translation import marked, tr
from planner.plan.model.plan import Plan

KIND, GROUPS = "ResourceQuota", ("",)
_PODS = ("pods", "count/pods")
_REQUESTS, _LIMITS = "requests.", "limits."
_PLAIN = ("cpu", "memory", "ephemeral-storage")
_OTHER = marked("a plan has quotas on pods and on their requests and limits only")
_SCOPED = marked("quotas for some pods of a namespace only are not modelled")


def read(manifest: Field, draft: Draft) -> None:
    """Bounds on pods, requests and limits; bounds on other objects are left out."""
    spec = manifest.at("spec")
    name, namespace = name_of(manifest), namespace_of(manifest)
    if spec.at("scopes").items() or spec.at("scopeSelector").is_given:
        manifest.raw()
        draft.losses.add(KIND, "spec.scopes", tr(_SCOPED))
        return
    hard = spec.at("hard")
    pods = [count for key in _PODS if (count := hard.at(key).count()) is not None]
    requests: Part = {}
    limits: Part = {}
    for key in hard.map():
        if key in _PODS:
            continue
        if key.startswith(_LIMITS):
            limits[key.removeprefix(_LIMITS)] = hard.at(key).raw()
        elif key in _PLAIN or (key.startswith(_REQUESTS) and not key.endswith("requests.storage")):
            requests.setdefault(key.removeprefix(_REQUESTS), hard.at(key).raw())
        else:
            hard.at(key).raw()
            draft.losses.add(KIND, f"spec.hard.{key[:60]}", tr(_OTHER))
    part = given(
        name=name,
        pods=min(pods) if pods else None,
        requests=resources(hard.replaced(requests), draft.losses),
        limits=resources(hard.replaced(limits), draft.losses),
    )
    if len(part) > 1:
        draft.quotas.setdefault(namespace, []).append(part)


def write(plan: Plan) -> Iterator[Part]:
    """All quotas of the plan."""
    for namespace in plan.namespaces:
        for quota in namespace.resource_quotas:
            hard = {} if quota.pods is None else {"pods": str(quota.pods)}
            hard |= {f"{_REQUESTS}{name}": text for name, text in resource_list(quota.requests).items()}
            hard |= {f"{_LIMITS}{name}": text for name, text in resource_list(quota.limits).items()}
            yield framed("v1", KIND, quota.name, namespace.name, spec={"hard": hard})
