"""Containers and requests of living pods, which count instead of the template of their controller.

Between a template and its pods are admission webhooks (sidecars), LimitRange defaults and the vertical pod autoscaler.
The choice among the pods of a controller: those of its newest template; of these the most common shape; of equally
common ones that of the youngest pod. The newest template is the one that the controller names or numbers as the newest
(update revision of a StatefulSet, revision number of a ReplicaSet), else the one whose first living pod is youngest.
"""

from typing import Any

from pydantic import ValidationError

from planner.kube.draft.draft import Draft, ObjectKey, Part
from planner.kube.draft.living import LivingShape, Revision
from planner.kube.files.field import Field
from planner.kube.files.source import Source
from planner.kube.pods.pod_difference import pod_difference
from planner.kube.pods.pod_template import read_containers
from planner.language.translation import tr
from planner.plan.model.pods.pod_template import PodTemplate

_DEPLOYED, _NUMBERED = "pod-template-hash", "controller-revision-hash"
_REVISION = "deployment.kubernetes.io/revision"
_ENDED = ("Succeeded", "Failed")
Living = dict[ObjectKey, list[tuple[tuple[Any, ...], Revision]]]
"""By controller: its templates with living pods, each with what orders them from old to new."""


def note_newest(manifest: Field, key: ObjectKey, draft: Draft) -> None:
    """What a controller says about its newest template."""
    number = manifest.at("metadata", "annotations", _REVISION).value
    if isinstance(number, str) and number.isdigit() and len(number) < 10:
        draft.revisions[key] = int(number)
    name = manifest.at("status", "updateRevision").value
    if isinstance(name, str):
        draft.update_revisions[key] = name


def note_living(draft: Draft, owner: ObjectKey, pod: Any, source: Source) -> None:
    """A pod of a controller; one that has ended or is going does not count. Wrong types are left to the template."""
    try:
        metadata, spec = pod["metadata"], pod["spec"]
        if "deletionTimestamp" in metadata or pod["status"]["phase"] in _ENDED:
            return
        labels = metadata.get("labels") or {}
        revision = labels.get(_DEPLOYED, labels.get(_NUMBERED, ""))
        parts = (*spec["containers"], *(spec.get("initContainers") or ()))
        needs = [(part["name"], part.get("restartPolicy"), part.get("resources")) for part in parts]
        shape = (len(spec["containers"]), needs, spec.get("resources"))
        created = metadata.get("creationTimestamp") or ""
        template = draft.living.get((owner, revision))
        if template is None:
            template = draft.living[owner, revision] = Revision(created)
        if created < template.first:
            template.first = created
        known = template.latest
        if known is None or known.needs != shape:
            text = repr(shape)
            known = template.shapes.get(text)
            if known is None:
                known = template.shapes[text] = LivingShape(pod, source, created, shape)
            template.latest = known
        if created > known.youngest:
            known.youngest = created
        known.count += 1
    except (KeyError, TypeError, AttributeError):
        return


def living_by_controller(draft: Draft) -> Living:
    """Living pods of each controller; those of a ReplicaSet count for its Deployment."""
    found: Living = {}
    for (owner, revision), template in draft.living.items():
        above = draft.controllers.get(owner)
        top = above if owner[0] == "ReplicaSet" and above is not None and above in draft.controllers else owner
        is_named = bool(revision) and draft.update_revisions.get(top) == revision
        age = (is_named, draft.revisions.get(owner, -1), template.first, revision)
        found.setdefault(top, []).append((age, template))
    return found


def with_living_containers(pod: Part, key: ObjectKey, living: Living, draft: Draft) -> Part:
    """The template of a controller with the containers of its living pods, if it has any that differ."""
    templates = living.get(key)
    if not templates:
        return pod
    _age, newest = max(templates, key=lambda entry: entry[0])
    shapes = newest.shapes.values()
    shape = max(shapes, key=lambda each: (each.count, each.youngest))
    found = _containers(shape.manifest, shape.source, pod, draft)
    try:
        difference = pod_difference(PodTemplate.model_validate(pod), PodTemplate.model_validate({**pod, **found}))
    except ValidationError:
        return pod  # the check of the plan says what is wrong with the template
    if difference is None:
        return pod
    others = len(shapes) - 1
    more = tr("; {others} other shapes of its pods are less common or older", others=others) if others else ""
    draft.losses.take(f"{key[0]} {key[1]}/{key[2]}: {difference}{more}")
    kept = {
        name: part for name, part in pod.items() if name not in ("containers", "initContainers", "resources", "limits")
    }
    return kept | found


def _containers(manifest: Any, source: Source, pod: Part, draft: Draft) -> Part:
    """Of a living pod; the template's containers first, because the first one does the work of requests."""
    found = read_containers(Field(manifest, source).at("spec"), draft)
    own = [container["name"] for container in pod["containers"]]
    places = {name: place for place, name in enumerate(own)}
    found["containers"] = sorted(found["containers"], key=lambda part: places.get(part["name"], len(own)))
    return found
