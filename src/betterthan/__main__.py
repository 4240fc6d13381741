"""`python -m betterthan` is the command `betterthan`."""

from betterthan.cli import main

if __name__ == "__main__":
    main()
