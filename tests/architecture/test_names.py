"""Names say what a module is about, and no text leads to a place on somebody's machine."""

import ast
import re
from collections import defaultdict

from tests.architecture.sources import CODE_FOLDERS, PROJECT, assert_nowhere, modules, tree_of

SAYS_NOTHING = re.compile(r"(^|_)(utils?|helpers?|managers?|misc|common)($|_)")

TEXT_FOLDERS = (*CODE_FOLDERS, "docs", "resources", "scenarios", "packaging", ".ci")
TEXT_ENDINGS = (".py", ".md", ".toml", ".txt", ".json", ".jsonl", ".sh", ".headroom", ".csv", ".yaml", ".yml")
BESIDE_THE_PROJECT = re.compile(r"\.\./shared/(conformance|data|speed)\b")
MACHINE_PLACE = re.compile(r"/(work|root|home|Users)/\w|\bshared/|/tmp/\w")


def test_a_module_is_named_after_what_it_holds():
    assert_nowhere(words_without_meaning, modules(*CODE_FOLDERS))


def words_without_meaning(module):
    return [part for part in module.with_suffix("").parts if SAYS_NOTHING.search(part)]


def committed_texts():
    yield from (path for path in PROJECT.iterdir() if path.suffix in TEXT_ENDINGS or path.name == "Makefile")
    for folder in TEXT_FOLDERS:
        for path in sorted((PROJECT / folder).rglob("*")):
            if path.is_file() and (path.suffix in TEXT_ENDINGS or folder == ".ci"):
                yield path


def test_no_text_names_a_place_on_a_machine():
    texts = [path.relative_to(PROJECT) for path in committed_texts() if path.name != "test_names.py"]
    assert_nowhere(machine_places, texts, "only the default folders of recordings and of inputs may be named")


def machine_places(text):
    for number, line in enumerate((PROJECT / text).read_text(encoding="utf-8").splitlines(), start=1):
        if MACHINE_PLACE.search(BESIDE_THE_PROJECT.sub("", line)):
            yield f"line {number}: {line.strip()[:100]}"


def test_a_class_name_has_one_meaning():
    homes = defaultdict(list)
    for module in modules("planner", "ui"):
        for node in tree_of(module).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(str(module))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}
