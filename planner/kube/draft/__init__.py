"""A draft of a plan: its parts, each with its source in the manifests."""
