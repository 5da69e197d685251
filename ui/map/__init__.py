"""The cluster map: nodes with their pods at any moment of a run."""
