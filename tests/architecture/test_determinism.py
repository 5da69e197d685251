"""A run depends on plan and seed only: no clock, no global chance, no order of sets."""

import ast

import pytest

from tests.architecture.sources import CORE, assert_nowhere, dotted, imports_of, modules, tree_of

BANNED_MODULES = ("time", "random", "secrets", "uuid")
MAY_SEE_A_CLOCK = ("planner/cli/experiments/progress.py",)
"""Shows how long an experiment will still take."""
CLOCKS = ("datetime.now", "datetime.utcnow", "datetime.today", "date.today", "os.urandom")
ORDER_DOES_NOT_MATTER = ("sorted", "set", "frozenset", "any", "all", "len", "min", "max")
KEEPS_ORDER = ("list", "tuple", "enumerate", "iter", "zip", "map", "filter", "reversed", "dict.fromkeys", "np.array")


def test_the_core_has_no_clock_and_no_global_chance():
    assert_nowhere(clocks_and_chance, (each for each in modules(CORE) if each.as_posix() not in MAY_SEE_A_CLOCK))


def clocks_and_chance(module):
    tree = tree_of(module)
    found = [f"line {line}: {name}" for line, name in imports_of(tree) if name.partition(".")[0] in BANNED_MODULES]
    names = [node for node in ast.walk(tree) if isinstance(node, (ast.Name, ast.Attribute))]
    for node in names:
        name = dotted(node)
        if name.endswith(CLOCKS):
            found.append(f"line {node.lineno}: {name}")
        if name.startswith(("np.random", "numpy.random")):
            found.append(f"line {node.lineno}: {name}")
    return found


def test_the_core_does_not_iterate_over_sets():
    assert_nowhere(
        lambda module: iterations_over_sets(tree_of(module)),
        modules(CORE),
        "goes through a set in its own order; sort it first",
    )


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("for x in {1, 2}: pass", id="a literal"),
        pytest.param("[x for x in set(a)]", id="a call in a comprehension"),
        pytest.param("list({a} | b)", id="a union turned into a list"),
        pytest.param("def f(a):\n names = set(a)\n for x in names: pass", id="a local name"),
        pytest.param("def f(a: set[int]):\n return {x: 1 for x in a}", id="an annotated argument"),
    ],
)
def test_iteration_over_a_set_is_found(code):
    assert iterations_over_sets(ast.parse(code))


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("sorted({1, 2})", id="sorted first"),
        pytest.param("any(x for x in {1, 2})", id="an answer without order"),
        pytest.param("{x for x in {1, 2}}", id="set to set"),
        pytest.param("for x in sorted(set(a)): pass", id="sorted then iterated"),
        pytest.param("x in {1, 2}", id="membership"),
    ],
)
def test_what_does_not_depend_on_order_is_allowed(code):
    assert not iterations_over_sets(ast.parse(code))


def iterations_over_sets(tree):
    """Places that go through a set in its own order: literals, calls, and names known to be sets in a function."""
    found = []
    for scope in _scopes(tree):
        nodes = list(_own_nodes(scope))
        names = _set_names(scope, nodes)
        harmless = {
            id(argument)
            for node in nodes
            if isinstance(node, ast.Call) and dotted(node.func) in ORDER_DOES_NOT_MATTER
            for argument in node.args
        }
        for node in nodes:
            found += [f"line {over.lineno}" for over in _iterated(node, harmless) if _is_set(over, names)]
    return found


def _scopes(tree):
    yield tree
    yield from (n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)))


def _own_nodes(scope):
    """Nodes of this scope without those of functions inside it."""
    pending = list(ast.iter_child_nodes(scope))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(node))


def _iterated(node, harmless):
    if isinstance(node, (ast.For, ast.AsyncFor)):
        yield node.iter
    elif isinstance(node, (ast.ListComp, ast.DictComp, ast.GeneratorExp)) and id(node) not in harmless:
        yield from (generator.iter for generator in node.generators)
    elif isinstance(node, ast.Starred):
        yield node.value
    elif isinstance(node, ast.Call) and dotted(node.func) in KEEPS_ORDER:
        yield from node.args
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("join", "extend"):
        yield from node.args


def _is_set(node, names):
    if isinstance(node, (ast.Set, ast.SetComp)):
        return True
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Call):
        return dotted(node.func) in ("set", "frozenset")
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)):
        return _is_set(node.left, names) or _is_set(node.right, names)
    return False


def _set_names(scope, nodes):
    """Local names that only ever hold sets: arguments and variables by annotation or by assignment."""
    sets, others = set(), set()
    arguments = scope.args if hasattr(scope, "args") else None
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs) if arguments else ():
        (sets if _is_set_annotation(argument.annotation) else others).add(argument.arg)
    for node in nodes:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            (sets if _is_set_annotation(node.annotation) else others).add(node.target.id)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    (sets if _is_set(node.value, ()) else others).add(target.id)
    return sets - others


def _is_set_annotation(annotation):
    inner = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return inner is not None and dotted(inner) in ("set", "frozenset", "Set", "AbstractSet")
