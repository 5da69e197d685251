"""The editor of the plan: navigator, tables, generated forms and the list of problems."""
