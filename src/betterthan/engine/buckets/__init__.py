"""Sums over many units, added up in hash buckets on every engine."""
