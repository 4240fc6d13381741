"""Maximum likelihood: link functions, optimisers, and checks that a maximum exists."""
