"""Cases of KEDA: scale loops, autoscalers and what they read, cron triggers, jobs."""

from datetime import datetime, timedelta
from typing import Any

from planner.keda.rules.cron_window import CronWindow
from planner.keda.rules.hpa_values import TargetState, answer_milli, cached_or_fresh, still_cached
from planner.keda.rules.object_status import ObjectStatus
from planner.keda.rules.scale_loop import KedaCondition, activity_of, scale_step
from planner.keda.rules.scaled_job import (
    Combination,
    JobStrategy,
    JobTrigger,
    ScaledJobSpec,
    job_conditions,
    jobs_to_create,
    queue_state,
)
from planner.keda.rules.scaled_object import (
    COMPOSITE,
    DerivedHpa,
    FallbackBehavior,
    FallbackSpec,
    MetricTarget,
    Modifiers,
    Pauses,
    ScaledObjectSpec,
    TriggerKind,
    TriggerSpec,
    cron_name,
    hpa_of,
    metric_name,
    metric_names,
)
from planner.plan.model.autoscalers.scaled_object import wrong_bound
from planner.plan.values.formula.formula import Formula
from planner.plan.values.zoned_cron import parse_zoned_fields
from planner.units import format_milli, parse_cpu_milli
from planner.workloads.controllers.jobs.job_log import beyond_limit

Case = dict[str, Any]
US = 1_000_000
ANNOTATION = "autoscaling.keda.sh/"


def epoch_us(text: str) -> int:
    """An API time in microseconds since 1970."""
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (moment - datetime.fromisoformat("1970-01-01T00:00:00+00:00")) // timedelta(microseconds=1)


def scaled_object(case: Case) -> tuple[bool, object]:
    return (_cron if case["input"]["kind"] == "cron" else _loop)(case)


def _window(metadata: Case) -> CronWindow:
    start, end = (parse_zoned_fields(metadata[key], metadata["timezone"]) for key in ("start", "end"))
    return CronWindow(start, end, int(metadata["desiredReplicas"]))


def _cron(case: Case) -> tuple[bool, object]:
    metadata, expect = case["input"]["metadata"], case["expect"]
    try:
        window = _window(metadata)
        if window.desired == 0 or metadata["start"] == metadata["end"]:
            raise ValueError("refused; change it")
    except ValueError as error:
        return "error" in expect, str(error)
    values = [window.value(epoch_us(t)) for t in case["input"]["times"]]
    trigger = _trigger({"type": "cron", "metadata": metadata}, 0)
    got = {
        "active": "".join("1" if value else "0" for value in values),
        "values": values,
        "metricName": metric_name(0, trigger),
    }
    return got == expect, got


def _trigger(given: Case, index: int) -> TriggerSpec:
    metadata, kind = given["metadata"], given["type"]
    name = given.get("name") or f"trig{index}"
    target_type = MetricTarget(given.get("metricType") or "AverageValue")
    cached = given.get("useCachedMetrics", False)
    if kind in ("cpu", "memory"):
        value = parse_cpu_milli(str(metadata["value"])) / 1000
        return TriggerSpec(
            TriggerKind(kind), target=value, target_type=target_type, container=metadata.get("containerName", "")
        )
    if kind == "cron":
        own = cron_name(metadata["timezone"], metadata["start"], metadata["end"])
        return TriggerSpec(TriggerKind.EXTERNAL, own, name, 1.0, 0.0, target_type, cached=cached)
    return TriggerSpec(
        TriggerKind.EXTERNAL,
        f"metric-api-{metadata['valueLocation']}",
        name,
        float(metadata["targetValue"]),
        float(metadata.get("activationTargetValue", 0)),
        target_type,
        cached=cached,
    )


def _spec(given: Case) -> ScaledObjectSpec:
    spec = given["spec"]
    advanced = spec.get("advanced") or {}
    modifiers, fallback = advanced.get("scalingModifiers") or {}, spec.get("fallback")
    return ScaledObjectSpec(
        given["metadata"]["name"],
        [_trigger(one, index) for index, one in enumerate(spec["triggers"])],
        spec.get("pollingInterval", 30) * US,
        spec.get("cooldownPeriod", 300) * US,
        spec.get("initialCooldownPeriod", 0) * US,
        spec.get("minReplicaCount"),
        spec.get("maxReplicaCount", 100),
        spec.get("idleReplicaCount"),
        fallback
        and FallbackSpec(
            fallback["failureThreshold"], fallback["replicas"], FallbackBehavior(fallback.get("behavior") or "static")
        ),
        Modifiers(
            modifiers["formula"],
            float(modifiers["target"]),
            float(modifiers.get("activationTarget") or 0),
            MetricTarget(modifiers.get("metricType") or "AverageValue"),
        )
        if modifiers
        else None,
        (advanced.get("horizontalPodAutoscalerConfig") or {}).get("name", ""),
    )


def _pauses(annotations: Case | None) -> Pauses:
    known = {name.removeprefix(ANNOTATION): value for name, value in (annotations or {}).items()}

    def is_on(name: str) -> bool:
        return name in known and known[name] not in ("false", "False", "FALSE", "f", "F", "0")

    return Pauses(
        known.get("paused-replicas"), is_on("paused-scale-in"), is_on("paused-scale-out"), is_on("force-activation")
    )


def _loop(case: Case) -> tuple[bool, object]:
    given, expect = case["input"], case["expect"]
    spec = _spec(given["scaledObject"])
    if wrong_bound(spec.given_min, spec.max_replicas, spec.idle_replicas):
        return expect.get("invalid") == "replicaBounds", "invalid"
    played = _Played(given, spec)
    hpa = hpa_of(spec, played.pauses)
    played.play()
    got: Case = {
        "replicas": played.replicas_seen,
        "lastActive": played.last_active,
        "active": _runs(played.active),
        "ready": _runs(played.ready),
        "fallback": _runs(played.fallback),
        "externalMetricNames": metric_names(spec.triggers) or None,
        "hpaMetrics": played.answers,
    }
    if hpa is None:
        got["hpaError"] = True
    else:
        got["hpa"] = {"name": hpa.name, "spec": _hpa_json(hpa, given["scaledObject"], played.pauses_at_start)}
    compared = [name for name in expect if name in got] + [name for name in got if name == "hpaError"]
    if spec.modifiers is not None:
        compared = [name for name in compared if name != "externalMetricNames"]
        names = [*metric_names(spec.triggers), COMPOSITE]
        if sorted(expect.get("externalMetricNames") or []) not in (sorted(names), sorted(names[:-1]), [COMPOSITE]):
            return False, got
    return all(_same(name, got[name], expect.get(name)) for name in compared), got


def _same(name: str, got: Any, wanted: Any) -> bool:
    if name == "hpaMetrics":
        return {key: value for key, value in got.items() if value} == {key: v for key, v in wanted.items() if v}
    return bool(got == wanted)


def _hpa_json(hpa: DerivedHpa, given: Case, pauses: Pauses) -> Case:
    spec: Case = {
        "scaleTargetRef": {"kind": "Deployment", "name": "web", "apiVersion": "apps/v1"},
        "minReplicas": hpa.min_replicas,
        "maxReplicas": hpa.max_replicas,
        "metrics": [_metric_json(one, given["metadata"]["name"]) for one in hpa.metrics],
    }
    behavior = ((given["spec"].get("advanced") or {}).get("horizontalPodAutoscalerConfig") or {}).get("behavior")
    for is_on, side in ((pauses.scale_in, "scaleDown"), (pauses.scale_out, "scaleUp")):
        if is_on:
            behavior = {**(behavior or {}), side: {**((behavior or {}).get(side) or {}), "selectPolicy": "Disabled"}}
    if behavior is not None:
        spec["behavior"] = behavior
    return spec


def _metric_json(one: Any, name: str) -> Case:
    if one.target_type is MetricTarget.UTILIZATION:
        target: Case = {"type": "Utilization", "averageUtilization": one.target_milli}
    else:
        key = "value" if one.target_type is MetricTarget.VALUE else "averageValue"
        target = {"type": one.target_type.value, key: format_milli(one.target_milli)}
    if one.source == "External":
        selector = {"matchLabels": {"scaledobject.keda.sh/name": name}}
        return {"type": "External", "external": {"metric": {"name": one.name, "selector": selector}, "target": target}}
    if one.source == "Resource":
        return {"type": "Resource", "resource": {"name": one.name, "target": target}}
    body = {"name": one.name, "container": one.container, "target": target}
    return {"type": "ContainerResource", "containerResource": body}


def _runs(codes: list[str]) -> list[list[Any]]:
    found: list[list[Any]] = []
    for code in codes:
        if found and found[-1][0] == code:
            found[-1][1] += 1
        else:
            found.append([code, 1])
    return found


def _code(condition: KedaCondition) -> str:
    letter = {True: "T", False: "F", None: "U"}[condition.status]
    return f"{letter}:{condition.reason}" if condition.reason else letter


class _Played:
    """Polls, queries of the autoscaler and changes of a case, in their order."""

    def __init__(self, given: Case, spec: ScaledObjectSpec) -> None:
        self.given, self.spec = given, spec
        self.start_us = epoch_us(given["now"])
        self.created_us = epoch_us(given["scaledObject"]["metadata"]["creationTimestamp"])
        self.pauses = self.pauses_at_start = _pauses(given["scaledObject"]["metadata"].get("annotations"))
        names = frozenset(one.name for one in spec.triggers if one.is_external)
        self.formula = Formula(spec.modifiers.formula, names) if spec.modifiers is not None else None
        self.status = ObjectStatus()
        self.replicas = given["startReplicas"]
        self.polled: list[float | None] = []
        self.replicas_seen: list[int] = []
        self.last_active: list[float | None] = []
        self.active: list[str] = []
        self.ready: list[str] = []
        self.fallback: list[str] = []
        hpa = hpa_of(spec, self.pauses)
        self.metrics = [one.name for one in hpa.metrics if one.source == "External"] if hpa is not None else []
        self.answers: dict[str, list[Any]] = {name: [] for name in self.metrics}
        self.windows = [
            _window(one["metadata"]) if one["type"] == "cron" else None
            for one in given["scaledObject"]["spec"]["triggers"]
        ]

    def play(self) -> None:
        interval_us = self.spec.polling_us
        events: list[tuple[int, str, Any]] = [(at * interval_us, "poll", None) for at in range(self.given["polls"])]
        events += [(round(float(at) * US), "size", n) for at, n in (self.given.get("setReplicas") or {}).items()]
        events += [(round(at * US), "note", known) for at, known in self.given.get("annotations") or ()]
        every_us = (self.given.get("hpaQueryEverySeconds") or 0) * US
        end_us = self.given["polls"] * interval_us
        events += [(at, "query", None) for at in range(7_750_000, end_us, every_us)] if every_us else []
        for at_us, what, detail in sorted(events, key=lambda known: known[0]):
            if what == "poll":
                self._poll(at_us)
            elif what == "size":
                self.replicas = detail
            elif what == "note":
                self.pauses = _pauses(detail)
            else:
                self._query(at_us)

    def _values(self, at_us: int) -> list[float | None]:
        found: list[float | None] = []
        for one, window in zip(self.given["scaledObject"]["spec"]["triggers"], self.windows, strict=True):
            if window is not None:
                found.append(float(window.value(self.start_us + at_us)))
            elif one["type"] not in ("cpu", "memory"):
                found.append(_value_at(self.given["series"][one["metadata"]["url"].rsplit("/", 1)[1]], at_us))
        return found

    def _poll(self, at_us: int) -> None:
        values = self._values(at_us)
        self.polled = values
        activity = activity_of(self.spec, values, self.formula)
        now_us = self.start_us + at_us
        step = scale_step(self.spec, self.pauses, self.status.loop, activity, self.replicas, now_us, self.created_us)
        self.status.poll_ended(step.status, activity.has_error)
        self.replicas = self.replicas if step.replicas is None else step.replicas
        self.replicas_seen.append(self.replicas)
        last_us = self.status.loop.last_active_us
        self.last_active.append(None if last_us is None else (last_us - self.start_us) // US)
        self.active.append(_code(self.status.loop.active))
        self.ready.append(_code(self.status.loop.ready))
        self.fallback.append(_code(self.status.fallback))

    def _query(self, at_us: int) -> None:
        state = TargetState(self.replicas, self.given["readyPods"])
        for name in self.metrics:
            values = cached_or_fresh(self.spec, self.polled, self._values(at_us))
            answer = answer_milli(self.spec, name, values, self.formula, state, self.status)
            self.polled = still_cached(self.polled, values, answer)
            self.answers[name].append("error" if answer is None else answer)


def _value_at(series: list[Any], at_us: int) -> float | None:
    value = None
    for since, known in series:
        if since * US <= at_us:
            value = known
    return value


def scaled_job(case: Case) -> tuple[bool, object]:
    given, expect = case["input"], case["expect"]
    spec_json = given["scaledJob"]["spec"]
    strategy = spec_json.get("scalingStrategy") or {}
    share = strategy.get("customScalingRunningJobPercentage")
    try:
        percentage = float(share) if share is not None else None
    except ValueError:
        percentage = None
    known = strategy.get("strategy") in list(JobStrategy)
    spec = ScaledJobSpec(
        spec_json.get("minReplicaCount", 0),
        spec_json.get("maxReplicaCount"),
        JobStrategy(strategy["strategy"]) if known else JobStrategy.DEFAULT,
        Combination(strategy.get("multipleScalersCalculation") or "max"),
        strategy.get("customScalingQueueLengthDeduction") or 0,
        percentage,
    )
    got = _Jobs(given, spec).play()
    return all(got[name] == expect[name] for name in expect), got


class _Jobs:
    """Jobs by the time of their birth, in order of appearance."""

    def __init__(self, given: Case, spec: ScaledJobSpec) -> None:
        self.given, self.spec = given, spec
        self.born: list[int] = [0] * given["jobsAtStart"]
        self.deleted: set[int] = set()

    def play(self) -> Case:
        spec_json, run = self.given["scaledJob"]["spec"], self.given["jobRun"]
        interval_s = spec_json.get("pollingInterval", 30)
        limits = spec_json.get("successfulJobsHistoryLimit", 100), spec_json.get("failedJobsHistoryLimit", 100)
        got: Case = {"created": [], "unfinishedBefore": [], "finishedKept": []}
        ready, active = KedaCondition(), KedaCondition()
        readies, actives = [], []
        for poll in range(self.given["polls"]):
            now_s = poll * interval_s
            unfinished = [job for job, born in enumerate(self.born) if now_s - born < run["finished"]]
            running, pending = len(unfinished), sum(self._is_pending(now_s - self.born[job]) for job in unfinished)
            queue = queue_state(self.spec, self._triggers(now_s * US))
            created = jobs_to_create(self.spec, queue, running, pending)
            self.born += [now_s] * created
            self._clean_up(now_s, limits)
            got["created"].append(created)
            got["unfinishedBefore"].append(running)
            kept = [job for job, born in enumerate(self.born) if now_s - born >= run["finished"]]
            got["finishedKept"].append(len([job for job in kept if job not in self.deleted]))
            ready, active = job_conditions(queue, ready, active)
            readies.append(_code(ready))
            actives.append(_code(active))
        return {**got, "ready": _runs(readies), "active": _runs(actives)}

    def _triggers(self, at_us: int) -> list[JobTrigger]:
        found = []
        for one in self.given["scaledJob"]["spec"]["triggers"]:
            metadata = one["metadata"]
            value = _value_at(self.given["series"][metadata["url"].rsplit("/", 1)[1]], at_us)
            activation = float(metadata.get("activationTargetValue", 0))
            found.append(JobTrigger(value, float(metadata["targetValue"]), activation))
        return found

    def _is_pending(self, age_s: int) -> bool:
        run = self.given["jobRun"]
        wanted = (self.given["scaledJob"]["spec"].get("scalingStrategy") or {}).get("pendingPodConditions")
        if wanted:
            known = {"PodScheduled": run["scheduled"], "Ready": run["ready"]}
            return not all(name in known and age_s >= known[name] for name in wanted)
        return age_s < run["started"]

    def _clean_up(self, now_s: int, limits: tuple[int, int]) -> None:
        run = self.given["jobRun"]
        every = run["failEvery"]
        for is_failed, limit in ((False, limits[0]), (True, limits[1])):
            done = [
                job
                for job, born in enumerate(self.born)
                if now_s - born >= run["finished"]
                and job not in self.deleted
                and (every > 0 and (job + 1) % every == 0) is is_failed
            ]
            self.deleted.update(beyond_limit(done, limit))


FAMILIES = {"scaled_object": scaled_object, "scaled_job": scaled_job}
