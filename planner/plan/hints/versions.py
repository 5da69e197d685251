"""Hints on settings that a plan leaves to its version of Kubernetes."""

import json
from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.derived.kubernetes.versions import older_defaults
from planner.plan.files.places import where_of
from planner.plan.hints.hint import Hint
from planner.plan.model.plan import Plan


def version_hints(plan: Plan) -> Iterator[Hint]:
    """Defaults of older autoscalers that act in this plan."""
    if not plan.cluster_autoscaler.enabled:
        return
    changed = plan.cluster_autoscaler.model_copy(update=older_defaults(plan))
    written = changed.model_dump(mode="json", by_alias=True)
    for name in older_defaults(plan):
        where = where_of(Plan, ("cluster_autoscaler", name))
        value = json.dumps(written[where.rpartition(".")[2]])
        text = tr(
            "Not given, so it is {value}, the default of Kubernetes {kubernetes_version}.",
            value=value,
            kubernetes_version=plan.kubernetes_version,
        )
        yield Hint(where, text, tr("Give it if your autoscaler runs with another value."))
