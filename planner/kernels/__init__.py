"""Compiled twins of rules that runs spend their time in.

A kernel gives what its twin gives, bit for bit: it uses only integers, `+ - * /`, square roots and
rounding. Without kernels, or with them switched off, runs use the twins.
"""
