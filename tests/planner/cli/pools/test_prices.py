"""headroom prices: node pools get the prices of an OpenCost table."""

import pytest

from planner import cli
from planner.plan.files.io import load_plan, save_plan
from tests.builders import a_node_group, a_plan

HEAD = "EndTimestamp,InstanceID,Region,AssetClass,InstanceIDField,InstanceType,MarketPriceHourly,Version"
TYPE = "metadata.labels.node.kubernetes.io/instance-type"


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.headroom"
    general = a_node_group("general", machine_type="m5.large", labels={"topology.kubernetes.io/region": "eu-west-1"})
    gpu = a_node_group("gpu", machine_type="g5.xlarge", labels={"team": "vision"})
    save_plan(a_plan(node_groups=(general, gpu)), path)
    return path


def priced(plan, tmp_path, *rows, head=HEAD):
    table = tmp_path / "prices.csv"
    table.write_text("\n".join((head, *rows)) + "\n")
    code = cli.main(["prices", str(plan), str(table)])
    return code, [group.price_per_hour for group in load_plan(plan).node_groups]


@pytest.mark.parametrize(
    ("rows", "prices"),
    [
        ((f",m5.large,,node,{TYPE},,0.107,v1",), [0.107, 0.0]),
        ((",placeholder,,node,,m5.large,0.2,v1", ",x,,node,,g5.xlarge,1.5,v1"), [0.2, 1.5]),
        ((",x,us-east-1,node,,m5.large,0.1,", ",x,eu-west-1,node,,m5.large,0.3,"), [0.3, 0.0]),
        ((",vision,,node,metadata.labels.team,,2.5,",), [0.0, 2.5]),
        ((",x,,pv,,m5.large,9,", ",x,,node,,m5.large,0.4,"), [0.4, 0.0]),
    ],
    ids=["by label of the type", "by type", "by region", "by another label", "volumes are no nodes"],
)
def test_pools_get_the_price_of_the_first_row_that_is_for_them(plan, tmp_path, rows, prices):
    assert priced(plan, tmp_path, *rows) == (0, prices)


@pytest.mark.parametrize(
    ("rows", "head", "said"),
    [
        ((",x,,node,,m5.large,cheap,",), HEAD, "line 2"),
        ((",x,,node,,m5.large,-1,",), HEAD, "no price"),
        ((",x,,node,,c9.large,1,",), HEAD, "c9.large"),
        (("a,b",), "name,value", "MarketPriceHourly"),
    ],
    ids=["no number", "negative", "no pool", "another table"],
)
def test_a_wrong_table_is_refused_with_place_and_cure(plan, tmp_path, capsys, rows, head, said):
    code, prices = priced(plan, tmp_path, *rows, head=head)
    assert (code, prices) == (2, [0.0, 0.0]) and said in capsys.readouterr().err
