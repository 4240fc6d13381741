"""Pattern models: all answers of one judge at once, over every combination of answers that could have been given."""
