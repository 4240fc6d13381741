"""Log-linear Bradley–Terry models: ties, judges and covariates, as a statistician wants them."""
