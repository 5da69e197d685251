"""The workbook: its sheets, native charts, numbers as numbers, and no formula whatever the names are."""

import io
import math
import re
import zipfile
from xml.etree import ElementTree

from planner.reports.content.titles import title_of
from planner.reports.formats.workbook import workbook
from tests.planner.reports.made_reports import a_busy_plan, run_and_report

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def parts_of(content):
    """The XML files of a workbook by name; every one parses."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    for text in texts.values():
        ElementTree.fromstring(text)
    return texts


def test_the_workbook_has_its_sheets_and_a_chart_for_every_plot(busy):
    parts = parts_of(workbook(busy[1]))
    names = re.findall(r'<sheet name="([^"]+)"', parts["xl/workbook.xml"])
    assert names == ["Summary", "Plots", "Time series", "Workloads", "Node pools", "Cost", "Decisions",
                     "Plan and comparison"]  # fmt: skip
    assert len([name for name in parts if name.startswith("xl/charts/chart")]) == len(busy[1].plots)


def test_figures_are_numbers_and_every_row_of_the_run_is_there(busy):
    result, report = busy
    parts = parts_of(workbook(report))
    series = ElementTree.fromstring(parts["xl/worksheets/sheet3.xml"])
    rows = list(series.iter(f"{MAIN}row"))
    assert len(rows) == len(result.time_us) + 1
    last = [cell for cell in rows[-1] if cell.get("t") is None]
    assert float(last[0].find(f"{MAIN}v").text) == result.time_us[-1] / 1e6
    assert len(list(ElementTree.fromstring(parts["xl/worksheets/sheet7.xml"]).iter(f"{MAIN}row"))) == 1 + len(
        result.decisions
    )


def test_every_figure_of_the_summary_has_a_name_and_is_written_as_its_unit_wants(busy):
    result, report = busy
    parts = parts_of(workbook(report))
    strings = [
        "".join(part.text or "" for part in one.iter(f"{MAIN}t"))
        for one in ElementTree.fromstring(parts["xl/sharedStrings.xml"]).iter(f"{MAIN}si")
    ]
    looks = [one.get("numFmtId") for one in ElementTree.fromstring(parts["xl/styles.xml"]).find(f"{MAIN}cellXfs")]
    codes = {
        one.get("numFmtId"): one.get("formatCode")
        for one in ElementTree.fromstring(parts["xl/styles.xml"]).iter(f"{MAIN}numFmt")
    }
    shown = {}
    for row in ElementTree.fromstring(parts["xl/worksheets/sheet1.xml"]).iter(f"{MAIN}row"):
        cells = {cell.get("r").rstrip("0123456789"): cell for cell in row}
        if "B" in cells and cells["B"].get("t") is None and cells["B"].find(f"{MAIN}v") is not None:
            title = strings[int(cells["A"].find(f"{MAIN}v").text)]
            shown[title] = codes.get(looks[int(cells["B"].get("s"))])
    finite = [name for name, figure in result.figures.items() if math.isfinite(figure.value)]
    assert set(shown) == {title_of(name) for name in finite}
    assert shown["SLO met, share of time (shop)"] == "0.0%"
    assert shown["p95 latency, worst at (shop)"] == "[h]:mm:ss"
    assert shown["Cost"] == "#,##0.00##"


def test_texts_that_look_like_formulas_or_links_stay_texts(hostile):
    parts = parts_of(workbook(hostile))
    sheets = [text for name, text in parts.items() if name.startswith("xl/worksheets/sheet")]
    assert sheets and not any("<f>" in text or "<hyperlink" in text for text in sheets)
    assert hostile.title in [
        node.text for node in ElementTree.fromstring(parts["xl/sharedStrings.xml"]).iter(f"{MAIN}t")
    ]


def test_the_same_run_gives_the_same_bytes(busy):
    assert workbook(busy[1]) == workbook(run_and_report(a_busy_plan())[1])


def test_a_huge_run_is_thinned_and_says_so(busy, monkeypatch):
    monkeypatch.setattr("planner.reports.formats.workbook._MOST_CELLS", 2_000)
    monkeypatch.setattr("planner.reports.formats.workbook._MOST_DECISIONS", 3)
    strings = parts_of(workbook(busy[1]))["xl/sharedStrings.xml"]
    assert re.search(r"The sheet Time series has one row of \d+\.", strings)
    assert "The sheet Decisions leaves out the last" in strings
