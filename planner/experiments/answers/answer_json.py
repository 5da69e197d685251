"""The answer of an experiment as one JSON object; its keys are documented in docs/experiments.md and stay."""

import math
from typing import Any

from planner.experiments.answers.answer import ExperimentAnswer, FigureAnswer, FigureDifference
from planner.experiments.answers.parted import parting_json
from planner.experiments.statistics.estimates import MeanEstimate


def answer_json(answer: ExperimentAnswer) -> dict[str, Any]:
    """{kind, answer, seeds, figures, firstParting, ...}; None where a value is not a finite number."""
    return {
        "kind": answer.kind,
        "answer": answer.sentence,
        "notes": list(answer.notes),
        "seeds": list(answer.seeds),
        "confidence": answer.confidence,
        "stopped": answer.stopped,
        "variants": [
            {"name": one.name, "planDigest": one.plan_digest, "changes": list(one.changes)} for one in answer.variants
        ],
        "figures": {name: _figure(figure) for name, figure in answer.figures.items()},
        "slos": {
            name: {
                "broken": {of: estimate_json(share) for of, share in slo.broken.items()},
                "worstSeed": dict(slo.worst_seed),
            }
            for name, slo in answer.slos.items()
        },
        "firstParting": parting_json(answer.first_parting),
        "cells": [
            {
                "variant": name,
                "seed": one.seed,
                "planDigest": one.plan_digest,
                "version": one.version,
                "digest": one.digest,
            }
            for name, outcomes in answer.outcomes.items()
            for one in outcomes
        ],
        **answer.more,
    }


def _figure(figure: FigureAnswer) -> dict[str, Any]:
    found: dict[str, Any] = {
        "unit": figure.unit,
        "variants": {name: estimate_json(estimate) for name, estimate in figure.variants.items()},
        "differences": [_difference(one) for one in figure.differences],
    }
    if figure.best:
        found["best"] = {name: estimate_json(estimate) for name, estimate in figure.best.items()}
    return found


def _difference(one: FigureDifference) -> dict[str, Any]:
    estimate = estimate_json(one.estimate)
    correlation = None if one.correlation is None else _number(one.correlation)
    return {"a": one.a, "b": one.b, **estimate, "verdict": str(one.verdict), "correlation": correlation}


def estimate_json(estimate: MeanEstimate) -> dict[str, Any]:
    """{mean, low, high, n}; None where there is no finite number."""
    return {
        "mean": _number(estimate.mean),
        "low": _number(estimate.low),
        "high": _number(estimate.high),
        "n": estimate.n,
    }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
