"""The open plan: what is edited, undone, saved, watched and recovered."""
