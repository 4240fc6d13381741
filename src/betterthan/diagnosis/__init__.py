"""What is doubtful about evidence: one check per file, and the advice that follows."""
