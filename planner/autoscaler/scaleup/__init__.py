"""Adding nodes: what to ask for and how to share it among node groups."""
