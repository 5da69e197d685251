"""Sentences on what ends pods and nodes."""

import pytest

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.explain import why
from planner.record.explain_nodes import NODE_SENTENCES

MI = 1 << 20


def a_decision(actor: Actor, verdict: Verdict, target: str = "", details: dict[str, str] | None = None,
               **figures: float) -> Decision:  # fmt: skip
    return Decision(0, actor, verdict, "web-1", target, {}, figures, details or {})


@pytest.mark.parametrize(
    ("decision", "sentence"),
    [
        pytest.param(
            a_decision(
                Actor.EVICTION, Verdict.REFUSED, "n1", {"budget": "web", "by": "kubectl drain"},
                code=429, current_healthy=2, desired_healthy=2,
            ),
            "Cannot evict pod as it would violate the pod's disruption budget web, which needs 2 healthy pods "
            "and has 2; asked by kubectl drain",
            id="refused eviction",
        ),
        pytest.param(
            a_decision(
                Actor.KUBELET, Verdict.EVICTED, "n1", {"signal": "memory.available", "kind": "hard"},
                used=900 * MI, request=500 * MI, available=90 * MI, threshold=100 * MI,
            ),
            "The node was low on resource: memory. memory.available was 90Mi, hard threshold 100Mi; "
            "the pod used 900Mi of a request of 500Mi",
            id="pressure",
        ),
        pytest.param(
            a_decision(Actor.KUBELET, Verdict.OOM_KILLED, "n1", {"reason": "x"}, used=MI, restart_wait_s=10),
            "OOMKilled on n1 at 1Mi: x; restarts after 10 s",
            id="kill",
        ),
        pytest.param(
            a_decision(Actor.KUBELET, Verdict.OOM_KILLED, "n1", {"reason": "x"}, used=MI),
            "OOMKilled on n1 at 1Mi: x; the pod fails",
            id="kill of a Job's pod",
        ),
        pytest.param(
            a_decision(Actor.TAINT_EVICTION, Verdict.EVICTED, "n1", {"taint": "gone"}, tolerated_s=300),
            "Deleted from n1 because of the taint gone, tolerated for 300 s",
            id="taint",
        ),
        pytest.param(
            a_decision(Actor.DRAIN, Verdict.DRAINED, details={"by": "node upgrade"}, evicted=1, took_s=5, left=0),
            "Drained: 1 pod evicted in 5 s (node upgrade)",
            id="drain",
        ),
        pytest.param(
            a_decision(Actor.PLAN_EVENT, Verdict.HAPPENED, details={"what": "zoneOutage", "on": "a, b"}),
            "Zone outage on a, b",
            id="event",
        ),
    ],
)  # fmt: skip
def test_sentences_say_what_happened_and_why(decision: Decision, sentence: str) -> None:
    assert why(decision) == sentence or why(decision).startswith(sentence)


def test_every_sentence_can_be_made_without_figures() -> None:
    for actor, verdict in NODE_SENTENCES:
        assert why(a_decision(actor, verdict))
