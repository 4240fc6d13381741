"""Who takes part: functions from a path (or a frame) to an answer that can be compared."""
