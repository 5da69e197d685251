"""No import cycles: neither between modules nor between rooms (folders of modules)."""

import ast
from collections import defaultdict

import pytest

from tests.architecture.sources import imports_of, is_for_type_checkers, modules, tree_of


def imports_between(folder):
    """For every module of a folder the modules of that folder that it imports, also inside functions."""
    names = {".".join(m.with_suffix("").parts).removesuffix(".__init__"): m for m in modules(folder)}
    graph = {name: set() for name in names}
    for name, module in names.items():
        for _, imported in imports_of(tree_of(module), skip=is_for_type_checkers):
            if imported in names and imported != name and names[imported].name != "__init__.py":
                graph[name].add(imported)
    return graph


def by_room(graph):
    """The same imports between folders. A module next to sub-folders counts as a separate room."""
    folders = {name.rpartition(".")[0] for name in graph}
    parents = {folder.rpartition(".")[0] for folder in folders}

    def room_of(name):
        folder = name.rpartition(".")[0]
        return name if folder in parents else folder

    rooms = defaultdict(set)
    for name, imported in graph.items():
        rooms[room_of(name)] |= {room_of(other) for other in imported} - {room_of(name)}
    return dict(rooms)


def cycles(graph):
    """Groups of nodes that reach each other, by Tarjan's algorithm."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


IMPORTS = """
import a
try:
    import b
except ImportError:
    import c
def f():
    with f():
        import d
    if f:
        import e
    else:
        import g
if TYPE_CHECKING:
    import h
"""


@pytest.mark.parametrize("folder", ["planner", "ui"])
def test_modules_import_each_other_in_one_direction(folder):
    assert not cycles(imports_between(folder))


@pytest.mark.parametrize("folder", ["planner", "ui"])
def test_rooms_import_each_other_in_one_direction(folder):
    assert not cycles(by_room(imports_between(folder)))


def test_imports_within_others_count_but_not_those_of_type_checkers():
    tree = ast.parse(IMPORTS)
    assert [line for line, _ in imports_of(tree, skip=is_for_type_checkers)] == [2, 4, 6, 9, 11, 13]
    assert [line for line, _ in imports_of(tree)] == [2, 4, 6, 9, 11, 13, 15]


def test_a_cycle_is_found():
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
    assert not cycles({"a": {"b", "c"}, "b": {"c"}, "c": set()})
