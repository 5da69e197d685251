"""Out of the window into files of other programs."""
