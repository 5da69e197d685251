"""The HTML report: one file, no network, no script; names are text whatever they look like."""

import re
from html.parser import HTMLParser

from planner.reports.formats.pages import html_page, print_parts
from tests.planner.reports.made_reports import a_busy_plan, run_and_report

VOID = frozenset({"meta", "br", "img", "hr", "link", "input"})


class Page(HTMLParser):
    """Collects tags, attributes and text, and checks that all tags are closed."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words, self._open = [], [], [], []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.words.append(data)


def test_the_page_is_well_formed_and_holds_every_part(busy):
    report = busy[1]
    page = Page(html_page(report).decode())
    text = " ".join(" ".join(page.words).split())
    for part in (report.title, report.verdict.headline, *report.verdict.sentences, *report.statement):
        assert part in text
    for fact in report.facts:
        assert fact.label in text and fact.value in text
    for table in (*report.plan_tables, *report.outcome_tables, report.decisions):
        assert table.title in text and all(cell in text for row in table.rows for cell in row)
    assert page.tags.count("svg") == len(report.plots) >= 6


def test_the_page_loads_nothing_and_runs_nothing(hostile):
    text = html_page(hostile).decode()
    page = Page(text)
    assert not {"script", "link", "img", "iframe", "object", "embed", "form", "base", "a"} & {*page.tags}
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "href", "action")]
    assert re.findall(r"url\(|@import", text) == []
    assert [one for one in re.findall(r'https?://[^"\s<]+', text) if "w3.org" not in one and "evil" not in one] == []
    assert "default-src 'none'" in text


def test_names_are_text_whatever_they_look_like(hostile):
    page = Page(html_page(hostile).decode())
    assert hostile.title in " ".join(page.words)
    for part in print_parts(hostile):
        assert "script" not in Page(part).tags


def test_the_same_run_gives_the_same_bytes(busy):
    assert html_page(busy[1]) == html_page(run_and_report(a_busy_plan())[1])


def test_every_identifier_of_the_page_is_unique(busy):
    identifiers = [value for name, value in Page(html_page(busy[1]).decode()).attributes if name == "id"]
    assert len(identifiers) == len({*identifiers}) > 0
