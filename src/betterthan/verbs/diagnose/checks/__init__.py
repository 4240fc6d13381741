"""Checks of evidence, one per file, discovered automatically.

A file has `check`, a function from examined data to findings, and `PLACE`: readers see findings in this order.
"""
