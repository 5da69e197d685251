"""Rollouts of Argo, which keep pods as a Deployment does."""

from planner.kube.draft.draft import Draft, given
from planner.kube.files.field import Field
from planner.kube.manifest import key_of
from planner.kube.pods.controllers import read_controller
from planner.language.translation import marked, tr
from planner.plan.model.workloads import WorkloadKind

KIND, GROUPS = "Rollout", ("argoproj.io",)
_EXPORTED = marked("a Rollout becomes a Deployment, and is exported as one; steps, analyses and routing are left out")
_ELSEWHERE = marked("its pods are those of the object that workloadRef names; set the replicas there")


def read(manifest: Field, draft: Draft) -> None:
    """A workload whose new revision replaces the old one as the strategy says, without the steps of a canary.

    Argo Rollouts 1.8, pkg/apis/rollouts/v1alpha1: a canary surges by 25 % unless set, blue and green run side by side.
    """
    spec = manifest.at("spec")
    if spec.at("workloadRef").is_given:
        draft.controllers[key_of(manifest, KIND)] = None
        manifest.raw()
        draft.losses.add(KIND, "", tr(_ELSEWHERE))
        return
    spec.at("selector").raw()
    strategy, seconds = spec.at("strategy"), spec.at("minReadySeconds").seconds()
    canary = strategy.at("canary")
    is_blue_green = strategy.at("blueGreen").is_given
    update = given(
        max_surge="100%" if is_blue_green else canary.at("maxSurge").portion(),
        max_unavailable=0 if is_blue_green else canary.at("maxUnavailable").portion(),
        min_ready=None if seconds == "0s" else seconds,
    )
    strategy.raw()
    draft.losses.remark(tr(_EXPORTED))
    replicas = spec.at("replicas").whole()
    read_controller(manifest, KIND, draft, WorkloadKind.DEPLOYMENT, replicas, update_strategy=update)
