"""Parallel work with joblib, with one BLAS thread per worker."""

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from betterthan.base.progress import Progress, silent
from betterthan.base.spelling import FrontEnd, front_end, spell_for

_Task = TypeVar("_Task")
_Done = TypeVar("_Done")


def each(work: Callable[[_Task], _Done], tasks: Sequence[_Task], progress: Progress = silent) -> list[_Done]:
    """Run the work for every task, with results in task order; a single task runs on one core.

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

    # A worker that has grown is replaced, and joblib's thread says so. Where warnings are errors, that ends the thread,
    # and we would wait forever.
    warnings.filterwarnings("ignore", message="A worker stopped while some jobs", category=UserWarning)
    spelled = partial(_spelled, front_end(), work)
    try:
        pool = Parallel(n_jobs=-1, return_as="generator")
    except ValueError:  # some backends, such as Ray's, return everything at the end
        pool = Parallel(n_jobs=-1)
    return pool(delayed(spelled)(task) for task in tasks)


def _spelled(reader: FrontEnd, work: Callable[[_Task], _Done], task: _Task) -> _Done:
    """Run the work in another process, whose errors name options as in this one."""
    with spell_for(reader):
        return work(task)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit linear algebra to one thread: small solves gain nothing from more, and lose a lot on a busy machine.

    The limit holds for the whole process, from the first thread of ours that asks for it until the last one leaves.
    """
    _blas.enter()
    try:
        yield
    finally:
        _blas.leave()


class _Blas:
    """The BLAS libraries, how many of our threads limit them, and how to undo the limit."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._limit: Any = None
        self._libraries: Any = None
        self._modules = 0

    def enter(self) -> None:
        """Limit them unless that is done already."""
        with self._lock:
            if self._inside == 0:
                self._limit = self._found().limit(limits=1, user_api="blas")
                _share_control()
            self._inside += 1

    def leave(self) -> None:
        """Undo the limit if nobody needs it any more."""
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._limit.restore_original_limits()
                _share_control()

    def _found(self) -> Any:
        """Look for the libraries, again only where imports may have brought more."""
        if self._modules != len(sys.modules):
            from threadpoolctl import ThreadpoolController  # noqa: PLC0415 (not before it is needed)

            self._libraries = ThreadpoolController()
            self._modules = len(sys.modules)
        return self._libraries


def _share_control() -> None:
    """Let any thread undo the limit: from threadpoolctl 3.8 on, the one that set it has that right alone."""
    from threadpoolctl import OpenBLASController  # noqa: PLC0415

    give_up = getattr(OpenBLASController, "clear_controlling_thread", None)
    if give_up is not None:
        give_up()


_blas = _Blas()
