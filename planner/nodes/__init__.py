"""Node life cycle: how nodes come and go."""
