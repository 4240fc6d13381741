"""Maximum likelihood: how chances depend on strengths, and how to find the maximum, if there is one."""
