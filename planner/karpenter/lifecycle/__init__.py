"""From the launch of a node to its end."""
