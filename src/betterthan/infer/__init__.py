"""How sure are we: resamples, draws, intervals, rank ranges, clusters."""
