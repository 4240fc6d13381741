"""What every server of ours has in common: the port, headers of responses, bounds on requests."""
