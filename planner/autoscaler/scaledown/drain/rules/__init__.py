"""Drain rules: which pods of a node move, stay behind, or keep the node from being removed."""
