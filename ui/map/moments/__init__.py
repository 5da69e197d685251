"""What a history says of one moment: nodes, pods, what they request and use, and where each belongs."""
