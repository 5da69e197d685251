"""What code cites can be opened by a reader: an upstream file with its version, or a page of docs/."""

import re

from tests.architecture.sources import PROJECT, assert_nowhere, modules, text_of

NOT_PUBLISHED = re.compile(r"\bspec/|[a-z-]+\.md section")
PAGE = re.compile(r"\bdocs/[\w/-]+\.md")


def test_no_code_cites_a_text_that_is_not_part_of_the_project():
    assert_nowhere(lambda module: lines_with(NOT_PUBLISHED, module), modules("planner", "ui", "tests"))


def test_the_pages_that_code_cites_exist():
    assert_nowhere(missing_pages, modules("planner", "ui", "tests"))


def missing_pages(module):
    return [page for page in PAGE.findall(text_of(module)) if not (PROJECT / page).is_file()]


def lines_with(pattern, module):
    lines = text_of(module).splitlines()
    return [
        f"line {number}: {line.strip()[:100]}" for number, line in enumerate(lines, start=1) if pattern.search(line)
    ]
