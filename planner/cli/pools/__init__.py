"""Commands on node pools and the machines they are made of."""
