"""Files and data frames: the only place where rows are touched, by the engine that holds them."""
