"""Pattern models: all answers of one judge are one observation."""
