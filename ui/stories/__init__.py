"""The story of a node or a pod: all that happened to it, in order, with the reasons."""
