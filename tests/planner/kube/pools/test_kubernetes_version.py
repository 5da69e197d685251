"""An import takes the version of the plan from the kubelets of the nodes."""

import pytest

from tests.planner.kube.manifests import a_node, imported_objects


def nodes(*versions):
    found = []
    for number, version in enumerate(versions):
        node = a_node(f"n{number}")
        node["status"]["nodeInfo"] = {"kubeletVersion": version}
        found.append(node)
    return found


@pytest.mark.parametrize(("versions", "expected", "remark"), [
    (["v1.33.4-gke.1000"], "1.33", ""),
    (["v1.34.1", "v1.34.2+k3s1"], "1.34", ""),
    (["v1.33.9", "v1.34.0", "v1.33.1"], "1.34", "1.33 on 2, 1.34 on 1"),
    (["v1.9.0"], "1.32", "the rules of Kubernetes 1.9 are not known; the plan has 1.32"),
    (["v1.40.0"], "1.36", "the rules of Kubernetes 1.40 are not known; the plan has 1.36"),
    (["nonsense"], "1.36", ""),
])  # fmt: skip
def test_the_newest_kubelet_counts_and_a_skew_is_named(versions, expected, remark):
    result = imported_objects(*nodes(*versions))
    assert result.plan.kubernetes_version == expected
    said = [line for line in result.losses.remarks if "ubernetes" in line or "kubelets" in line]
    assert bool(said) == bool(remark)
    assert all(remark in line for line in said)
