"""Sufficient statistics of a data set; after this layer nothing reads rows."""
