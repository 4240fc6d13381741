"""Outside layouts of rankings and scores, one file each."""
