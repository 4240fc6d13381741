"""Statistical tests: paired, of all pairs, omnibus, sequential, and corrections for multiplicity."""
