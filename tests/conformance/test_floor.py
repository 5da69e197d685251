"""The score may rise, never fall: recorded cases are compared with the committed floor."""

import json
import os
from pathlib import Path

import pytest

from tests.conformance import accuracy
from tests.conformance.runner import run_families
from tests.conformance.vectors import FOLDER_VARIABLE, default_folder, find_families

FLOOR = Path(__file__).with_name("floor.json")


@pytest.mark.timeout(3600)
def test_no_family_agrees_in_fewer_cases_than_before(request):
    folder = default_folder()
    if not folder.is_dir():
        message = f"the recorded cases are not at {folder} (set {FOLDER_VARIABLE})"
        if os.environ.get("HEADROOM_REQUIRE_CONFORMANCE") == "1":
            pytest.fail(message)
        pytest.skip(message)
    scores = list(run_families(find_families(folder)))
    passed = {str(score.family): score.passed for score in scores}
    if request.config.getoption("--update-golden"):
        FLOOR.write_text(json.dumps(passed, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        accuracy.write(passed, {str(score.family): score.total for score in scores})
    floor = json.loads(FLOOR.read_text(encoding="utf-8"))
    fallen = {
        family: (least, passed.get(family, 0)) for family, least in floor.items() if passed.get(family, 0) < least
    }
    assert not fallen, f"family: (floor, now) {fallen}"
