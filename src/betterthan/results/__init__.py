"""What every verb returns: one base with every renderer, frame and file format written once."""
