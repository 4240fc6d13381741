"""Options of `open`: where the page is served."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.options.fields.declare import option
from betterthan.options.fields.options import Options


@dataclass(frozen=True, kw_only=True)
class OpenOptions(Options):
    """Where the page is served, and whether the browser shows it."""

    verb: ClassVar[str] = "open"

    port: int = option(0, "Port on this machine.", least=0, most=65535, metavar="NUMBER", unsaid="any that is free")
    no_browser: bool = option(False, "Print the address without opening the browser.")
