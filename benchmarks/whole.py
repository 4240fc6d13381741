"""One contestant as a whole process: `python whole.py module:function path [options as JSON]`."""

import json
import sys
from importlib import import_module

if __name__ == "__main__":  # worker processes that a contestant starts may import this file again
    call, path, *options = sys.argv[1:]
    module, function = call.split(":")
    getattr(import_module(f"contestants.{module}"), function)(path, **json.loads(options[0] if options else "{}"))
