"""Models with covariates: formulas, the design matrix, its maximum likelihood, and cluster-robust errors."""
