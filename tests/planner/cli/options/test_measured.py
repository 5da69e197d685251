"""Options of commands that read measured series."""

import click
import pytest
from click.testing import CliRunner

from planner.cli.options.measured import measured_options


@click.command()
@measured_options
def shown(from_s, **_options):
    """What was understood."""
    click.echo(from_s)


@pytest.mark.parametrize(
    ("arguments", "seconds"),
    [
        pytest.param(["--from", "2026-03-01"], 1772323200, id="UTC if nothing is said"),
        pytest.param(["--from", "2026-03-01", "--time-zone", "Europe/Berlin"], 1772323200 - 3600, id="winter time"),
        pytest.param(["--time-zone", "Europe/Berlin", "--from", "2026-07-01"], 1782864000 - 7200, id="summer time"),
        pytest.param(["--from", "2026-03-01T00:00:00Z", "--time-zone", "Asia/Seoul"], 1772323200, id="its own zone"),
    ],
)
def test_a_date_is_in_the_zone_of_the_series_unless_it_has_its_own(arguments, seconds):
    done = CliRunner().invoke(shown, ["series.csv", *arguments])
    assert float(done.output) == seconds
