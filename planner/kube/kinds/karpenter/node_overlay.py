"""NodeOverlay of Karpenter: other prices and further devices of machine types.

Source: Karpenter 1.13, pkg/apis/v1alpha1/nodeoverlay.go.
"""

from planner.kube.draft.draft import Draft, given
from planner.kube.files.field import Field
from planner.kube.kinds.karpenter.node_pool import requirement_of
from planner.kube.manifest import name_of

KIND, GROUPS = "NodeOverlay", ("karpenter.sh",)
OVERLAYS = "karpenterNodeOverlays"
"""List of a draft that the plan does not have."""


def read(manifest: Field, draft: Draft) -> None:
    """Which types it changes, and how."""
    spec = manifest.at("spec")
    capacity = spec.at("capacity")
    part = given(
        name=name_of(manifest),
        requirements=[requirement_of(each) for each in spec.at("requirements").items()],
        weight=spec.at("weight").whole(),
        price=spec.at("price").text() or spec.at("priceAdjustment").text(),
        extended={name: capacity.at(name).count() for name in capacity.map()},
    )
    draft.add(OVERLAYS, manifest.source, part)
