"""Search: the cheapest plan of a space that keeps its constraints."""
