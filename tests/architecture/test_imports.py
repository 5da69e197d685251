"""The direction of imports: layers (import-linter), outside libraries, families whose members are strangers."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.architecture.sources import CORE, PROJECT, assert_nowhere, dotted_name, imports_of, modules, tree_of

# Which library may be used where; the standard library is free everywhere.
LIBRARIES = {
    "numpy": ("planner",),
    "pydantic": ("planner",),
    "pydantic_core": ("planner",),
    "re2": ("planner.plan.values.patterns",),
    "yaml": ("planner.kube",),
    "click": ("planner.cli",),
    "scipy": ("planner.experiments", "planner.measured.calibration", "planner.workloads.latency"),
    "jinja2": ("planner.reports.formats.pages",),
    "markupsafe": ("planner.reports.formats.pages",),
    "xlsxwriter": ("planner.reports.formats",),
    "distributed": ("planner.experiments.execution",),
    "optuna": ("planner.experiments",),
    "platformdirs": ("planner.api", "planner.cli", "planner.plan"),
}
SCREEN_LIBRARIES = ("PySide6", "pyqtgraph")


def lies_in(name, packages):
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def test_the_import_contracts_hold():
    command = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([command, "--no-cache"], cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_part_of_the_core_has_its_layer():
    contracts = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    [layers] = [c["layers"] for c in contracts["contracts"] if c["type"] == "layers"]
    named = {name.strip(" ()") for layer in layers for name in layer.split("|")}
    parts = {".".join(module.with_suffix("").parts[:2]) for module in modules(CORE) if module.parts[1] != "__init__.py"}
    assert parts <= named


def test_the_core_uses_few_libraries_each_in_its_place():
    assert_nowhere(misplaced_libraries, modules(CORE))


def misplaced_libraries(module):
    for line, name in imports_of(tree_of(module)):
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names or top == CORE:
            continue
        if not lies_in(dotted_name(module), LIBRARIES.get(top, ())):
            yield f"line {line}: {name}"


def test_the_way_in_needs_no_screen():
    names = [name for _, name in imports_of(tree_of(Path("ui/launch.py")))]
    assert not [name for name in names if name.partition(".")[0] in SCREEN_LIBRARIES]


def is_member_of_a_family(tree):
    """True for a module with a class that names itself by an enum: `name = ExpanderName.PRICE`."""
    return any(
        isinstance(statement, ast.Assign)
        and isinstance(statement.value, ast.Attribute)
        and [target.id for target in statement.targets if isinstance(target, ast.Name)] == ["name"]
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        for statement in node.body
    )


def test_expanders_plugins_and_drain_rules_do_not_import_each_other():
    members = {dotted_name(m): m for m in modules(CORE) if is_member_of_a_family(tree_of(m))}
    acquainted = [
        f"{name} imports {imported}"
        for name, module in members.items()
        for _, imported in imports_of(tree_of(module))
        if imported in members and imported != name and imported.rpartition(".")[0] == name.rpartition(".")[0]
    ]
    assert not acquainted
