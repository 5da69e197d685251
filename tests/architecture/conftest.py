"""The parsed sources are shared by these tests and let go after the last of them."""

from collections.abc import Iterator

import pytest

from tests.architecture.sources import text_of, tree_of


@pytest.fixture(scope="package", autouse=True)
def parsed_sources() -> Iterator[None]:
    yield
    text_of.cache_clear()
    tree_of.cache_clear()
