"""CPU that pods ask for and use while they serve."""
