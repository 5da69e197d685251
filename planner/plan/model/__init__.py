"""The frozen models that make up a plan."""
