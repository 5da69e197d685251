"""Cases of the recommender: histograms, estimators, and whole histories of use."""

from collections import Counter, defaultdict
from datetime import datetime
from typing import Any

import numpy as np

from planner.units import parse_count, parse_cpu_milli
from planner.vpa.recommender.aggregates import AggregationRules
from planner.vpa.recommender.containers import MemoryRules
from planner.vpa.recommender.estimators import (
    EstimatorRules,
    ResourceRules,
    confidences,
    estimate,
    share_of_minimum,
)
from planner.vpa.recommender.histograms import CPU_BUCKETS, EPOCH_US, MEMORY_BUCKETS, Histograms
from planner.vpa.recommender.policies import ContainerPolicy, Rounding
from planner.vpa.recommender.recommender import NONE, Recommendations, Recommender, RecommenderRules

Case = dict[str, Any]
US = 1_000_000
DAY_S = 86_400
MIB = 1024 * 1024
STAGES = ("percentile", "withMargin", "withConfidence")
KINDS = ("target", "lowerBound", "upperBound")
CLOSE = 1e-9
CLOSE_MEMORY = 1e-6
INTEGER_CPU = "vpa-post-processor.kubernetes.io/{}_integerCPU"


def moment_us(text: str) -> int:
    """An API time on the scale of the recommender."""
    return int(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()) * US + EPOCH_US


def amounts(quantities: dict[str, Any] | None) -> dict[str, int]:
    """A resource list as milli-CPU and bytes."""
    known = {"cpu": parse_cpu_milli, "memory": parse_count}
    return {name: known[name](str(value)) for name, value in (quantities or {}).items() if name in known}


def rules_of(config: Case, most: Case | None = None) -> RecommenderRules:
    """The flags of a case."""

    def of(name: str, minimum: float) -> ResourceRules:
        percentiles = {kind: config.get(f"{kind}{name}Percentile") for kind in ("target", "lowerBound", "upperBound")}
        given = {kind.removesuffix("Bound"): value for kind, value in percentiles.items() if value is not None}
        interval_s = config.get(f"confidenceInterval{name}Seconds", DAY_S)
        return ResourceRules(**given, confidence_us=interval_s * US, minimum=minimum)

    interval_us = config.get("memoryAggregationIntervalSeconds", DAY_S) * US
    return RecommenderRules(
        AggregationRules(
            config.get("cpuHistogramDecayHalfLifeSeconds", DAY_S) * US,
            config.get("memoryHistogramDecayHalfLifeSeconds", DAY_S) * US,
        ),
        EstimatorRules(
            of("CPU", config.get("podMinCPUMillicores", 25)),
            of("Memory", config.get("podMinMemoryMb", 250) * MIB),
            config.get("safetyMarginFraction", 0.15),
        ),
        MemoryRules(
            interval_us,
            config.get("memoryAggregationIntervalCount", 8),
            config.get("oomBumpUpRatio", 1.2),
            config.get("oomMinBumpUp", 100 * MIB),
        ),
        Rounding(
            config.get("roundCPUMillicores", 1),
            config.get("roundMemoryBytes", 1),
            config.get("humanizeMemory", False),
            amounts(most),
        ),
    )


def close(one: float, other: float, within: float = CLOSE) -> bool:
    return abs(one - other) <= within * max(abs(one), abs(other))


def all_close(got: list[float], expected: list[float]) -> bool:
    return len(got) == len(expected) and all(close(*pair) for pair in zip(got, expected, strict=True))


def histogram(case: Case) -> tuple[bool, object]:
    return (raw if case["input"]["kind"] == "raw" else estimator)(case)


def raw(case: Case) -> tuple[bool, object]:
    given, expect = case["input"], case["expect"]
    start_us = moment_us(given["start"])
    one = _fresh(given)
    shares, states, saved = tuple(given["percentiles"]), [], None

    def note() -> None:
        found = one.percentiles(shares)[:, 0].tolist()
        states.append({"empty": bool(one.is_empty(np.array([0]))[0]), "percentiles": found})

    ops = given["ops"]
    for place, op in enumerate([*ops, ["end"]]):
        if op[0] not in ("add", "subtract") and not states:
            note()
        if op[0] == "merge":
            both = _fresh(given, 2)
            both.reference_us[0], both.reference_us[1] = 0, 0
            for row, source in ((0, ops[:place]), (1, op[1])):
                _play(both, row, source, start_us)
            one = both.merged(np.array([0, 1]), np.array([0, 0]), 1)
        elif op[0] == "checkpoint":
            weights, total = one.checkpoint(0)
            saved = (weights, total, int(one.reference_us[0]) // US * US)
            one = _fresh(given)
            one.load(0, *saved)
        elif op[0] != "end":
            _play(one, 0, [op], start_us)
        if op[0] in ("merge", "checkpoint"):
            note()
    if saved is None:
        saved = (*one.checkpoint(0), int(one.reference_us[0]) // US * US)
    agrees = len(states) == len(expect["states"]) and all(
        mine["empty"] == theirs["empty"] and all_close(mine["percentiles"], theirs["percentiles"])
        for mine, theirs in zip(states, expect["states"], strict=True)
    )
    wanted = expect.get("checkpoint")
    if wanted is None:
        return agrees, states
    weights = {int(bucket): weight for bucket, weight in (wanted.get("bucketWeights") or {}).items()}
    agrees = agrees and saved[0] == weights and close(saved[1], wanted.get("totalWeight") or 0.0)
    reference = wanted.get("referenceTimestamp")
    agrees = agrees and saved[2] == (moment_us(reference) if reference else 0)
    return agrees, (states, saved)


def _fresh(given: Case, rows: int = 1) -> Histograms:
    buckets = CPU_BUCKETS if given["options"] == "cpu" else MEMORY_BUCKETS
    return Histograms(buckets, int(given["halfLifeSeconds"] * US), rows)


def _play(histograms: Histograms, row: int, ops: list[Any], start_us: int) -> None:
    for name, after_s, value, weight in ops:
        change = histograms.add if name == "add" else histograms.subtract
        change(np.array([row]), np.array([float(value)]), weight, np.array([start_us + int(after_s * US)]))


def estimator(case: Case) -> tuple[bool, object]:
    given, wanted = case["input"], case["expect"]["containers"]
    rules, start_us = rules_of(given.get("config") or {}), moment_us(given["start"])
    model = Recommender(rules)
    slots = [model.slot(0, one["name"], ()) for one in given["containers"]]
    first = model.start(slots, slots, start_us)
    for place, one in enumerate(given["containers"]):
        for t, milli in one.get("cpu") or ():
            when = np.array([start_us + int(t * US)])
            model.add_cpu(np.array([first + place]), np.array([milli]), when, int(when[0]))
        for t, memory in one.get("memoryPeaks") or ():
            aggregates = model._aggregates  # peaks enter past the windows
            aggregates.add_peaks(np.array([place]), np.array([float(memory)]), np.array([start_us + int(t * US)]))
    used, answer = model.merged(), model.recommend()
    got = []
    for slot, one in enumerate(given["containers"]):
        found: Case = {"name": one["name"], "totalSamplesCount": int(used.samples[slot]), "recommendation": {}}
        found["lifespanSeconds"] = int(used.last_us[slot] - used.first_us[slot]) // US
        for resource, histograms, its, unit in (
            ("cpu", used.cpu, rules.estimators.cpu, 1000.0),
            ("memory", used.memory, rules.estimators.memory, 1.0),
        ):
            values = histograms.percentiles((its.target, its.lower, its.upper)) * unit
            confidence = confidences(used.samples, used.first_us, used.last_us, its.confidence_us)
            stages = estimate(values, confidence, rules.estimators.margin)
            rows = (stages.percentile, stages.with_margin, stages.with_confidence)
            found[resource] = {
                kind: {name: int(values[row, slot]) for name, values in zip(STAGES, rows, strict=True)}
                for row, kind in enumerate(KINDS)
            }
            del found[resource]["target"]["withConfidence"]
            for row, kind in enumerate(KINDS):
                value = int(np.maximum(rows[2], share_of_minimum(its, np.array([len(slots)])))[row, slot])
                found["recommendation"].setdefault(kind, {})[resource] = value
                assert value == answer.of(resource)[row, slot]
        got.append(found)
    return _same_tree(got, wanted), got


def _same_tree(got: Any, wanted: Any, name: str = "", in_memory: bool = False) -> bool:
    in_memory = in_memory or name == "memory"
    if isinstance(wanted, dict):
        return set(got) == set(wanted) and all(_same_tree(got[key], wanted[key], key, in_memory) for key in wanted)
    if isinstance(wanted, list):
        return len(got) == len(wanted) and all(
            _same_tree(*pair, in_memory=in_memory) for pair in zip(got, wanted, strict=True)
        )
    return close(got, wanted, CLOSE_MEMORY) if in_memory else bool(got == wanted)


def recommendation(case: Case) -> tuple[bool, object]:
    played = _History(case["input"])
    got = played.play()
    expect = case["expect"]
    agrees = played.rejected == expect["rejectedSamples"] and len(got) == len(expect["evaluations"])
    agrees = agrees and all(_same_evaluation(*pair) for pair in zip(got, expect["evaluations"], strict=True))
    return agrees, {"rejected": played.rejected, "evaluations": got}


def _same_evaluation(got: Case, wanted: Case) -> bool:
    if got["conditions"] != wanted["conditions"] or set(got["aggregates"]) != set(wanted.get("aggregates") or {}):
        return False
    for name, mine in got["aggregates"].items():
        theirs = wanted["aggregates"][name]
        if mine["totalSamplesCount"] != theirs["totalSamplesCount"]:
            return False
        if not all(all_close(mine[key], theirs[key]) for key in ("cpuP50P90P95", "memoryP50P90P95")):
            return False
    theirs = wanted["recommendation"] or []
    if [one["containerName"] for one in theirs] != [one["containerName"] for one in got["recommendation"]]:
        return False
    return all(
        _same_tree(mine[kind], amounts(one.get(kind)))
        for mine, one in zip(got["recommendation"], theirs, strict=True)
        for kind in (*KINDS, "uncappedTarget")
    )


USUAL = MemoryRules()


def policies_of(vpa: Case, per_vpa: bool = False, usual: MemoryRules = USUAL) -> list[ContainerPolicy]:
    """The container policies of a VPA; `per_vpa`: fields behind the gate PerVPAConfig count."""
    found = []
    for one in (vpa["spec"].get("resourcePolicy") or {}).get("containerPolicies") or ():
        memory = MemoryRules(
            one.get("memoryAggregationIntervalSeconds", usual.interval_us // US) * US,
            one.get("memoryAggregationIntervalCount", usual.intervals),
            parse_cpu_milli(str(one["oomBumpUpRatio"])) / 1000 if "oomBumpUpRatio" in one else usual.bump_ratio,
            parse_count(str(one["oomMinBumpUp"])) if "oomMinBumpUp" in one else usual.bump_bytes,
        )
        found.append(
            ContainerPolicy(
                one.get("containerName", "*"),
                one.get("mode") == "Off",
                amounts(one.get("minAllowed")),
                amounts(one.get("maxAllowed")),
                tuple(one.get("controlledResources", ("cpu", "memory"))),
                one.get("controlledValues") == "RequestsOnly",
                memory if per_vpa else None,
            )
        )
    return found


class _History:
    """Plays what the containers of a case used."""

    def __init__(self, given: Case) -> None:
        self.given, self.rejected = given, 0
        self.start_us = moment_us(given["start"])
        self.rules = rules_of(given["config"], given.get("globalMaxAllowed"))
        self.model = Recommender(self.rules)
        per_vpa = (given.get("featureGates") or {}).get("PerVPAConfig", False)
        self.policies = policies_of(given["vpa"], per_vpa, self.rules.memory)
        self.notes = given["vpa"]["metadata"].get("annotations") or {}
        self.instance: dict[tuple[int, int], int] = {}
        self.found: list[Case] = []

    def play(self) -> list[Case]:
        by_time: dict[int, list[tuple[int, tuple[Any, ...]]]] = defaultdict(list)
        for number, pod in enumerate(self.given["pods"]):
            by_time[pod["from"]].append((0, ("appear", number)))
            if pod.get("to") is not None:
                by_time[pod["to"]].append((5, ("vanish", number)))
            for place, one in enumerate(pod["containers"]):
                late = one.get("late") or {}
                for index, t in enumerate(one["t"] or ()):
                    by_time[late.get(str(index), t)].append((1, ("sample", number, place, index)))
                for delivered, happened, requested in one.get("ooms") or ():
                    by_time[delivered].append((2, ("oom", number, place, happened, requested)))
        for t in self.given["evaluate"]:
            by_time[t].append((3, ("evaluate",)))
        for t in self.given.get("restarts") or ():
            by_time[t].append((4, ("restart",)))
        for t in sorted(by_time):
            for _, (name, *details) in sorted(by_time[t], key=lambda known: known[0]):
                getattr(self, f"_{name}")(t, *details)
        return self.found

    def _appear(self, t: int, number: int) -> None:
        pod = self.given["pods"][number]
        wants_cores = self.given.get("cpuIntegerPostProcessor", False)
        slots = [
            self.model.slot(
                0,
                one["name"],
                self.policies,
                wants_cores and self.notes.get(INTEGER_CPU.format(one["name"])) == "true",
            )
            for one in pod["containers"]
        ]
        labels = tuple(sorted(pod["labels"].items()))
        first = self.model.start(slots, [labels] * len(slots), self._us(t))
        self.instance.update({(number, place): first + place for place in range(len(slots))})

    def _vanish(self, t: int, number: int) -> None:
        mine = [key for key in self.instance if key[0] == number]
        self.model.stop([self.instance.pop(key) for key in mine])

    def _sample(self, t: int, number: int, place: int, index: int) -> None:
        one = self.given["pods"][number]["containers"][place]
        at, when = np.array([self.instance[number, place]]), np.array([self._us(one["t"][index])])
        now_us = self._us(t)
        self.rejected += int(not self.model.add_cpu(at, np.array([one["cpuMilli"][index]]), when, now_us)[0])
        memory = np.array([one["memoryKi"][index] * 1024])
        self.rejected += int(not self.model.add_memory(at, memory, when, now_us)[0])

    def _oom(self, t: int, number: int, place: int, happened: int, requested: int) -> None:
        at = self.instance[number, place]
        self.rejected += int(not self.model.add_oom(at, self._us(happened), requested, self._us(t)))

    def _restart(self, t: int) -> None:
        renamed, _ = self.model.restart(self._us(t))
        self.instance = {key: renamed[old] for key, old in self.instance.items()}

    def _evaluate(self, t: int) -> None:
        used, answer = self.model.merged(), self.model.recommend()
        given: list[Case] = []
        order = sorted(range(len(self.model.slots)), key=lambda slot: self.model.slots[slot].container)
        known = Counter(self.model.known_slots())
        for slot in order:
            if known[slot] and not self.model.slots[slot].policy.is_off:
                given.append({"containerName": self.model.slots[slot].container, **_kinds(answer, slot)})
        conditions = {"RecommendationProvided": "True" if given else "False"}
        if not self.instance:
            conditions["NoPodsMatched"] = "True"
        aggregates = {
            self.model.slots[slot].container: {
                "totalSamplesCount": int(used.samples[slot]),
                "cpuP50P90P95": used.cpu.percentiles((0.5, 0.9, 0.95))[:, slot].tolist(),
                "memoryP50P90P95": used.memory.percentiles((0.5, 0.9, 0.95))[:, slot].tolist(),
            }
            for slot in order
            if known[slot]
        }
        self.found.append({"t": t, "recommendation": given, "conditions": conditions, "aggregates": aggregates})
        self.model.collect_garbage(self._us(t))

    def _us(self, t: int) -> int:
        return self.start_us + t * US


def _kinds(answer: Recommendations, slot: int) -> Case:
    """One container's recommendation as the status has it."""
    rows = (*KINDS, "uncappedTarget")
    return {
        kind: {
            name: int(answer.of(name)[row, slot]) for name in ("cpu", "memory") if answer.of(name)[row, slot] != NONE
        }
        for row, kind in enumerate(rows)
    }
