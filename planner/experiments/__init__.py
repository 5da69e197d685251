"""Experiments: many runs of a plan and its variants, and the answer that they give.

`variants` are the plans of an experiment, `execution` runs them, `results` keeps what was found, `statistics` turns
figures into intervals, `kinds` holds one experiment each, and `text` says the answer.
"""
