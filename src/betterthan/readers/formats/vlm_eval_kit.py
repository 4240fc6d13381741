"""Judged predictions of VLMEvalKit: a row per question that says whether it was hit, a file per model."""

from pathlib import Path
from typing import Any, ClassVar

from betterthan.readers.tool_parts.column_format import ColumnFormat


class VlmEvalKitFormat(ColumnFormat):
    """MODEL/MODEL_BENCHMARK_JUDGE_result.xlsx (or .tsv) with 1 or 0 in the column hit.

    Its columns are those that the source of VLMEvalKit writes for questions with choices; no real file was tried.
    """

    name: ClassVar[str] = "vlm-eval-kit"
    about: ClassVar[str] = "VLMEvalKit's MODEL_BENCHMARK_result.xlsx: index, prediction, answer, hit, a file per system"
    surest: ClassVar[float] = 0.9
    keys: ClassVar = frozenset({"index", "prediction", "answer", "hit"})
    roles: ClassVar = {"item": "index"}
    metrics: ClassVar = ("hit",)
    lower: ClassVar = {"hit": False}
    by_file: ClassVar[bool] = True

    def example(self, folder: Path) -> Any:
        """Write the predictions of two models for two questions."""
        paths = []
        for model, hits in (("owl", (1, 1)), ("yak", (1, 0))):
            lines = [f"{number}\twhich?\tA\tA\t{hit}" for number, hit in enumerate(hits, 1)]
            paths.append(folder / f"{model}_MMBench_result.tsv")
            paths[-1].write_text("\n".join(["index\tquestion\tprediction\tanswer\thit", *lines]))
        return [str(path) for path in paths]


FORMAT = VlmEvalKitFormat()
