"""The audit of a judge by people's labels: whether it agrees with them, and how it errs."""
