"""Pods run where their volumes are: node affinity of bound volumes joins that of the pods.

Source: Kubernetes 1.36, pkg/scheduler/framework/plugins/volumebinding/binder.go (checkBoundClaims).
"""

import copy
from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part
from planner.kube.files.field import Field
from planner.plan.model.node_groups import ZONE_LABEL

_REQUIRED = "requiredNodeAffinity"
_ZONES = (ZONE_LABEL, "failure-domain.beta.kubernetes.io/zone")


def bind_volumes(pod: Part, spec: Field, namespace: str, draft: Draft) -> None:
    """Adds to the template `pod` where the bound volumes of its claims can be attached."""
    for volume in spec.at("volumes").items():
        claim = volume.map().get("persistentVolumeClaim")
        name = claim.get("claimName") if isinstance(claim, dict) else None
        terms = draft.nodes_of_claim(namespace, str(name))
        if name is None or terms is None:
            continue
        volume.at("persistentVolumeClaim").raw()
        if terms:
            pod[_REQUIRED] = list(_both(pod.get(_REQUIRED), terms))


def claim_zones(claims: list[str], ordinals: range, owner: str, namespace: str, draft: Draft) -> list[str]:
    """Zones of the volumes of a StatefulSet, from its first ordinal on; empty where one is not known.

    `claims`: names of its claim templates.
    """
    zones = [_zone([f"{claim}-{owner}-{ordinal}" for claim in claims], namespace, draft) for ordinal in ordinals]
    while zones and not zones[-1]:
        zones.pop()
    return zones


def _zone(claims: list[str], namespace: str, draft: Draft) -> str:
    """The zone of the first of these claims that has one."""
    for claim in claims:
        for term in draft.nodes_of_claim(namespace, claim) or ():
            for requirement in term.get("matchExpressions", ()):
                values = requirement.get("values", ())
                if requirement.get("key") in _ZONES and requirement.get("operator") == "In" and len(values) == 1:
                    return str(values[0])
    return ""


def _both(own: list[Part] | None, volume: list[Part]) -> Iterator[Part]:
    """Terms of which one holds exactly where one of each list holds. An empty term holds nowhere."""
    for term in volume:
        if own is None:
            yield copy.deepcopy(term)
            continue
        for other in own:
            joined = {key: [*other.get(key, []), *term.get(key, [])] for key in ("matchExpressions", "matchFields")}
            kept = {key: value for key, value in joined.items() if value}
            yield copy.deepcopy(kept) if other and term else {}
