"""From rows to evidence: validation, the account of refused rows, and counts of distinct judgments."""
