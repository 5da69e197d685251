"""Compiled twins of rules that runs spend their time in.

A kernel gives what its twin gives, bit for bit: it uses only `+ - * /` and integer arithmetic. Without kernels, or with
them switched off, runs use the twins.
"""
