"""Whether runs use the kernels, and if not, why."""

import os
from functools import cache
from importlib import import_module

from planner.kernels.sources import fingerprint
from planner.language.translation import marked, tr

VARIABLE = "HEADROOM_KERNELS"
"""Environment variable; `off` switches the kernels off, here and in the processes that this one starts."""
OFF = "off"
KERNELS = (
    "load.calm_load",
    "load.cpu_time",
    "load.load_rows",
    "load.load_totals",
    "load.mixtures",
    "load.moved_pods",
    "load.quota_pod",
    "load.quota_responses",
    "load.quota_step",
    "load.regrouped_pods",
    "load.request_order",
    "load.resident_memory",
    "metrics.alike_samples",
    "metrics.folded_syncs",
    "metrics.group_sums",
    "metrics.pod_samples",
    "metrics.pod_totals",
    "metrics.shown_samples",
    "placing.candidate_walk",
    "placing.counter_columns",
    "placing.node_choice",
    "placing.node_columns",
    "placing.pod_rows",
    "placing.resource_scores",
    "placing.room_on_node",
    "placing.spread_points",
    "placing.trial_placing",
)
NOT_BUILT = marked("not built")
OUT_OF_DATE = marked("built from other sources")
SWITCHED_OFF = "switched off"


def switch_off() -> None:
    """From now on runs of this process, and of those that it starts, use the twins."""
    os.environ[VARIABLE] = OFF


def why_not() -> str:
    """Why runs do not use the kernels; empty if they do."""
    return SWITCHED_OFF if os.environ.get(VARIABLE) == OFF else why_missing()


def in_use() -> bool:
    """Whether runs use the kernels."""
    return not why_not()


@cache
def why_missing() -> str:
    """Why there are no kernels to use; empty if there are."""
    try:
        built = [import_module(f"planner.kernels.{name}") for name in KERNELS]
    except ImportError:
        return NOT_BUILT
    fresh = (fingerprint(name) in (0, kernel.SOURCE) for name, kernel in zip(KERNELS, built, strict=True))
    return "" if all(fresh) else OUT_OF_DATE


def in_words() -> str:
    """The state of the kernels for people."""
    why = why_not()
    if not why:
        return tr("compiled kernels in use")
    if why == SWITCHED_OFF:
        return tr("compiled kernels switched off ({variable}={off})", variable=VARIABLE, off=OFF)
    return tr("compiled kernels {why}: runs are the same, but slower", why=tr(why))
