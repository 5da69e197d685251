"""The page of a report in a real browser: what it draws, and that it needs nothing but itself."""

import json
import subprocess
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from planner.reports.formats.pages import html_page
from tests.packaging.conftest import needs
from tests.planner.reports.made_reports import HOSTILE, a_busy_plan, run_and_report

OF_THE_BROWSER = "not an origin"
"""Who asks for what no page wants: updates of the browser, the time."""
QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")
PATIENCE_S = 120


class Browser:
    """Opens pages of a folder without a screen."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self, page: bytes) -> tuple[list[str], QImage]:
        """What the page asked the network for, and how it looks."""
        file, log, picture = (self._folder / name for name in ("page.html", "network.json", "page.png"))
        file.write_bytes(page)
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", *QUIET]
        command += ["--window-size=1000,1400", "--host-resolver-rules=MAP * ~NOTFOUND", f"--log-net-log={log}"]
        command += [f"--user-data-dir={self._folder / 'user'}", f"--screenshot={picture}", file.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE_S)
        events = json.loads(log.read_text(encoding="utf-8"))["events"]
        asked = [event["params"] for event in events if "initiator" in event.get("params", {})]
        return [one["url"] for one in asked if one["initiator"] != OF_THE_BROWSER], QImage(str(picture))


@pytest.fixture
def browser(tmp_path):
    needs("chromium")
    return Browser(tmp_path)


def test_the_page_asks_for_nothing_and_shows_cards_and_curves(browser):
    page = html_page(run_and_report(a_busy_plan(name="바쁜 시간", notes=HOSTILE))[1])
    asked, picture = browser.open(page)
    assert asked == []
    assert picture.width() == 1000
    colors = {picture.pixelColor(x, y).name() for x in range(0, 1000, 2) for y in range(0, picture.height(), 2)}
    assert {"#ffffff", "#0072b2", "#d55e00"} <= colors, "cards, and two curves"


def test_a_page_that_asks_for_something_would_be_found_out(browser):
    asked, _picture = browser.open(b'<img src="http://pictures.example/one.png">')
    assert asked == ["http://pictures.example/one.png"]
