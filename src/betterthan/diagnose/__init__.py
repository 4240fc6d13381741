"""What is doubtful about evidence or a result, as findings."""
