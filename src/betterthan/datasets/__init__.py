"""One data set with its statistics: what every verb starts from."""
