"""Whether the values of a plan fit together; a failed check is a problem with place and cure."""
