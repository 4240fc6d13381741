"""Summary files of other tools, refused with a hint at the right files."""

import re
from collections.abc import Callable

from betterthan.base import EvidenceError, spelling
from betterthan.engine import PlacedFile, Places

_SACREBLEU = re.compile(r"(BLEU|chrF\d*(\+\+)?|TER)")
_LOGGED = "Give the tables of single items that the runs logged, such as those of wandb.Table or mlflow.log_table."
#: W&B's API and its page, MLflow's search and its page.
_RUN_COLUMNS = (
    {"_runtime", "_step", "_timestamp"},
    {"Name", "State", "Created", "Runtime", "Sweep"},
    {"run_id", "experiment_id", "artifact_uri"},
    {"Run ID", "Start Time", "Source Type"},
)
#: Query, Q0, document, rank, score and tag.
_RUN = re.compile(rb"(\xef\xbb\xbf)?\S+[ \t]+Q0[ \t]+\S+[ \t]+\d+[ \t]+[-+.\deE]+[ \t]+\S+\r?(\n|$)")
_SENTENCES = re.compile(rb"(BLEU|chrF\d*(\+\+)?|TER)\|nrefs:\d+\|")


def refuse_summaries(places: Places) -> None:
    """Refuse files that were given although they are known to hold no scores or judgments of single items."""
    for file in places:
        for is_summary, what, remedy in _known():
            if file.given and is_summary(file):
                raise EvidenceError(what, where=file.name, remedy=remedy)


def _known() -> tuple[tuple[Callable[[PlacedFile], bool], str, str], ...]:
    scored = f"Give the output files and references to {spelling.verb('score')}."
    return (
        (_sacrebleu, "these are corpus scores of sacrebleu, not scores of single segments", scored),
        (_sentence_level, "these are sacrebleu's scores of one system as text", scored),
        (
            _alpaca_leaderboard,
            "this is a leaderboard of AlpacaEval, which holds no single judgments",
            "Give the folders with annotations.json of its models.",
        ),
        (
            _trec_run,
            "this is a TREC run, which ranks documents and holds no scores of systems",
            f"Measure it first: {spelling.verb('score')} with {spelling.option('reference')} and "
            f"{spelling.option('metric', 'ndcg@10')}.",
        ),
        (_curves, "these are curves of training: a value per step, and none per item", _LOGGED),
        (_runs, "these are runs with one value per metric, not scores of single items", _LOGGED),
    )


def _sacrebleu(file: PlacedFile) -> bool:
    if file.keys >= {"name", "score", "signature", "verbose_score"}:
        return True
    others = file.keys - {"system"}
    return "system" in file.keys and bool(others) and all(_SACREBLEU.fullmatch(name) for name in others)


def _sentence_level(file: PlacedFile) -> bool:
    return _SENTENCES.match(file.head) is not None


def _trec_run(file: PlacedFile) -> bool:
    return _RUN.match(file.head) is not None


def _alpaca_leaderboard(file: PlacedFile) -> bool:
    return {"win_rate", "n_wins", "n_wins_base", "n_draws", "n_total"} <= {*_header(file)}


def _curves(file: PlacedFile) -> bool:
    """Whether W&B or TensorBoard wrote values by step."""
    header = _header(file)
    return header == ["Wall time", "Step", "Value"] or (
        header[:1] == ["Step"] and any(name.endswith("__MIN") for name in header)
    )


def _runs(file: PlacedFile) -> bool:
    """Whether W&B or MLflow wrote a row per run."""
    header = {*_header(file)}
    return any(header >= names for names in _RUN_COLUMNS)


def _header(file: PlacedFile) -> list[str]:
    if not file.path.name.lower().endswith(".csv"):
        return []
    return file.first_row()
