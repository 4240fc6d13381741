"""What the package shows to the world."""

import pkgutil
import subprocess
import sys

import betterthan


def test_every_public_name_exists_and_is_documented() -> None:
    for name in betterthan.__all__:
        assert getattr(betterthan, name).__doc__, name
    assert {*dir(betterthan)} >= {*betterthan.__all__}


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import sys, betterthan; print([m for m in ('numpy', 'scipy', 'duckdb', 'narwhals', 'rich') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_files_need_neither_narwhals_nor_any_data_frame_library() -> None:
    code = (
        "import sys, betterthan as bt; from betterthan import demo; bt.rank(demo.path('arena.csv.gz'), resamples=20);"
        "print([m for m in ('narwhals', 'pandas', 'polars', 'pyarrow') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_no_package_is_called_like_a_public_name() -> None:
    """Python would replace the one by the other as soon as anything in the package is imported."""
    packages = {module.name for module in pkgutil.iter_modules(betterthan.__path__)}
    assert packages.isdisjoint(betterthan.__all__)
