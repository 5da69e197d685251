"""Key figures of a finished run, by what they are about."""
