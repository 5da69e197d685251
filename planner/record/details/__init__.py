"""The data behind decisions: one kind of details for each kind of decision, without text.

Details are named tuples of numbers, names and codes as Kubernetes spells them; `planner.record.text` turns them into
sentences and tables. A number is a count unless its name ends in a unit.
"""
