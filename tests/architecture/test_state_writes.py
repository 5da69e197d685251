"""Only planner/state assigns into the columns of the state tables; everyone else calls a verb of Cluster."""

import ast

import pytest

from tests.architecture.sources import CORE, assert_nowhere, modules, tree_of

TABLES = ("nodes", "pods", "workloads")


def test_state_columns_are_written_by_the_state_only():
    outside_state = [module for module in modules(CORE) if module.parts[1] != "state"]
    assert_nowhere(lambda module: column_writes(tree_of(module)), outside_state)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("cluster.nodes.requested[row] += request", id="a cell"),
        pytest.param("sim.cluster.pods.phase[rows] = 2", id="several rows"),
        pytest.param("pods.node[row], x = 3, 4", id="among several targets"),
        pytest.param("cluster.workloads.desired = column", id="a whole column"),
    ],
)
def test_a_write_into_a_column_is_found(code):
    assert column_writes(ast.parse(code))


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("self.pods = []", id="an own list of that name"),
        pytest.param("self.pods[key] = 1", id="an own mapping of that name"),
        pytest.param("trial.requested[node] += request", id="a copy to try things on"),
        pytest.param("x = cluster.nodes.requested[row]", id="reading"),
    ],
)
def test_what_is_not_the_state_may_be_written(code):
    assert not column_writes(ast.parse(code))


def column_writes(tree):
    """Assignments to `<...>.nodes.<column>` or a part of it, likewise for the other tables."""
    targets = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            targets += node.targets
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            targets.append(node.target)
        elif isinstance(node, ast.Delete):
            targets += node.targets
    return [f"line {target.lineno}" for whole in targets for target in _single(whole) if _is_column(target)]


def _single(target):
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _single(part)
    else:
        yield target


def _is_column(target):
    """True when a table's name comes directly before an attribute somewhere in the chain."""
    while isinstance(target, (ast.Subscript, ast.Attribute, ast.Starred)):
        before = target.value
        if isinstance(target, ast.Attribute):
            name = before.attr if isinstance(before, ast.Attribute) else getattr(before, "id", "")
            if name in TABLES:
                return True
        target = before
    return False
