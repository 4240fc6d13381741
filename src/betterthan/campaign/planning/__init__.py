"""Planning of campaigns: overview, decided pairs and simulation."""
