"""The source files that the architecture tests read."""

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
CORE = "planner"
CODE_FOLDERS = ("planner", "ui", "tests")
_PARTS = ("body", "handlers", "orelse", "finalbody", "cases")
"""Of a statement, where it has others within it; in their order."""


def modules(*folders: str) -> list[Path]:
    """All Python files of these folders, as paths from the project's root, in order."""
    return [p.relative_to(PROJECT) for folder in folders for p in sorted((PROJECT / folder).rglob("*.py"))]


def dotted_name(module: Path) -> str:
    """`a.b.c` of the module a/b/c.py and of the package a/b/c."""
    return ".".join(module.with_suffix("").parts).removesuffix(".__init__")


def assert_nowhere(rule: Callable[[Path], Iterable[str]], modules: Iterable[Path], cure: str = "") -> None:
    """Fail with everything that `rule` finds in these modules, a line each."""
    found = [f"{module}: {finding}" for module in modules for finding in rule(module)]
    assert not found, "\n".join([cure, *found])


@cache
def text_of(module: Path) -> str:
    return (PROJECT / module).read_text(encoding="utf-8")


@cache
def tree_of(module: Path) -> ast.Module:
    return ast.parse(text_of(module), filename=str(module))


def statements_of(tree: ast.AST, skip: Callable[[ast.AST], bool] = lambda node: False) -> Iterator[ast.AST]:
    """Every statement, also within others; none of those that `skip` says, and nothing within them."""
    pending = [tree]
    while pending:
        node = pending.pop()
        within = [inner for part in _PARTS for inner in getattr(node, part, ()) if not skip(inner)]
        pending.extend(reversed(within))
        if node is not tree:
            yield node


def is_for_type_checkers(node: ast.AST) -> bool:
    """What such a block imports makes no cycle at run time."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports_of(tree: ast.AST, skip: Callable[[ast.AST], bool] = lambda node: False) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything that is imported (`from a import b` gives a and a.b)."""
    for node in statements_of(tree, skip):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def dotted(node: ast.AST) -> str:
    """`a.b.c` of a chain of names; empty when it is something else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""
