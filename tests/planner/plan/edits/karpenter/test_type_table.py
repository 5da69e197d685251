"""Machine types from a table of prices."""

import pytest

from planner.errors import PlanFileError
from planner.plan.edits.karpenter.instance_types_file import read_instance_types
from planner.units import GIB, MIB

HEAD = "name,cpu,memory,allocatableCpu,allocatableMemory,pods,architecture,region,zone,capacityType,price"


def a_table(tmp_path, *lines, head=HEAD):
    path = tmp_path / "types.csv"
    path.write_text("\n".join((head, *lines)) + "\n", encoding="utf-8")
    return path


def test_lines_of_one_type_are_its_offerings_and_allocatable_says_what_is_reserved(tmp_path):
    large, small = read_instance_types(
        a_table(
            tmp_path,
            "m.large,4,16Gi,3920m,15Gi,58,arm64,west,west-a,spot,0.05",
            "m.small,2,8Gi,,,,,west,west-a,,0.1",
            "m.large,4,16Gi,3920m,15Gi,58,arm64,west,west-b,on-demand,0.2",
        )
    )
    assert (large.cpu, large.memory, large.pods, large.architecture.value) == (4000, 16 * GIB, 58, "arm64")
    assert (large.reserved_cpu, large.reserved_memory) == (80, 1024 * MIB)
    offers = [(each.zone, each.capacity_type.value, each.price) for each in large.offerings]
    assert offers == [("west-a", "spot", 0.05), ("west-b", "on-demand", 0.2)]
    assert (small.reserved_cpu, small.pods, small.offerings[0].capacity_type.value) == (0, 110, "on-demand")


def test_a_table_by_region_offers_the_types_in_the_regions(tmp_path):
    [made] = read_instance_types(a_table(tmp_path, "m,2,8Gi,west,0.1", head="name,cpu,memory,region,price"))
    assert [offer.zone for offer in made.offerings] == ["west"]


@pytest.mark.parametrize(
    ("line", "head", "problem"),
    [
        ("m,2,8Gi,0.1", "name,cpu,memory,price", "no column zone"),
        ("m,2,a,0.1", "name,cpu,zone,price", "no column memory"),
        ("m,many,8Gi,a,0.1", "name,cpu,memory,zone,price", "types.csv: 2"),
        ("m,2,8Gi,a,cheap", "name,cpu,memory,zone,price", "m: offerings"),
    ],
)
def test_a_bad_table_says_where_and_what(tmp_path, line, head, problem):
    with pytest.raises(PlanFileError, match=problem):
        read_instance_types(a_table(tmp_path, line, head=head))
