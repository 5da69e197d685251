"""The key figures of a run, beside those of its baseline."""
