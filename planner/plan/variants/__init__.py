"""Variants: changes written as text, made to a plan or found between two plans."""
