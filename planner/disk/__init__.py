"""Files that are replaced as a whole: either the old or the new content, whatever happens on the way."""
