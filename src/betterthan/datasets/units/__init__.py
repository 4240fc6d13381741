"""Units of resampling, and cluster-robust covariances."""
