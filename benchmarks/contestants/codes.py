"""Integer codes straight from Parquet's own dictionaries: the fastest reading that a careful user could write."""

from dataclasses import dataclass

import numpy as np
import pyarrow.parquet as pq


@dataclass(frozen=True)
class Coded:
    """Judgments as codes: sides into `names`, outcomes into the given order."""

    names: list[str]
    left: np.ndarray
    right: np.ndarray
    outcome: np.ndarray


def read_codes(path: str, outcomes: list[str]) -> Coded:
    """Read three dictionary columns and translate their (few) entries, not their (many) rows."""
    columns = ["model_a", "model_b", "winner"]
    read = pq.read_table(path, columns=columns, read_dictionary=columns).unify_dictionaries()
    labels = {name: read[name].chunk(0).dictionary.to_pylist() for name in columns}
    names = sorted({*labels["model_a"], *labels["model_b"]})

    def codes(column: str, order: list[str]) -> np.ndarray:
        place = np.array([order.index(label) for label in labels[column]])
        return np.concatenate([place[chunk.indices.to_numpy()] for chunk in read[column].chunks])

    return Coded(names, codes("model_a", names), codes("model_b", names), codes("winner", outcomes))
