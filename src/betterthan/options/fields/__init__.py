"""How options are declared, validated, written as text, and turned into keyword arguments."""
