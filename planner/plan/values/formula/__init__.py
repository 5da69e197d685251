"""Formulas of scaling modifiers: the part of the language expr (expr-lang.org, 1.17) that computes with numbers."""
