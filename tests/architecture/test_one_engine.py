"""One engine: what the tests exercise is what the program runs.

A module that only tests import, or a function that only tests call, is a second engine in the making: it can be right
while a run is wrong. So every module of the core has to be imported, directly or not, by the program's way in, and
every public name of the core has to be used by the core or the window.
"""

import ast
import importlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest

from tests.architecture.sources import CORE, dotted_name, imports_of, modules, tree_of

WAY_IN = "ui.launch"
OUTSIDE_A_RUN = {
    "planner.plan.files.json_schema": "a separate program that writes resources/plan.schema.json",
    "planner.state.invariants": "what must hold of the state; tests check it after runs",
}
"""Modules that the program does not import, and what they are for."""

UNMENTIONED = {
    "planner.kernels.sources:all_kernels": "setup.py asks it what to build",
    "planner.simulation.checkpoint:_Writer.reducer_override": "pickle calls it",
    "planner.workloads.latency.sharing:stretched": "the kinds of requests behind its tables; tests compare them",
}
"""Public names that neither the core nor the window mentions, and who uses them."""

PASSIVE_DECORATORS = (
    "property", "cached_property", "staticmethod", "classmethod", "cache", "lru_cache", "contextmanager", "dataclass",
    "total_ordering", "runtime_checkable", "abstractmethod", "overload",
)  # fmt: skip
"""Decorators that register nothing: what they decorate still has to be used somewhere. Others (a validator, a command)
hand the function to its caller."""
LOOKUPS = ("getattr", "hasattr", "attrgetter", "methodcaller", "import_module")


class Definition(NamedTuple):
    """A public name of a module."""

    name: str
    """With its class, if it has one."""
    node: ast.AST
    is_member: bool


def test_every_module_of_the_core_is_reached_from_the_way_in():
    trees = {dotted_name(module): tree_of(module) for module in modules(CORE, "ui")}
    assert set(unreached(trees, WAY_IN)) == set(OUTSIDE_A_RUN)


def test_every_public_name_of_the_core_is_used_by_the_program():
    trees = {dotted_name(module): tree_of(module) for module in modules(CORE, "ui")}
    found = [name for name in unused(trees) if name.partition(":")[0] not in OUTSIDE_A_RUN and not is_override(name)]
    assert set(found) == set(UNMENTIONED), "use these in a run, or remove them with their tests"


@pytest.mark.parametrize(
    ("imports", "reached"),
    [
        pytest.param("from planner.a import thing", True, id="at the top"),
        pytest.param("def f():\n    import planner.a", True, id="in a function"),
        pytest.param("from planner import a", True, id="as a part of its package"),
        pytest.param("names = ['planner.a']", False, id="named only"),
    ],
)
def test_a_module_is_reached_by_imports(imports, reached):
    trees = {"ui.launch": ast.parse(imports), "planner": ast.parse(""), "planner.a": ast.parse("")}
    assert unreached(trees, "ui.launch") == ([] if reached else ["planner.a"])


RULE = """
def rule(): return rule
class Law:
    def wait(self): return self.wait()
    @cached_property
    def cv(self): ...
"""


@pytest.mark.parametrize(
    ("user", "left"),
    [
        pytest.param("", ["rule", "Law", "Law.wait", "Law.cv"], id="no reader"),
        pytest.param("from planner.a import rule, Law", ["rule", "Law", "Law.wait", "Law.cv"], id="an import alone"),
        pytest.param("a.rule(), Law().wait(), x.cv", [], id="calls and attributes"),
        pytest.param("rule, Law, wait, cv", ["Law.wait", "Law.cv"], id="members need an attribute"),
        pytest.param("__all__ = ['rule', 'Law']; getattr(x, 'wait'); x.cv = 1", ["Law.cv"], id="by name, or written"),
    ],
)
def test_a_name_is_used_where_it_is_called_or_read(user, left):
    assert unused({"planner.a": ast.parse(RULE), "ui.b": ast.parse(user)}) == [f"planner.a:{name}" for name in left]


def unreached(trees: Mapping[str, ast.Module], way_in: str) -> list[str]:
    """Modules of the core that no chain of imports leads to; not packages, of which those of kernels hold no Python."""
    seen: set[str] = set()
    pending = [way_in]
    while pending:
        name = pending.pop()
        if name not in seen and name in trees:
            seen.add(name)
            pending.append(name.rpartition(".")[0])
            pending.extend(imported for _, imported in imports_of(trees[name]))
    packages = {name.rpartition(".")[0] for name in trees}
    packages |= {name for name, tree in trees.items() if len(tree.body) == 1 and ast.get_docstring(tree)}
    return [name for name in trees if name.partition(".")[0] == CORE and name not in seen | packages]


def unused(trees: Mapping[str, ast.AST]) -> list[str]:
    """`module:name` of every public name of the core that is mentioned nowhere but in its own definition."""
    names = Counter(name for tree in trees.values() for name in mentioned_names(tree))
    members = Counter(name for tree in trees.values() for name in mentioned_members(tree))
    found = []
    for module, tree in trees.items():
        for name, node, is_member in definitions(tree) if module.partition(".")[0] == CORE else ():
            last = name.rpartition(".")[2]
            own = Counter(mentioned_members(node))[last]
            uses = members[last]
            if not is_member:
                own, uses = own + Counter(mentioned_names(node))[last], uses + names[last]
            if uses <= own:
                found.append(f"{module}:{name}")
    return found


def mentioned_names(tree: ast.AST) -> Iterator[str]:
    """Names that are read."""
    return (node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))


def mentioned_members(tree: ast.AST) -> Iterator[str]:
    """Attributes that are read, and names as text where they are looked up or exported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield node.attr
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in LOOKUPS:
            yield from texts(node)
        elif isinstance(node, ast.Assign) and [getattr(each, "id", "") for each in node.targets] == ["__all__"]:
            yield from texts(node)


def texts(tree: ast.AST) -> Iterator[str]:
    return (n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str))


def definitions(tree: ast.Module) -> Iterator[Definition]:
    """Public functions, classes, constants, and the methods and properties of all classes."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and is_public(node):
            yield Definition(node.name, node, False)
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)) and is_public(member):
                    yield Definition(f"{node.name}.{member.name}", member, True)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for name in (leaf for target in targets if target for leaf in ast.walk(target)):
            if isinstance(name, ast.Name) and not name.id.startswith("_"):
                yield Definition(name.id, node, False)


def is_public(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Whether others are meant to use it, and no decorator has handed it to its user."""
    decorators = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    names = [getattr(each, "attr", getattr(each, "id", "")) for each in decorators]
    return not node.name.startswith("_") and all(name in PASSIVE_DECORATORS for name in names)


def is_override(found: str) -> bool:
    """Whether a library calls it: the class inherits a member of that name from outside the project."""
    module, _, name = found.partition(":")
    owner, _, member = name.partition(".")
    if not member:
        return False
    bases = getattr(importlib.import_module(module), owner).__mro__[1:]
    return any(member in vars(base) for base in bases if base.__module__.partition(".")[0] not in (CORE, "ui"))
