"""Pickled data frames, read without unpickling: the stream is parsed as data, and nothing in it is called."""
