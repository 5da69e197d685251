"""Files and functions stay small enough to be read in one go."""

import ast

import pytest

from tests.architecture.sources import CODE_FOLDERS, modules, text_of, tree_of

MAX_LINES_OF_A_MODULE = 500
MAX_LINES_OF_A_FUNCTION = 70


@pytest.mark.parametrize("module", modules(*CODE_FOLDERS), ids=str)
def test_modules_and_functions_stay_small(module):
    assert text_of(module).count("\n") <= MAX_LINES_OF_A_MODULE, "split it along the questions it answers"
    too_long = [
        f"{node.name} (line {node.lineno})"
        for node in ast.walk(tree_of(module))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.end_lineno - node.lineno >= MAX_LINES_OF_A_FUNCTION
    ]
    assert not too_long, "name the steps of these functions"
