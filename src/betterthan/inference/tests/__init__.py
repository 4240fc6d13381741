"""Statistical tests: paired, of all pairs, omnibus, and corrections for multiplicity."""
