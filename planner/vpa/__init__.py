"""Requests that follow use: recommender, updater and admission of the Vertical Pod Autoscaler 1.8."""
