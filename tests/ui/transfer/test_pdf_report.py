"""The report as PDF: pages and text, no time of day, and no screen."""

import os
import re
import subprocess
import sys
import zlib

import pytest

from planner.plan.files.io import save_plan
from tests.planner.reports.made_reports import HOSTILE, a_busy_plan, run_and_report
from ui.transfer.pdf.drawing import pdf_of


@pytest.fixture(scope="module")
def content(qapp):
    return pdf_of(run_and_report(a_busy_plan(name="바쁜 시간", notes=HOSTILE))[1])


def streams_of(content):
    """What the pages draw, unpacked."""
    found = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL)
    return [unpacked for stream in found for unpacked in [_unpacked(stream)] if unpacked]


def _unpacked(stream):
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


def test_the_file_has_pages_with_text_and_plots(content):
    assert content.startswith(b"%PDF-") and content.rstrip().endswith(b"%%EOF")
    assert len(re.findall(rb"/Type /Page\b", content)) >= 4
    drawn = streams_of(content)
    assert sum(stream.count(b"Tj") + stream.count(b"TJ") for stream in drawn) > 100
    assert sum(stream.count(b" l\n") for stream in drawn) > 500


def test_its_text_can_be_searched_also_in_korean(content):
    """Fonts carry which letter each of their glyphs is."""
    maps = b" ".join(
        re.findall(rb"beginbf(?:range|char)(.*?)endbf", content + b" ".join(streams_of(content)), re.DOTALL)
    )
    for letter in "바쁜":
        assert f"{ord(letter):04X}".encode() in maps.upper()


def test_nothing_in_it_is_of_the_time_of_day(content):
    assert re.findall(rb"D:(\d{4})", content) and set(re.findall(rb"D:(\d{4})", content)) == {b"2000"}
    assert not re.search(rb"xmp:CreateDate|uuid:[0-9a-f]", content)


def test_two_processes_without_a_screen_write_the_same_bytes(tmp_path):
    plan = tmp_path / "plan.headroom"
    save_plan(a_busy_plan(), plan)
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    for name, seed in (("one.pdf", "1"), ("two.pdf", "2")):
        clean = {key: value for key, value in os.environ.items() if key not in screens} | {"PYTHONHASHSEED": seed}
        words = [sys.executable, "-m", "ui.launch", "report", str(plan), "-o", str(tmp_path / name), "--until", "2m"]
        subprocess.run(words, env=clean, check=True, capture_output=True)
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()
