"""From series of any source to courses of the workloads and pools of a plan, one series at a time."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.errors import MeasuredProblem
from planner.language.translation import marked, tr
from planner.measured.binning import Bins, Cleaned, cleaned, means, rates, usual_step
from planner.measured.measured_cluster import Course, MeasuredCluster, Subject
from planner.measured.node_boots import NodeBoots
from planner.measured.owners import THE_CLUSTER, Owner, PlanOwners, labels_text, owner_of, pool_of, without_ending
from planner.measured.quantities import OWNER_METRICS, REQUEST_METRICS, KnownMetric, Quantity, known_metric
from planner.measured.raw_series import RawSeries
from planner.plan.model.plan import Plan

_LEAST_STEP_S, _USUAL_STEP_S = 15, 60
_MOST_STEPS = 600_000
"""More than a year of minutes."""
_MOST_LISTED = 20
_FEW_RESETS = 3
_OWNERS_REMEDY = marked("Name their workload with a label such as workload, deployment or pod, and their namespace.")


class _Key(NamedTuple):
    """What is summed up together."""

    quantity: Quantity
    metric: str
    owner: Owner


class Collector:
    """Takes in series and gives what was measured of a plan."""

    def __init__(self, plan: Plan, source: str, step_s: int | None = None) -> None:
        """`step_s`: length of a step in seconds; None: that of the first course, at least a minute."""
        self._owners = PlanOwners(plan)
        self._source = source
        self._step_s = step_s
        self._sums: dict[_Key, _Sum] = {}
        self._span: dict[tuple[Quantity, str], tuple[float, float]] = {}
        self._controllers: dict[Owner, str] = {}
        self._above: dict[tuple[str, str], str] = {}
        self._pools: dict[str, str] = {}
        self._boots = NodeBoots()
        self._moments: dict[tuple[Quantity, str, str], float] = {}
        self._unknown: Counter[str] = Counter()
        self._mended: Counter[str] = Counter()
        self.samples = 0

    def take(self, series: RawSeries, hint: Quantity | None = None, metric: str = "") -> None:
        """Take in a series. Raises MeasuredProblem.

        `hint`: what it says if its name does not tell; `metric`: what a series without a name was made of.
        """
        self.samples += len(series.times_s)
        if series.name in OWNER_METRICS:
            self._note_owner(series)
            return
        known = known_metric(series.name) or (KnownMetric(hint) if hint is not None else None)
        if known is None:
            self._unknown[series.name or labels_text(series.labels)] += 1
            return
        if not known.counts(series.labels):
            return
        clean = cleaned(series.times_s, series.values)
        self._mended[tr("samples at a time that had one already")] += clean.duplicates
        self._mended[tr("series that were not in order of time")] += clean.disordered
        if len(clean.times_s) and clean.values.min() < 0:
            problem = tr("The series has negative values, such as {values:g}.", values=clean.values.min())
            raise MeasuredProblem(series.place, problem, tr("Give rate(...) of a counter, or the counter itself."))
        if known.quantity.is_of_pods:
            self._note_moment(series.labels, known.quantity, clean)
        elif known.quantity is Quantity.NODE_CREATED:
            self._boots.note_created(series.labels.get("node", ""), clean)
        elif known.quantity.is_length:
            self._boots.note_lengths(known.quantity, self._name(owner_of(series.labels)), clean)
        elif len(clean.times_s):
            owner = THE_CLUSTER if known.quantity is Quantity.PENDING else owner_of(series.labels)
            if known.quantity is Quantity.NODES and owner.kind == "node":
                self._boots.note_ready(owner.name, clean)
            self._add(_Key(known.quantity, series.name or metric, owner), known, clean)

    def measured(self) -> MeasuredCluster:
        """What was taken in, of the plan's workloads and pools. Raises MeasuredProblem if that is nothing."""
        found, without = self._by_subject()
        if not found:
            raise self._nothing(without)
        start = min(part.first for parts in found.values() for part in parts)
        end = max(part.first + len(part.values) for parts in found.values() for part in parts)
        if end - start > _MOST_STEPS:
            problem = tr("The series cover {end} steps of {step_s} s.", end=end - start, step_s=self._step_s)
            raise MeasuredProblem(self._source, problem, tr("Choose a longer --step, or a part with --since."))
        courses = {subject: _course(parts, start, end, subject.quantity.is_sum) for subject, parts in found.items()}
        step_s = self._step_s or _USUAL_STEP_S
        return MeasuredCluster(
            start * step_s, step_s, end - start, courses, self._spans(Quantity.STARTED, Quantity.READY_SINCE),
            self._source, self._notes(without), self._spans(Quantity.SCHEDULED, Quantity.STARTED),
            self._boots.launches(self._name_of_node, _of(courses, Quantity.NODES_WANTED), start * step_s, step_s),
            self._boots.boots(self._name_of_node, step_s),
        )  # fmt: skip

    def _add(self, key: _Key, known: KnownMetric, clean: Cleaned) -> None:
        if self._step_s is None:
            spacing = round(usual_step(clean.times_s))
            self._step_s = max(_USUAL_STEP_S, spacing - spacing % _LEAST_STEP_S)
        if known.is_counter:
            bins = rates(clean.times_s, clean.values, self._step_s)
            if bins.resets > _FEW_RESETS and 2 * bins.resets > len(clean.values):
                self._mended[tr("counters that mostly fall, which are none, are left out")] += 1
                return
            self._mended[tr("counters that began anew")] += bins.resets
            self._mended[tr("counters with a single sample, which tells no rate")] += not len(bins.values)
        else:
            holds = known.quantity in (Quantity.REPLICAS, Quantity.NODES_WANTED)
            bins = means(clean.times_s, clean.values, self._step_s, holds=holds)
        if not len(bins.values):
            return
        if known.is_counter:
            span = (key.quantity, key.metric)
            begin, end = self._span.get(span, (np.inf, -np.inf))
            self._span[span] = min(begin, float(clean.times_s[0])), max(end, float(clean.times_s[-1]))
        self._sums.setdefault(key, _Sum()).add(bins)

    def _note_owner(self, series: RawSeries) -> None:
        labels = series.labels
        namespace = labels.get("namespace", "")
        if series.name == "kube_node_labels":
            self._pools[labels.get("node", "")] = pool_of(labels)
        elif series.name == "kube_replicaset_owner":
            self._above[namespace, labels.get("replicaset", "")] = labels.get("owner_name", "")
        elif labels.get("owner_name"):
            owner = Owner("pods", namespace, labels.get("pods") or without_ending(labels.get("pod", "")))
            self._controllers[owner] = labels["owner_name"]

    def _note_moment(self, labels: Mapping[str, str], quantity: Quantity, clean: Cleaned) -> None:
        pod, namespace = labels.get("pod", ""), labels.get("namespace", "")
        if not pod or not len(clean.values):
            return
        place = (quantity, namespace, pod)
        moment, known = float(clean.values.min()), self._moments.get(place)
        later = quantity is Quantity.STARTED  # of the containers of a pod the last one counts
        self._moments[place] = moment if known is None else (max if later else min)(known, moment)

    def _spans(self, begin: Quantity, end: Quantity) -> dict[str, NDArray[np.float64]]:
        """Per workload, from one moment to another in the life of each of its pods, in seconds."""
        found: dict[str, list[float]] = {}
        for (quantity, namespace, pod), began in self._moments.items():
            ended = self._moments.get((end, namespace, pod)) if quantity is begin else None
            if ended is not None and ended >= began:
                name = self._name(Owner("pods", namespace, without_ending(pod)))
                if name:
                    found.setdefault(name, []).append(ended - began)
        return {name: np.array(sorted(seconds)) for name, seconds in sorted(found.items())}

    def _name_of_node(self, node: str) -> str:
        return self._name(Owner("node", "", node))

    def _name(self, owner: Owner) -> str:
        if owner.kind == "node" and self._pools.get(owner.name):
            return self._owners.found(Owner("pool", "", self._pools[owner.name]), {})
        if owner.kind == "pods" and owner in self._controllers:
            above = self._above.get((owner.namespace, self._controllers[owner]))
            known = {owner: above or self._controllers[owner]}
            return self._owners.found(owner, known)
        return self._owners.found(owner, {})

    def _by_subject(self) -> tuple[dict[Subject, list["_Sum"]], Counter[str]]:
        """The sums of each subject, of one metric each; and how many series belong to nothing of the plan."""
        metrics: dict[Subject, dict[str, list[_Sum]]] = {}
        without: Counter[str] = Counter()
        for key, part in self._sums.items():
            name = self._name(key.owner)
            if not name:
                text = tr("{quantity} of {owner}", quantity=key.quantity, owner=key.owner)
                if self._owners.is_shared(key.owner):
                    text = tr("{text} (several workloads have this name)", text=text)
                without[text] += part.series
                continue
            part.trim(self._span.get((key.quantity, key.metric)), self._step_s or _USUAL_STEP_S)
            metrics.setdefault(Subject(key.quantity, name), {}).setdefault(key.metric, []).append(part)
        found = {subject: parts[min(parts, key=_rank)] for subject, parts in sorted(metrics.items())}
        return found, without

    def _notes(self, without: Counter[str]) -> tuple[str, ...]:
        notes = [f"{count} {what}" for what, count in self._mended.items() if count]
        if without:
            notes.append(tr("series that belong to nothing in the plan: {listed}", listed=_listed(without)))
        if self._unknown:
            notes.append(tr("metrics that are not known: {listed}", listed=_listed(self._unknown)))
        return tuple(notes)

    def _nothing(self, without: Counter[str]) -> MeasuredProblem:
        if without:
            problem = tr(
                "No series belongs to a workload or pool of the plan; there are {listed}.", listed=_listed(without)
            )
            return MeasuredProblem(self._source, problem, tr(_OWNERS_REMEDY))
        if self._unknown:
            problem = tr("No metric is known; there are {listed}.", listed=_listed(self._unknown))
            remedy = tr("Name the file after what it holds, such as requests.json, cpu.json or ready.json.")
            return MeasuredProblem(self._source, problem, remedy)
        mended = ", ".join(f"{count} {what}" for what, count in self._mended.items() if count)
        problem = tr("There is nothing to use: {mended}.", mended=mended) if mended else tr("There are no samples.")
        return MeasuredProblem(self._source, problem, tr("Choose a longer window, or give another metric."))


class _Sum:
    """Series of one owner added up, step by step."""

    def __init__(self) -> None:
        self.first = 0
        self.values: NDArray[np.float32] = np.empty(0, dtype=np.float32)
        self.counts: NDArray[np.uint32] = np.empty(0, dtype=np.uint32)
        """Series that have a value."""
        self.series = 0

    def add(self, bins: Bins) -> None:
        """Add a series."""
        self.series += 1
        if not len(self.values):
            self.first = bins.first
        begin = min(self.first, bins.first)
        end = max(self.first + len(self.values), bins.first + len(bins.values))
        if end - begin > _MOST_STEPS:
            problem = tr("The samples of a series are years apart.")
            raise MeasuredProblem("times", problem, tr("Check the unit of the times, or choose a longer --step."))
        before, after = self.first - begin, end - self.first - len(self.values)
        if before or after:
            self.values = np.pad(self.values, (before, after))
            self.counts = np.pad(self.counts, (before, after))
            self.first = begin
        at = slice(bins.first - begin, bins.first - begin + len(bins.values))
        known = ~np.isnan(bins.values)
        self.values[at] += np.where(known, bins.values, 0.0).astype(np.float32)
        self.counts[at] += known

    def trim(self, span: tuple[float, float] | None, step_s: int) -> None:
        """Forget steps that are not wholly within what was sampled at all."""
        if span is not None:
            begin, end = int(np.ceil(span[0] / step_s)), int(span[1] // step_s)
            self.counts[: max(0, begin - self.first)] = 0
            self.counts[max(0, end - self.first) :] = 0


def _course(parts: Iterable[_Sum], start: int, end: int, is_sum: bool) -> Course:
    values = np.zeros(end - start, dtype=np.float32)
    counts = np.zeros(end - start, dtype=np.uint32)
    for part in parts:
        at = slice(part.first - start, part.first - start + len(part.values))
        values[at] += np.where(part.counts > 0, part.values, np.float32(0.0))
        counts[at] += part.counts
    if not is_sum:
        values /= np.maximum(counts, 1)
    values[counts == 0] = np.nan
    return values


def _of(courses: Mapping[Subject, Course], quantity: Quantity) -> dict[str, Course]:
    return {subject.name: course for subject, course in courses.items() if subject.quantity is quantity}


def _rank(metric: str) -> int:
    return REQUEST_METRICS.index(metric) if metric in REQUEST_METRICS else -1


def _listed(names: Counter[str]) -> str:
    shown = [f"{name} ({count})" if count > 1 else name for name, count in sorted(names.items())[:_MOST_LISTED]]
    return ", ".join(shown) + (
        tr(" and {count} more", count=len(names) - _MOST_LISTED) if len(names) > _MOST_LISTED else ""
    )
