"""Adding nodes: how many to request, and how to split them among node groups."""
