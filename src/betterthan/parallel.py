"""Independent pieces of work on all cores, or wherever joblib is told to go."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from betterthan.progress import Progress, silent
from betterthan.spelling import FrontEnd, front_end, spell_for

_Task = TypeVar("_Task")
_Done = TypeVar("_Done")


def each(work: Callable[[_Task], _Done], tasks: Sequence[_Task], progress: Progress = silent) -> list[_Done]:
    """Do the work for every task, results in the order of the tasks; one core suffices for one task.

    Processes, not threads: the pieces are many small steps of Python. `joblib.parallel_config` chooses another backend.
    """
    results: list[_Done] = []
    for result in _started(work, tasks):
        results.append(result)
        progress(len(results), len(tasks))
    return results


def _started(work: Callable[[_Task], _Done], tasks: Sequence[_Task]) -> Any:
    if len(tasks) < 2:
        return map(work, tasks)
    from joblib import Parallel, delayed  # noqa: PLC0415 (a tenth of a second that most commands do not need)

    spelled = partial(_spelled, front_end(), work)
    return Parallel(n_jobs=-1, return_as="generator")(delayed(spelled)(task) for task in tasks)


def _spelled(reader: FrontEnd, work: Callable[[_Task], _Done], task: _Task) -> _Done:
    """Do the work in another process, whose errors must name options as this one's do."""
    with spell_for(reader):
        return work(task)
