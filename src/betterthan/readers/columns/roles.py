"""Column roles: recognised from the names that real files use, or given by the user."""

import re
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache

from betterthan.base import EvidenceError, UnclearError, spelling
from betterthan.engine import Table
from betterthan.options import ReadOptions

_STEMS = ("", "model", "system", "item", "player", "option", "candidate", "name", "team")
#: Names of systems or their texts: columns called so name systems where their values repeat and nothing else does.
_TEXTS = ("output", "answer", "response")
_SIDES = (("a", "b"), ("1", "2"), ("x", "y"), ("left", "right"), ("first", "second"), ("i", "j"))


def _sides(stems: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"{stem}_{left}".strip("_"), f"{stem}_{right}".strip("_"))
        for stem in stems
        for left, right in _SIDES
        if stem or len(left) > 1
    )


#: Pairs of columns that name the two systems compared; the first found wins.
SIDES: tuple[tuple[str, str], ...] = (
    *_sides(_STEMS),
    ("a", "b"),
    ("home", "away"),
    ("home_team", "away_team"),
    ("team_home", "team_away"),
    ("home", "visitor"),
    ("home_team", "visitor_team"),
    ("home_team", "visiting_team"),
    ("home_team_name", "away_team_name"),
    ("white", "black"),
    ("s1", "s2"),
    ("i", "j"),
    ("candidate", "baseline"),
    ("candidate_model", "baseline_model"),
    ("candidate_system", "baseline_system"),
    ("left_model", "right_model"),
    ("left_system", "right_system"),
    ("first_model", "second_model"),
    ("first_system", "second_system"),
)
#: Pairs of columns that may hold names or whole texts.
TEXTS: tuple[tuple[str, str], ...] = _sides(_TEXTS)
#: Options that name a column, and the message where no column plays a role.
_NAMING = (
    "left",
    "right",
    "outcome",
    "counts",
    "scores_of",
    "item",
    "judge",
    "ranking",
    "weight",
    "propensity",
    "time",
    "system",
    "score",
    "rank",
    "metric",
    "dataset",
    "group",
    "repeat",
    "gold",
    "systems",
    "orders",
)
NO_COLUMN = "none"
#: Tables of results without an outcome column: the winner is first.
WINNER_LOSER: tuple[tuple[str, str], ...] = (
    ("winner", "loser"),
    ("chosen_model", "rejected_model"),
    ("chosen_system", "rejected_system"),
    ("winner_model", "loser_model"),
    ("winning_model", "losing_model"),
    ("winner_name", "loser_name"),
    ("winner_system", "loser_system"),
    ("winner_team", "loser_team"),
    ("winning_team", "losing_team"),
)
#: Columns that say against whom the system of the row won, or lost.
_BEATS = ("beats", "beat", "defeats", "defeated", "wins_against", "won_against", "wins_over", "won_over")
_LOSES = ("loses_to", "lost_to", "loses_against", "lost_against", "beaten_by", "defeated_by")
_SUBJECTS = ("system", "model", "player", "team", "name", "method", "row")
WINNER_LOSER += tuple((subject, beats) for subject in _SUBJECTS for beats in _BEATS)
WINNER_LOSER += tuple((loses_to, subject) for subject in _SUBJECTS for loses_to in _LOSES)
#: Whose values may be names or, in data of preferences, whole answers.
CHOSEN_REJECTED = ("chosen", "rejected")

#: Names by role, most telling first.
NAMES: Mapping[str, tuple[str, ...]] = {
    "outcome": (
        "winner",
        "outcome",
        "outcome_a",
        "outcome_left",
        "result",
        "preference",
        "preferred",
        "choice",
        "verdict",
        "judgment",
        "judgement",
        "vote",
        "decision",
        "comparison",
        "label",
        "win",
        "better",
        "which_is_better",
    ),
    "item": (
        "item",
        "item_id",
        "prompt_id",
        "question_id",
        "segment_id",
        "segment",
        "instance",
        "instance_id",
        "example_id",
        "example",
        "prompt",
        "question",
        "sentence_id",
        "sentence",
        "document_id",
        "doc_id",
        "document",
        "doc",
        "topic",
        "task_id",
        "input_id",
        "input",
        "sample_id",
        "seg_id",
        "srcindex",
        "utt_id",
        "utterance_id",
        "utterance",
        "query_id",
        "query",
        "qid",
        "pair_id",
        "case_id",
        "sent_id",
        "user_input",
        "seg",
        "segid",
    ),
    "judge": (
        "judge",
        "judge_id",
        "annotator",
        "annotator_id",
        "rater",
        "rater_id",
        "evaluator",
        "evaluator_id",
        "assessor",
        "worker",
        "worker_id",
        "user_id",
        "user",
        "voter",
        "judge_hash",
        "subject",
        "subject_id",
        "ann",
        "coder",
        "judge_model",
    ),
    "ranking": ("ranking", "ranking_id", "rank_id", "list_id", "ballot", "ballot_id"),
    "weight": ("weight", "weights"),
    "propensity": (),  # weights are never guessed
    "time": ("time", "timestamp", "tstamp", "datetime", "date", "created_at", "judged_at", "start_time"),
    "count": ("count", "counts", "n", "freq", "frequency", "times"),
    "system": (
        "system",
        "system_id",
        "model",
        "model_id",
        "system_name",
        "model_name",
        "method",
        "algorithm",
        "player",
        "name",
        "sys",
        "algo",
        "agent",
        "approach",
        "classifier",
        "llm",
        "solver",
    ),
    "score": ("score", "value", "scores", "metric_value", "rating", "raw_score", "raw_scr", "raw"),
    "rank": ("rank", "position", "place"),
    "metric": ("metric", "metric_name", "measure"),
    "dataset": ("dataset", "data_set", "dataset_name"),
    "task": ("task", "corpus", "benchmark"),
    "repeat": (
        "repeat",
        "repeat_id",
        "repetition",
        "repetition_id",
        "repetition_number",
        "run",
        "run_id",
        "run_number",
        "seed",
        "seed_id",
        "random_seed",
        "epoch",
        "trial",
        "trial_id",
        "trial_number",
        "replicate",
        "replication",
        "iteration",
        "attempt",
        "attempt_id",
        "fold",
    ),
}

_COUNTS = (
    ("n_a", "n_tie", "n_b"),
    ("wins_a", "ties", "wins_b"),
    ("win1", "ties", "win2"),
    ("win1", "tie", "win2"),
    ("home_wins", "ties", "away_wins"),
    ("n_left", "n_tie", "n_right"),
    ("a_wins", "ties", "b_wins"),
    ("a_wins", "draws", "b_wins"),
    ("left_wins", "ties", "right_wins"),
    ("wins_left", "ties", "wins_right"),
    ("wins_1", "ties", "wins_2"),
    ("winner_model_a", "winner_tie", "winner_model_b"),
    ("w_ij", "ties_ij", "w_ji"),
    ("wins_ij", "ties_ij", "wins_ji"),
    ("n_ij", "ties_ij", "n_ji"),
)


#: What columns are called in which both sides of one match have their score.
_SCORES = ("score", "scores", "goals", "points", "pts", "runs")
SCORES_OF: tuple[tuple[str, str], ...] = (
    *(
        pair
        for left, right in (("home", "away"), ("home", "visitor"), *_SIDES)
        for word in _SCORES
        for pair in ((f"{left}_{word}", f"{right}_{word}"), (f"{word}_{left}", f"{word}_{right}"))
    ),
    ("fthg", "ftag"),
    ("hg", "ag"),
    ("hgoal", "vgoal"),
    ("hgoal", "agoal"),
    ("hgoals", "vgoals"),
    ("hgoals", "agoals"),
    ("hscore", "vscore"),
    ("hscore", "ascore"),
)

#: What scores may be of where no column is called like an item: files, identifiers, and last what has several items.
_LIKELY_ITEMS = re.compile(
    r"(?!(model|system|method|judge|annotator|worker|user|run|seed|experiment|dataset|job|batch|version)_[a-z]+$)"
    r".*_(id|idx|index|no|nr|num|number|key|hash|name)|(img|doc|clip|video|audio|file|seq)id|[a-z]?id|uid|uuid|hash|key|"
    r"index|idx|no|nr|line|problem|exercise|puzzle|image|img|audio|clip|video|file|filename|path|url|sample|trial|scenario|test_?case|"
    r"instance|stimulus|challenge|case|passage|scene|track|record|title|text|smiles|unnamed_0|"
)
_QUERIES = ("qid", "q_id", "query_id", "query", "topic", "topic_id")
_DOCUMENTS = ("docid", "doc_id", "docno", "doc_no", "did", "pid", "passage_id", "document_id", "corpus_id", "doc")
_ENVIRONMENTS = ("environment", "env", "env_id", "env_name", "game", "task", "task_name", "benchmark", "dataset")


@lru_cache(maxsize=1 << 16)  # every format folds the same names, and there may be thousands
def normal(name: str) -> str:
    """Fold a column's name: 'Model A', 'modelA' and 'model-a' are all 'model_a'."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"(?<=[a-z])_?(?=\d)", "_", re.sub(r"\W+", "_", spaced.lower())).strip("_")


#: Names that mean something: a column called so is not left out silently where only some files have it.
_MEANT = frozenset(
    normal(name)
    for names in (*NAMES.values(), *SIDES, *TEXTS, *WINNER_LOSER, CHOSEN_REJECTED, *_COUNTS)
    for name in names
)


def _lacked(column: str, file: str) -> EvidenceError:
    """Return the refusal of a column that only some of several files have."""
    return EvidenceError(
        f"has no column {column!r}, which other files have",
        where=file,
        remedy="Add it, rename it if it is called differently, or read the files one at a time.",
    )


class Columns:
    """The columns of one table, accessed by role.

    A column that an option names has the role it was given, and is `taken`: it is not recognised as anything else.

    >>> Columns(["Model A", "Model B", "winner"], "votes.csv").sides()
    ('Model A', 'Model B')
    """

    def __init__(
        self, names: Sequence[str], where: str, taken: Collection[str] = (), lacking: Mapping[str, str] | None = None
    ) -> None:
        self.names = tuple(names)
        self.where = where
        self._lacking = lacking or {}
        self._by_normal = {normal(name): name for name in reversed(names) if name not in taken}

    @classmethod
    def of(cls, table: Table, options: ReadOptions, uses: Collection[str] = _NAMING) -> "Columns":
        """Return the columns of a table; those that options name are taken, if the options are of any use."""
        given = (getattr(options, role) for role in _NAMING if role in uses)
        taken = {name for each in given for name in ((each,) if isinstance(each, str) else each or ())}
        for column, file in table.lacking.items():
            if normal(column) in _MEANT:
                raise _lacked(column, file)
        return cls(table.columns, table.name, taken, table.lacking)

    def given(self, name: str) -> str:
        """Return a column the user named, or refuse with the nearest one."""
        if name in self.names:
            return name
        if name in self._lacking:
            raise _lacked(name, self._lacking[name])
        near = get_close_matches(name, self.names, n=1, cutoff=0.5) or get_close_matches(
            normal(name), list(self._by_normal), n=1, cutoff=0.5
        )
        nearest = f"Did you mean {self._by_normal.get(near[0], near[0])!r}?" if near else ""
        raise UnclearError(f"no column {name!r}; its columns are {self.listed()}.", where=self.where, remedy=nearest)

    def role(self, role: str, given: str | None = None) -> str | None:
        """Return the column that plays a role: as given (none is a word for no column), else by its name, else None."""
        if given is not None:
            return None if given == NO_COLUMN and given not in self.names else self.given(given)
        return next(iter(self.called(NAMES[role])), None)

    def likely_items(self) -> tuple[str, ...]:
        """Return the columns that may name items where none is called so, the most likely first."""
        identifiers = (name for folded, name in self._by_normal.items() if _LIKELY_ITEMS.fullmatch(folded))
        return tuple(dict.fromkeys([*identifiers, *self.called(_ENVIRONMENTS)]))

    @property
    def lists_documents(self) -> bool:
        """Whether rows are documents that were retrieved for queries, with their ranks or scores."""
        queries, documents = self.called(_QUERIES), self.called(_DOCUMENTS)
        return bool(queries and documents and self.called([*NAMES["rank"], *NAMES["score"]]))

    def called(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the columns that have one of these names, in the order of the names."""
        known = dict.fromkeys(normal(name) for name in names)
        return tuple(self._by_normal[name] for name in known if name in self._by_normal)

    def sides(self, left: str | None = None, right: str | None = None) -> tuple[str, str] | None:
        """Return the columns of the two systems compared, or None."""
        if left is not None and right is not None:
            return self.given(left), self.given(right)
        if left is not None or right is not None:
            known = self.given(left or right or "")
            raise UnclearError(
                f"{known!r} is one side only",
                where=self.where,
                remedy=f"Name both: {spelling.option('left')} and {spelling.option('right')}.",
            )
        return self._pair(SIDES)

    def texts(self) -> tuple[str, str] | None:
        """Return two columns that hold the names of the systems compared, or their texts; None without any."""
        return self._pair(TEXTS)

    def _pair(self, known: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
        for first, second in known:
            if normal(first) in self._by_normal and normal(second) in self._by_normal:
                return self._by_normal[normal(first)], self._by_normal[normal(second)]
        return None

    def winner_loser(self) -> tuple[str, str] | None:
        """Return the columns of a table that lists winners and losers, or None."""
        return self._pair(WINNER_LOSER)

    def chosen_rejected(self) -> tuple[str, str] | None:
        """Return the columns of chosen and rejected: names of systems or texts; None without any."""
        return self._pair((CHOSEN_REJECTED,))

    def counts(self, given: Sequence[str] | None = None) -> tuple[str, ...] | None:
        """Return the columns of counted outcomes: (left wins, ties, right wins), (left, right), or None."""
        if given:
            if len(given) not in {1, 2, 3}:
                raise EvidenceError(
                    f"{spelling.option('counts')} takes one column (how often the row occurred), two (left "
                    "wins, right wins) "
                    f"or three (left wins, ties, right wins), got {len(given)}.",
                    where=self.where,
                )
            return tuple(self.given(name) for name in given)
        for names in _COUNTS:
            left, tie, right = (self._by_normal.get(normal(name)) for name in names)
            if left and right:
                return (left, tie, right) if tie else (left, right)
        return None

    def scores_of(self, given: Sequence[str] | None = None) -> tuple[str, str] | None:
        """Return the columns with the scores of both sides of a match, or None."""
        if given is None:
            return self._pair(SCORES_OF)
        if len(given) != 2:
            raise EvidenceError(
                f"{spelling.option('scores_of')} takes two columns, the score of the left system and that of the right "
                f"one, got {len(given)}.",
                where=self.where,
            )
        return self.given(given[0]), self.given(given[1])

    def listed(self) -> str:
        """Return the names for a message, shortened when there are many."""
        shown = [repr(name) for name in self.names[:20]]
        return ", ".join(shown) + (f" … ({len(self.names)} in all)" if len(self.names) > 20 else "")
