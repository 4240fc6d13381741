"""From evidence and formulas to a design: comparisons, covariates, and the matrix of coefficients."""
