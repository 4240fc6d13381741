"""What several metrics share."""
