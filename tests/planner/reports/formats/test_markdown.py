"""The summary in Markdown: nothing of the plan is markup."""

import re

from planner.reports.formats.markdown import markdown, plain
from tests.planner.reports.made_reports import a_busy_plan, run_and_report


def test_all_tables_have_as_many_cells_as_their_heading(busy):
    for block in re.findall(r"(?:^\|.*\|$\n?)+", markdown(busy[1]).decode(), re.MULTILINE):
        counts = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(counts) == 1


def test_verdict_figures_and_statement_are_there(busy):
    text = markdown(busy[1]).decode()
    assert text.startswith("# Busy hour\n")
    for part in ("The SLO of shop is missed.", "| Cost of the run |", "### Node pools", busy[0].digest()):
        assert part in text


def test_names_are_no_markup_no_links_and_mention_no_user(hostile):
    text = markdown(hostile).decode()
    assert not re.search(r"(?<!\\)<|https?://|@all", text)
    assert plain("a|b\nc *d* [e](f)") == r"a\|b c \*d\* \[e\](f)"


def test_the_same_run_gives_the_same_bytes(busy):
    assert markdown(busy[1]) == markdown(run_and_report(a_busy_plan())[1])
