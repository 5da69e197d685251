"""How many new nodes of a group a set of pending pods needs."""
