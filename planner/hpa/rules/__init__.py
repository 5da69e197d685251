"""The rules of the HPA controller: from samples to a replica count."""
