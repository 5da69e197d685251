"""Names say what a module is about, and no text leads to a place on somebody's machine."""

import re

import pytest

from tests.architecture.sources import CODE_FOLDERS, PROJECT, modules

SAYS_NOTHING = re.compile(r"(^|_)(utils?|helpers?|managers?|misc|common)($|_)")

TEXT_FOLDERS = (*CODE_FOLDERS, "docs", "resources", "scenarios", "packaging", ".ci")
TEXT_ENDINGS = (".py", ".md", ".toml", ".txt", ".json", ".jsonl", ".sh", ".headroom", ".csv", ".yaml", ".yml")
BESIDE_THE_PROJECT = re.compile(r"\.\./shared/(conformance|speed)\b")
MACHINE_PLACE = re.compile(r"/(work|root|home|Users)/\w|\bshared/|/tmp/\w")


@pytest.mark.parametrize("module", modules(*CODE_FOLDERS), ids=str)
def test_a_module_is_named_after_what_it_holds(module):
    assert not [part for part in module.with_suffix("").parts if SAYS_NOTHING.search(part)]


def committed_texts():
    yield from (path for path in PROJECT.iterdir() if path.suffix in TEXT_ENDINGS or path.name == "Makefile")
    for folder in TEXT_FOLDERS:
        for path in sorted((PROJECT / folder).rglob("*")):
            if path.is_file() and (path.suffix in TEXT_ENDINGS or folder == ".ci"):
                yield path


def test_no_text_names_a_place_on_a_machine():
    found = [
        f"{path.relative_to(PROJECT)}:{number}: {line.strip()[:100]}"
        for path in committed_texts()
        if path.name != "test_names.py"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if MACHINE_PLACE.search(BESIDE_THE_PROJECT.sub("", line))
    ]
    assert not found, "only the default folders of recorded cases and speed inputs may be named"
