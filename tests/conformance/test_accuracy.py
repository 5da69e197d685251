"""docs/accuracy.md gives the figures of the floor."""

from tests.conformance.accuracy import BEGIN, END, PAGE, counts_of, floor, table
from tests.conformance.vectors import default_folder, find_families, read_cases


def _totals() -> dict[str, int]:
    return {str(family): sum(1 for _ in read_cases(family)) for family in find_families(default_folder())}


def test_the_accuracy_page_gives_the_counts_of_the_floor(request):
    if request.config.getoption("--update-golden") and default_folder().is_dir():
        from tests.conformance.accuracy import write

        write(floor(), _totals())
    agree, cases = counts_of(PAGE.read_text(encoding="utf-8"))
    assert agree == floor(), "python -m pytest tests/conformance/test_accuracy.py --update-golden"
    assert all(agree[family] <= cases[family] for family in agree)


def test_the_table_can_be_read_back():
    passed, totals = {"hpa/cpa": 3, "node/fit": 1}, {"hpa/cpa": 4, "node/fit": 1}
    page = f"text\n{BEGIN}{table(passed, totals)}{END}\n"
    assert counts_of(page) == (passed, totals)
    assert "Together: 4 of 5." in page
