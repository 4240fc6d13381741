"""Time one model on a file of rankings: `python time_rankings.py FILE MODEL` prints [estimate, with resamples]."""

import json
import sys
from time import perf_counter

import betterthan as bt


def main(path: str, model: str) -> None:
    """Print the seconds of the best of three estimates, and of one run with 1,000 resamples."""
    rankings = bt.read_rankings(path)
    estimates = [_seconds(rankings, model, ci="none") for _ in range(3)]
    print(json.dumps([min(estimates), _seconds(rankings, model)]))


def _seconds(rankings: bt.Rankings, model: str, **choices: str) -> float:
    start = perf_counter()
    bt.rank(rankings, model=model, **choices)
    return perf_counter() - start


if __name__ == "__main__":
    main(*sys.argv[1:])
