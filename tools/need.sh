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

case "$1" in
venv)
    "$2" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "betterthan needs Python 3.11 or newer; say which with: make PYTHON=python3.12" >&2; exit 1; }
    "$2" -c 'import ensurepip, venv' 2>/dev/null || install python3-venv
    ;;
chromium)  # for the tests that open reports
    command -v chromium >/dev/null || install chromium
    ;;
latex)  # for the test that compiles tables
    { command -v pdflatex && kpsewhich booktabs.sty; } >/dev/null || install texlive-latex-recommended
    ;;
java)  # for the tests that run on a real Spark session
    command -v java >/dev/null || install default-jre-headless
    ;;
esac
