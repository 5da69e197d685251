"""Maps node names to those in the plan, for pods that name their node."""

from planner.kube.draft.draft import Draft, Part
from planner.language.translation import tr

HOSTNAME = "kubernetes.io/hostname"
_NAME_FIELD = "metadata.name"
_LISTS = ("requiredNodeAffinity", "preferredNodeAffinity")


def rename_nodes(pod: Part, draft: Draft) -> None:
    """Changes nodeName, the host name in selectors, and names in node affinity, where the node was imported."""
    if "nodeName" in pod:
        pod["nodeName"] = _new(pod["nodeName"], draft)
    selector = pod.get("nodeSelector", {})
    if HOSTNAME in selector:
        selector[HOSTNAME] = _new(selector[HOSTNAME], draft)
    for name in _LISTS:
        for term in pod.get(name, []):
            _rename_in_term(term.get("preference", term), draft)


def _rename_in_term(term: Part, draft: Draft) -> None:
    for requirement in (*term.get("matchExpressions", []), *term.get("matchFields", [])):
        if requirement.get("key") in (HOSTNAME, _NAME_FIELD) and "values" in requirement:
            requirement["values"] = [_new(value, draft) for value in requirement["values"]]


def _new(name: str, draft: Draft) -> str:
    """An unknown node stays unknown: its pods wait, as they would in the cluster."""
    if name not in draft.node_names:
        draft.losses.remark(
            tr("pods name the node {name}, which is not among the manifests; they will stay pending", name=name[:60])
        )
    return draft.node_names.get(name, name)
