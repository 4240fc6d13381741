"""Models with closed-form strengths, from counts or scores."""
