"""Maximum likelihood and standard errors of log-linear models."""
