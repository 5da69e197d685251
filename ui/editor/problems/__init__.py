"""Problems and hints, and the way to their field."""
