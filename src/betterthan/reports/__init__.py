"""The report: one self-contained page with the verdict, what it rests on, and how to repeat it."""
