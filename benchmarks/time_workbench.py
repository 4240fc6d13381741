"""Time a workbench on a million judgments: from a change of an option to scores, and to confidence intervals."""

import http.client
import json
import tempfile
import threading
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import numpy as np

from betterthan.web.workbench.open_files import Files
from betterthan.web.workbench.session import WorkbenchSession
from betterthan.web.workbench.workbench_server import served_workbench

ROWS, SYSTEMS, ITEMS, JUDGES = 1_000_000, 50, 5_000, 500
#: Seconds after which the page asks for scores without intervals (static/panels.js).
QUICK = 0.25
CHANGES = {
    "scale": {"scale": "log"},
    "ties": {"ties": "drop"},
    "model": {"model": "davidson"},
    "level": {"level": "0.9"},
    "unit": {"unit": "item"},
    "analytic intervals": {"ci": "analytic"},
}


def arena(path: Path) -> None:
    """Write judgments of systems on items by judges, both of which repeat."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    strength = np.linspace(1, -1, SYSTEMS)
    left = rng.integers(SYSTEMS, size=ROWS)
    right = (left + rng.integers(1, SYSTEMS, size=ROWS)) % SYSTEMS
    won = rng.random(ROWS) < 1 / (1 + np.exp(strength[right] - strength[left]))
    winner = np.where(rng.random(ROWS) < 0.1, "tie", np.where(won, "model_a", "model_b"))
    names = np.array([f"model-{number:03d}" for number in range(SYSTEMS)])
    items = np.array([f"i{number}" for number in range(ITEMS)])
    judges = np.array([f"j{number}" for number in range(JUDGES)])
    columns = {
        "model_a": names[left],
        "model_b": names[right],
        "winner": winner,
        "item": items[rng.integers(ITEMS, size=ROWS)],
        "judge": judges[rng.integers(JUDGES, size=ROWS)],
    }
    pq.write_table(pa.table(columns), path)


def group_by(path: Path) -> float:
    """Return the seconds of the engine's own group-by over the same file, the best of three."""
    import duckdb

    runs = []
    for _ in range(3):
        start = perf_counter()
        duckdb.sql(f"SELECT model_a, model_b, winner, count(*) FROM read_parquet('{path}') GROUP BY ALL").fetchall()
        runs.append(perf_counter() - start)
    return min(runs)


class Page:
    """What the page's script does, without the page."""

    def __init__(self, address: str) -> None:
        self.host = address.partition("//")[2].partition("/")[0]
        connection = http.client.HTTPConnection(self.host)
        connection.request("GET", "/?" + address.partition("/?")[2])
        self.cookie = connection.getresponse().headers["set-cookie"].partition(";")[0]
        connection.close()

    def ask(self, panel: str, rank: dict[str, str], *, quick: bool = False) -> dict[str, Any]:
        """Return the answer to a request."""
        connection = http.client.HTTPConnection(self.host, timeout=300)
        headers = {"Content-Type": "application/json", "Origin": f"http://{self.host}", "Cookie": self.cookie}
        body = {"state": {"files": ["f1"], "rank": rank}, "tab": "one", "quick": quick}
        connection.request("POST", f"/panel/{panel}", json.dumps(body), headers)
        found: dict[str, Any] = json.loads(connection.getresponse().read())
        connection.close()
        assert "error" not in found, found["error"]
        return found

    def change(self, rank: dict[str, str]) -> tuple[float, float]:
        """Return the seconds until scores, and until intervals are shown after an option has changed."""
        shown: list[float] = []
        start = perf_counter()

        def scores() -> None:
            sleep(QUICK)
            if not shown:
                self.ask("board", rank, quick=True)
                shown.append(perf_counter() - start)

        quick = threading.Thread(target=scores)
        quick.start()
        self.ask("board", rank)
        whole = perf_counter() - start
        shown.append(whole)
        quick.join()
        return min(shown), whole


def main() -> None:
    """Print what was measured."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judgments.parquet"
        arena(path)
        told: dict[str, Any] = {"group_by": group_by(path), "rows": ROWS, "systems": SYSTEMS}
        with WorkbenchSession(Files([str(path)])) as session, served_workbench(session).in_background() as bench:
            page = Page(bench.address)
            start = perf_counter()
            page.ask("data", {})
            told["reading"] = perf_counter() - start
            told["first"] = page.change({})
            told["changes"] = {name: page.change(rank) for name, rank in CHANGES.items()}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
