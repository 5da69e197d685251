"""The headroom of the open plan: the search in its thread, and the tab that shows the result."""
