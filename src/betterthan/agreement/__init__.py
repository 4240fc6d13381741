"""How far raters agree: ratings of the same items by several raters."""
