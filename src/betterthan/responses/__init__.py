"""Item response theory: how difficult items are, how well they separate systems, and what systems can do."""
