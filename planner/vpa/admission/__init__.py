"""What a new or resized pod gets: recommendations fitted to its limits, and to the limits of its namespace."""
