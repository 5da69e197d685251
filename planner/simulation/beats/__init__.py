"""The periodic work of a run: load steps, samples, syncs and report rows."""
