"""Rank a Spark or Dask frame by items and judges with several workers: `python time_cluster.py ENGINE PATH`."""

import json
import os
import sys
from time import perf_counter
from typing import Any

import betterthan as bt


def main(engine: str, path: str) -> None:
    """Start the workers, rank a small frame first, then time the large one."""
    if engine == "Spark":
        os.environ["PYSPARK_PYTHON"] = sys.executable
        from pyspark.sql import SparkSession

        local = {
            "spark.ui.enabled": "false",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.memory": "4g",
            "spark.sql.shuffle.partitions": "4",
        }
        builder = SparkSession.builder.master("local[2]")
        for name, value in local.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        _timed(lambda: session.read.parquet(path))
        session.stop()
        return
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        _timed(lambda: dd.read_parquet(path, split_row_groups=True))


def _timed(frame: Any) -> None:
    whole = frame()
    few = whole.sample(fraction=0.001, seed=0) if hasattr(whole, "sparkSession") else whole.partitions[0]
    bt.rank(bt.read_judgments(few), resamples=50)
    start = perf_counter()
    votes = bt.read_judgments(frame())
    counted = bt.rank(votes, ci="none")
    point = perf_counter() - start
    start = perf_counter()
    votes = bt.read_judgments(frame())
    board = bt.rank(votes).board
    print(
        json.dumps(
            {
                "point": point,
                "seconds": perf_counter() - start,
                "rows": votes.table.moved.rows,
                "read": board.evidence.rows,
                "digest": counted.board.data,
                "told": votes.explain(),
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
