"""The legend of the map where there are more colours than room."""

from ui.map.drawing.coloring import LegendEntry
from ui.map.map_legend import MapLegend


def test_colours_without_room_are_counted_and_what_frames_mean_stays(theme, qtbot):
    legend = MapLegend(theme)
    qtbot.addWidget(legend)
    legend.resize(700, 60)
    entries = tuple(LegendEntry(0xFF336699, f"service-{number:03} 150") for number in range(24))
    legend.show_entries(entries, "", "12 pods wait for a node", more=476)
    texts = [text for _place, _what, text in legend.places]
    shown = sum(text.startswith("service-") for text in texts)
    assert 0 < shown < 24
    assert texts[0] == "12 pods wait for a node"
    assert texts[shown + 1 :] == [f"and {500 - shown} more", "booting", "draining", "not ready or under pressure"]
    assert max(place.y() for place, _what, _text in legend.places) < legend.sizeHint().height()


def test_with_room_all_colours_are_named(theme, qtbot):
    legend = MapLegend(theme)
    qtbot.addWidget(legend)
    legend.resize(900, 60)
    legend.show_entries((LegendEntry(0xFF336699, "web 3"), LegendEntry(0xFF993366, "api 1")), "", "")
    texts = [text for _place, _what, text in legend.places]
    assert texts == ["web 3", "api 1", "booting", "draining", "not ready or under pressure"]
