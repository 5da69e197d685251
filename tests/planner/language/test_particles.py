import pytest

from planner.language.particles import with_particles


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("파드을(를)", "파드를"),
        ("노드 풀을(를)", "노드 풀을"),
        ("'spot'이(가)", "'spot'이(가)"),
        ("shop-m이(가)", "shop-m이"),
        ("3은(는)", "3은"),
        ("2은(는)", "2는"),
        ("m5.xl(으)로", "m5.xl로"),
        ("10(으)로", "10으로"),
        ("풀(으)로", "풀로"),
        ('"api"와 {x}', '"api"와 {x}'),
        ("Cluster (old)와", "Cluster (old)와"),
    ],
)
def test_a_particle_follows_the_last_sound_and_stays_double_where_it_is_not_known(written, read):
    assert with_particles(written) == read
