"""How old nodes and pods are at the time of a dump, which is that of its newest time stamp."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from planner.kube.draft.draft import Draft, ObjectKey
from planner.language.translation import marked, tr
from planner.plan.values.fields import MAX_DURATION_US
from planner.units import US_PER_S, format_duration

_REMARK = marked("ages at the start are those of the dump, whose newest time stamp is {time}")
_LENGTH = len("2026-01-01T00:00:00Z")
_TIMES = ("lastHeartbeatTime", "lastTransitionTime")
Age = dict[str, str]
"""The setting of a pool or workload; empty where nothing says how old it is."""


def note_times(manifest: Mapping[str, Any], draft: Draft) -> None:
    """An object was created, and its status was renewed, at the time of the dump at the latest.

    The API server writes all times in UTC and in one form, so that they compare as text.
    """
    metadata, status = manifest.get("metadata"), manifest.get("status")
    if isinstance(metadata, dict):
        _note(metadata.get("creationTimestamp"), draft)
    conditions = status.get("conditions") if isinstance(status, dict) else None
    for condition in conditions if isinstance(conditions, list) else ():
        if isinstance(condition, dict):
            for name in _TIMES:
                _note(condition.get(name), draft)


def _note(text: Any, draft: Draft) -> None:
    if isinstance(text, str) and text > draft.newest_time and moment(text) is not None:
        draft.newest_time = text


def moment(text: str) -> datetime | None:
    """A time stamp in the spelling of the API server; None for anything else."""
    try:
        return datetime.fromisoformat(text) if len(text) == _LENGTH and text.endswith("Z") else None
    except ValueError:
        return None


def age_of(created: Sequence[str], draft: Draft) -> Age:
    """The usual age of things with these times of creation: that of the one in the middle."""
    known = sorted(text for text in created if text and moment(text) is not None)
    now = moment(draft.newest_time)
    middle = moment(known[len(known) // 2]) if known else None
    if middle is None or now is None:
        return {}
    draft.losses.remark(tr(_REMARK, time=draft.newest_time))
    age_us = max(0, int((now - middle).total_seconds())) * US_PER_S
    return {"initialAge": format_duration(min(age_us, MAX_DURATION_US))}


def created_at(manifest: Mapping[str, Any]) -> str:
    """When an object was created; empty where it does not say."""
    created = manifest["metadata"].get("creationTimestamp")
    return created if isinstance(created, str) else ""


def note_created(owner: ObjectKey, manifest: Mapping[str, Any], draft: Draft) -> None:
    """A pod of a controller is on a node since about its creation."""
    known = draft.created.get(owner)
    if known is None:
        known = draft.created[owner] = []
    known.append(created_at(manifest))


def ages_by_controller(draft: Draft) -> dict[ObjectKey, list[str]]:
    """When the pods of controllers were created; those of a ReplicaSet count for its Deployment."""
    found: dict[ObjectKey, list[str]] = {}
    for owner, created in draft.created.items():
        above = draft.controllers.get(owner)
        is_inner = owner[0] == "ReplicaSet" and above is not None and above in draft.controllers
        found.setdefault(above if is_inner and above is not None else owner, []).extend(created)
    return found
