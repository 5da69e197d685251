"""Finished work (rollouts, Jobs, upgrades) and events of the plan, as sentences."""

from planner.language.translation import tr, tr_count
from planner.record.decisions import Decision, Verdict
from planner.record.details.work import (
    BarePodLost,
    CronJobLook,
    JobEnded,
    PlanEventEffect,
    QuotaRefusal,
    RolloutEnded,
    UpgradeEnded,
    WorkDetails,
)
from planner.record.text.tables import Grid, facts_grid
from planner.record.text.wording import after_colon, counted, event_name, join, number_text
from planner.units import format_bytes, format_cpu


def sentence(decision: Decision, details: WorkDetails) -> str:
    """What ended or happened."""
    match details:
        case RolloutEnded(pods, took_s):
            return tr(
                "Rollout finished: {pods} updated in {took_s} s", pods=counted(pods, "pod"), took_s=number_text(took_s)
            )
        case QuotaRefusal():
            return _refusal(details)
        case BarePodLost(reason):
            return tr("No controller replaces it{after_colon}", after_colon=after_colon(reason))
        case UpgradeEnded(nodes, took_s):
            return tr(
                "Node upgrade finished: {nodes} replaced in {took_s} s",
                nodes=counted(nodes, "node"),
                took_s=number_text(took_s),
            )
        case JobEnded():
            return _job(decision, details)
        case CronJobLook():
            return _cron(decision, details)
        case PlanEventEffect():
            return _effect(details)


def tables(details: WorkDetails) -> tuple[Grid, ...]:
    """All that is known; the type of an event in words."""
    facts = details._asdict()
    if isinstance(details, QuotaRefusal):
        facts["unnamed"] = ", ".join(details.unnamed)
        facts["exceeded"] = "; ".join(
            tr(
                "{name}: {amount} asked, {amount_2} of {amount_3} used",
                name=name,
                amount=_amount(name, asked),
                amount_2=_amount(name, used),
                amount_3=_amount(name, hard),
            )
            for name, asked, used, hard in details.exceeded
        )
    if isinstance(details, PlanEventEffect):
        facts["what"] = event_name(details.what)
    return (facts_grid(facts),)


def _refusal(details: QuotaRefusal) -> str:
    """The words of the API server."""
    if details.unnamed:
        return tr(
            "FailedCreate: failed quota: {quota}: must specify {unnamed}",
            quota=details.quota,
            unnamed=", ".join(details.unnamed),
        )
    rows = details.exceeded
    requested = ", ".join(f"{name}={_amount(name, asked)}" for name, asked, _used, _hard in rows)
    used = ", ".join(f"{name}={_amount(name, have)}" for name, _asked, have, _hard in rows)
    limited = ", ".join(f"{name}={_amount(name, hard)}" for name, _asked, _used, hard in rows)
    return tr(
        "FailedCreate: exceeded quota: {quota}, requested: {requested}, used: {used}, limited: {limited}",
        quota=details.quota,
        requested=requested,
        used=used,
        limited=limited,
    )


def _amount(resource: str, amount: int) -> str:
    if resource.endswith(".cpu"):
        return format_cpu(amount)
    return format_bytes(amount) if resource.endswith((".memory", ".ephemeral-storage")) else str(amount)


def _job(decision: Decision, details: JobEnded) -> str:
    took = f"{number_text(details.took_s)} s"
    if decision.verdict is Verdict.ENDED:
        return tr(
            "Job completed in {took}: {succeeded} succeeded, {failed} failed",
            took=took,
            succeeded=counted(details.succeeded, "pod"),
            failed=details.failed,
        )
    pods = tr(
        "{failed}, {succeeded} succeeded", failed=counted(details.failed, "failed pod"), succeeded=details.succeeded
    )
    return tr(
        "Job has failed after {took} with {pods}{after_colon}",
        took=took,
        pods=pods,
        after_colon=after_colon(details.reason),
    )


def _cron(decision: Decision, details: CronJobLook) -> str:
    missed, jobs = "", ""
    if details.missed:
        missed = tr_count(
            "{missed} start was missed", "{missed} starts were missed", details.missed, missed=details.missed
        )
    if details.active:
        jobs = tr_count(
            "{active} earlier one goes on", "{active} earlier ones go on", details.active, active=details.active
        )
    if decision.verdict is Verdict.LAUNCHED:
        return join(tr("Job made {late} s after its moment", late=number_text(details.late_s)), jobs, missed)
    if decision.verdict is Verdict.REFUSED:
        return join(tr("JobAlreadyActive: the start waits"), jobs, missed)
    return missed


def _effect(details: PlanEventEffect) -> str:
    text = event_name(details.what)
    if details.on:
        text += tr(" on {on}", on=", ".join(details.on))
    if details.before is not None and details.after is not None:
        text += tr(": {before} to {after}", before=details.before, after=details.after)
    missing = ", ".join(details.missing)
    return join(text, missing and tr("there is no node {missing}", missing=missing))
