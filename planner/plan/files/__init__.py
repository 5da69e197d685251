"""Plan files and recorded load: reading, writing, and problems with their place."""
