"""What changes the tables of a cluster, by what it happens to."""
