"""What columns are called: like systems, like items and people, like settings, like dates, or like scores."""

from betterthan.evidence import is_outcome
from betterthan.readers.columns.known_names import mostly_systems
from betterthan.readers.columns.metric_names import is_metric, metric_with_name
from betterthan.readers.columns.name_tables import name_set
from betterthan.readers.columns.roles import NAMES, normal
from betterthan.readers.hints.seen_columns import SeenColumn

#: What systems are called, in addition to the names by which they are recognised.
_SYSTEMS = name_set(
    """
    agent algorithm approach architecture assistant backend bot checkpoint classifier codec compiler engine estimator
    framework library llm lm network parser pipeline provider solver team tool
    """
)
#: What may name systems, people, cars or clubs: other columns have to show that they were evaluated.
_WEAK = name_set("name player team")
#: What is compared in experiments with people.
_COMPARED = name_set("product products brand brands condition conditions recipe variant variants stimulus arm")
#: What is never a system: people, and what systems are tested on.
_OTHERS = name_set(
    """
    assessor evaluator expert juror listener reviewer teacher viewer voter block position round session visit wave
    participant participants person people respondent student patient subj case line puzzle problem task test sample
    text passage paragraph image file query document row question exercise comment user rater worker topic date day
    items questions tasks prompts subjects raters judges users sentences
    """
)
#: What says how a result came about: no system differs in it alone, and it is no item.
_SETTINGS = name_set(
    """
    params parameters param version versions info tag tags mode status state type kind comment comments url link path
    note notes license licence format unit units currency description class league division conference region country
    """
)
_DATED = name_set("date dates year years month months season week utc timestamp datetime")
#: Metrics that are everyday words as well: a column called so alone does not show that systems were evaluated.
_EVERYDAY = name_set(
    """
    price cost costs hits return returns rating time times duration seconds distance memory weight map ap bugs coverage
    parent error errors risk rank ranking relevance stress speed purity value reward ks gini similarity correlation
    emissions penalties penalty failed failures elapsed dollars usd engagement consistency likelihood stimulus gap
    """
)
#: What scores that people give are called.
_SCORES = name_set("score scores points grade grades mark marks quality")
#: Labels of columns that answer a question.
_ANSWERS = frozenset({"yes", "no", "true", "false", "y", "n", "t", "f", "na", "none", "unknown", "other"})
#: How columns end that identify something, or say where it is.
_IDENTIFIES = name_set("id ids uuid key code codes zip index idx number no nr port lat lon lng latitude longitude year")


def is_system(column: SeenColumn) -> bool:
    """Whether a column is called like one of systems."""
    return bool(_words(column) & (_SYSTEMS | {*NAMES["system"]}))


def is_surely_system(column: SeenColumn) -> bool:
    """Whether a column is called like one of systems and nothing else, or most of its labels are known systems."""
    return bool(_words(column) & ((_SYSTEMS | {*NAMES["system"]}) - _WEAK)) or mostly_systems(column.labels)


def is_compared(column: SeenColumn) -> bool:
    """Whether a column is called like what people compare in experiments."""
    return bool(_words(column) & _COMPARED)


def is_item(column: SeenColumn) -> bool:
    """Whether a column is called like items, or like anything else that is no system."""
    return normal(column.name) in NAMES["item"] or is_other(column)


def is_unit(column: SeenColumn) -> bool:
    """Whether a column is called like items or people, on which systems are tested: dates and places are not."""
    names = {*NAMES["item"], *NAMES["judge"]}
    return not is_dated(column) and (normal(column.name) in names or bool(_words(column) & _OTHERS))


def is_other(column: SeenColumn) -> bool:
    """Whether a column is called like items, people, data sets, repeats or times: none of these is a system."""
    known = {name for role in ("item", "judge", "ranking", "time", "dataset", "repeat") for name in NAMES[role]}
    return normal(column.name) in known or bool(_words(column) & _OTHERS)


def is_dated(column: SeenColumn) -> bool:
    """Whether a column is called like dates."""
    return normal(column.name) in NAMES["time"] or bool(_words(column) & _DATED)


def is_setting(column: SeenColumn) -> bool:
    """Whether a column is called like a setting, and not like one of systems."""
    return bool(_words(column) & _SETTINGS) and not is_surely_system(column)


def identifies(name: str) -> bool:
    """Whether a column is called like numbers or codes that identify something.

    >>> identifies("SourceID"), identifies("match_id"), identifies("home_pts")
    (True, True, False)
    """
    return normal(name).rpartition("_")[2] in _IDENTIFIES or name.endswith(("ID", "Id"))


def is_answer(column: SeenColumn) -> bool:
    """Whether all labels of a column are answers such as yes and no, or words for who won."""
    return all(label.strip().casefold() in _ANSWERS or is_outcome(label.strip()) for label in column.labels)


def is_score(name: str) -> bool:
    """Whether a column is called like a score: a metric that is no everyday word, or a grade.

    >>> is_score("bleu"), is_score("quality points"), is_score("price")
    (True, True, False)
    """
    words = {*normal(name).split("_")}
    strict = (is_metric(name) or metric_with_name(name)) and not words & _EVERYDAY
    return bool(strict or words & _SCORES or normal(name) in NAMES["score"])


def _words(column: SeenColumn) -> set[str]:
    return {*normal(column.name).split("_")}
