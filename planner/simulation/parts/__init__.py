"""Parts of a run, each assembled from controllers and rules."""
