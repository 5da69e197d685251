"""Finished work (rollouts, Jobs, upgrades) and events of the plan, as sentences."""

from planner.record.decisions import Decision, Verdict
from planner.record.details.work import (
    BarePodLost,
    JobEnded,
    PlanEventEffect,
    QuotaRefusal,
    RolloutEnded,
    UpgradeEnded,
    WorkDetails,
)
from planner.record.text.tables import Grid, facts_grid
from planner.record.text.wording import after_colon, counted, join, number_text, spelled_out
from planner.units import format_bytes, format_cpu


def sentence(decision: Decision, details: WorkDetails) -> str:
    """What ended or happened."""
    match details:
        case RolloutEnded(pods, took_s):
            return f"Rollout finished: {counted(pods, 'pod')} updated in {number_text(took_s)} s"
        case QuotaRefusal():
            return _refusal(details)
        case BarePodLost(reason):
            return f"No controller replaces it{after_colon(reason)}"
        case UpgradeEnded(nodes, took_s):
            return f"Node upgrade finished: {counted(nodes, 'node')} replaced in {number_text(took_s)} s"
        case JobEnded():
            return _job(decision, details)
        case PlanEventEffect():
            return _effect(details)


def tables(details: WorkDetails) -> tuple[Grid, ...]:
    """All that is known; the type of an event in words."""
    facts = details._asdict()
    if isinstance(details, QuotaRefusal):
        facts["unnamed"] = ", ".join(details.unnamed)
        facts["exceeded"] = "; ".join(
            f"{name}: {_amount(name, asked)} asked, {_amount(name, used)} of {_amount(name, hard)} used"
            for name, asked, used, hard in details.exceeded
        )
    if isinstance(details, PlanEventEffect):
        facts["what"] = spelled_out(details.what)
    return (facts_grid(facts),)


def _refusal(details: QuotaRefusal) -> str:
    """The words of the API server."""
    if details.unnamed:
        return f"FailedCreate: failed quota: {details.quota}: must specify {', '.join(details.unnamed)}"
    rows = details.exceeded
    requested = ", ".join(f"{name}={_amount(name, asked)}" for name, asked, _used, _hard in rows)
    used = ", ".join(f"{name}={_amount(name, have)}" for name, _asked, have, _hard in rows)
    limited = ", ".join(f"{name}={_amount(name, hard)}" for name, _asked, _used, hard in rows)
    return f"FailedCreate: exceeded quota: {details.quota}, requested: {requested}, used: {used}, limited: {limited}"


def _amount(resource: str, amount: int) -> str:
    if resource.endswith(".cpu"):
        return format_cpu(amount)
    return format_bytes(amount) if resource.endswith((".memory", ".ephemeral-storage")) else str(amount)


def _job(decision: Decision, details: JobEnded) -> str:
    took = f"{number_text(details.took_s)} s"
    if decision.verdict is Verdict.ENDED:
        return f"Job completed in {took}: {counted(details.succeeded, 'pod')} succeeded, {details.failed} failed"
    pods = f"{counted(details.failed, 'failed pod')}, {details.succeeded} succeeded"
    return f"Job has failed after {took} with {pods}{after_colon(details.reason)}"


def _effect(details: PlanEventEffect) -> str:
    text = spelled_out(details.what).capitalize()
    if details.on:
        text += f" on {', '.join(details.on)}"
    if details.before is not None and details.after is not None:
        text += f": {details.before} to {details.after}"
    missing = ", ".join(details.missing)
    return join(text, missing and f"there is no node {missing}")
