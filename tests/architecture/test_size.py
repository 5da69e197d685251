"""Files and functions stay small enough to be read in one go."""

import ast
from collections import Counter

from tests.architecture.sources import CODE_FOLDERS, assert_nowhere, modules, statements_of, text_of, tree_of

MAX_LINES_OF_A_MODULE = 500
MAX_LINES_OF_A_FUNCTION = 70
MAX_MODULES_OF_A_ROOM = 16


def test_modules_stay_small():
    assert_nowhere(excess_lines, modules(*CODE_FOLDERS), "split these along the questions they answer")


def excess_lines(module):
    lines = text_of(module).count("\n")
    return [f"{lines} lines"] if lines > MAX_LINES_OF_A_MODULE else []


def test_functions_stay_small():
    assert_nowhere(long_functions, modules(*CODE_FOLDERS), "name the steps of these functions")


def long_functions(module):
    for node in statements_of(tree_of(module)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.end_lineno - node.lineno >= MAX_LINES_OF_A_FUNCTION:
                yield f"{node.name} (line {node.lineno})"


def test_rooms_stay_small_enough_to_be_seen_at_a_glance():
    rooms = Counter(module.parent for module in modules("planner", "ui") if module.name != "__init__.py")
    crowded = {str(room): count for room, count in rooms.items() if count > MAX_MODULES_OF_A_ROOM}
    assert not crowded, "split these folders into rooms by layer"
