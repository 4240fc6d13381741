"""The page itself: template, style and script."""
