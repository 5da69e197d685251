"""What is true now: struct-of-arrays tables, and Cluster, the only class that changes them."""
