#!/bin/sh
# Make sure a part of the machine is there: install it with apt-get where we may, say what is missing where we may not.
set -eu

install() {
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null
    else
        echo "Please install $1 (on Debian: sudo apt-get install $1), then run make again." >&2
        exit 1
    fi
}

# Does this command run a Python from 3.12 on, of another version than $1, that can make environments?
other_than() {
    "$2" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 12) or "%d.%d" % sys.version_info[:2] == sys.argv[1])' "$1" >/dev/null 2>&1
}

# Is LaTeX itself, or a package that the tests use, not there? Says which in $missing.
missing_latex() {
    missing=
    command -v pdflatex >/dev/null || missing=" pdflatex"
    for package in fontenc inputenc textcomp booktabs; do
        kpsewhich "$package.sty" >/dev/null 2>&1 || missing="$missing $package"
    done
    missing=${missing# }
    [ -n "$missing" ]
}

case "$1" in
python)  # prints another Python than $2: one of the machine, of pyenv or of uv, or from apt-get; PyPI has none
    own=$("$2" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    for version in 3.14 3.13 3.12; do
        for found in "python$version" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$version".*/bin/python "$(uv python find "$version" 2>/dev/null || true)"; do
            if other_than "$own" "$found"; then echo "$found"; exit; fi
        done
    done
    for version in 3.14 3.13 3.12; do
        if [ "$version" != "$own" ] && apt-cache show "python$version-venv" >/dev/null 2>&1; then
            install "python$version-venv" && echo "python$version"
            exit
        fi
    done
    echo "There is no other Python than $own here, and apt-get has none. Install one (pyenv install 3.13, or uv python install 3.13), then run make again." >&2
    exit 1
    ;;
venv)
    "$2" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "betterthan needs Python 3.11 or newer; say which with: make PYTHON=python3.12" >&2; exit 1; }
    "$2" -c 'import ensurepip, venv' 2>/dev/null || install python3-venv
    ;;
chromium)  # for the tests that open reports
    command -v chromium >/dev/null || install chromium
    ;;
postgresql)  # for the tests of campaigns in a database; its server is started by the tests, never as root
    ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || install postgresql
    command -v runuser >/dev/null || install util-linux
    ;;
latex)  # for the tests that compile tables; a small TeX has pdflatex, but not every package
    missing_latex || exit 0
    echo "The tests that compile tables need $missing, which LaTeX does not have here." >&2
    install texlive-latex-recommended
    if missing_latex; then
        echo "LaTeX is installed, but has no $missing. Install it (with TeX Live's own manager: tlmgr install booktabs), then run make again." >&2
        exit 1
    fi
    ;;
java)  # for the tests that run on a real Spark session
    command -v java >/dev/null || install default-jre-headless
    ;;
esac
