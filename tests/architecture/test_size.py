"""Files and functions stay small enough to be read in one go."""

import ast
from collections import Counter

from tests.architecture.sources import CODE_FOLDERS, PROJECT, assert_nowhere, modules, statements_of, text_of, tree_of

MAX_LINES_OF_A_MODULE = 300
MAX_LINES_OF_A_FUNCTION = 40
MAX_LINES_OF_A_TEST_MODULE = 500
MAX_LINES_OF_A_TEST_FUNCTION = 70
MAX_MODULES_OF_A_ROOM = 16
STILL_LONG_MODULES = {
    "ui/decisions/decision_table.py": 307,
    "ui/editor/plan_editor.py": 301,
}
"""These are to become shorter, not longer."""
STILL_LONG_FUNCTIONS = {
    ("planner/autoscaler/loop/static_autoscaler.py", "__init__"): 43,
    ("planner/autoscaler/scaledown/planner.py", "update"): 45,
    ("planner/autoscaler/scaledown/simulation.py", "simulate_removals"): 45,
    ("planner/cli/commands/report.py", "report"): 44,
    ("planner/experiments/kinds/vary/vary.py", "vary"): 41,
    ("planner/hpa/rules/pod_evaluation.py", "evaluate_pods"): 42,
    ("planner/plan/hints/autoscalers/horizontal_pod_autoscaler.py", "_request_and_use"): 41,
    ("planner/plan/hints/autoscalers/horizontal_pod_autoscaler.py", "_saturation"): 41,
    ("planner/record/text/requests.py", "sentence"): 41,
    ("planner/scheduler/feasibility/resource_shapes.py", "__init__"): 46,
    ("planner/simulation/beats/vertical_scaling.py", "__init__"): 43,
    ("planner/simulation/parts/pod_keepers.py", "of"): 44,
    ("planner/workloads/load/load_model.py", "__init__"): 48,
    ("planner/workloads/load/services.py", "__init__"): 57,
    ("ui/editor/cards/machine_picker.py", "__init__"): 41,
    ("ui/editor/previews/plan_previews.py", "__init__"): 47,
    ("ui/experiments/settings_row.py", "_compose"): 44,
    ("ui/measured/workspace.py", "__init__"): 43,
    ("ui/shell/features/measured.py", "connect_window"): 48,
    ("ui/shell/features/tour.py", "_steps"): 42,
    ("ui/shell/main_window.py", "__init__"): 46,
}
"""These as well, by module and name."""


def test_modules_stay_small():
    kernels = [path.relative_to(PROJECT) for path in sorted((PROJECT / "planner" / "kernels").rglob("*.pyx"))]
    assert_nowhere(excess_lines, [*modules(*CODE_FOLDERS), *kernels], "split these along the questions they answer")


def excess_lines(module):
    lines = text_of(module).count("\n")
    most = STILL_LONG_MODULES.get(
        module.as_posix(), MAX_LINES_OF_A_TEST_MODULE if module.parts[0] == "tests" else MAX_LINES_OF_A_MODULE
    )
    return [f"{lines} lines"] if lines > most else []


def test_functions_stay_small():
    assert_nowhere(long_functions, modules(*CODE_FOLDERS), "name the steps of these functions")


def long_functions(module):
    for node in statements_of(tree_of(module)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            most = MAX_LINES_OF_A_TEST_FUNCTION if module.parts[0] == "tests" else MAX_LINES_OF_A_FUNCTION
            if node.end_lineno - node.lineno >= STILL_LONG_FUNCTIONS.get((module.as_posix(), node.name), most):
                yield f"{node.name} (line {node.lineno})"


def test_rooms_stay_small_enough_to_be_seen_at_a_glance():
    rooms = Counter(module.parent for module in modules(*CODE_FOLDERS) if module.name != "__init__.py")
    crowded = {str(room): count for room, count in rooms.items() if count > MAX_MODULES_OF_A_ROOM}
    assert not crowded, "split these folders into rooms by layer"
