"""Node health: dead nodes, zone states, and evictions by taint."""
