"""What an experiment has found: as data, as JSON and in words."""
