"""The verbs: one folder each, with its computation, its result and its pictures."""
