"""Several outputs of one system on an item: their scores are averaged, their labels are not."""

import numpy as np

import betterthan as bt


def test_labels_of_several_outputs_are_not_averaged() -> None:
    """The mean of two labels is no label: without parts, the whole score is the mean of the items' scores."""
    outputs = {"owl": ["ac", "aa", "bb", "cb"], "yak": ["cc", "ab", "bb", "bb"]}
    rows = [
        {"item": f"i{item}", "system": system, "run": run, "output": said, "truth": truth}
        for system, texts in outputs.items()
        for item, (text, truth) in enumerate(zip(texts, "aabb", strict=True))
        for run, said in enumerate(text)
    ]
    (found,) = bt.score(rows, "f1", "truth", repeat="run").parts
    right = {name: [np.mean([said == truth for said in text]) for text, truth in zip(texts, "aabb", strict=True)]
             for name, texts in outputs.items()}  # fmt: skip
    assert found.parts is None
    assert found.scores.T.tolist() == [right[name] for name in found.systems]
    assert found.whole.tolist() == [np.mean(right[name]) for name in found.systems]
