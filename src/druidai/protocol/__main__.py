"""`python -m druidai.protocol`: the engine as a process, for `Client`.

People use `druidai engine`, which has more options.
"""

from __future__ import annotations

import argparse
import sys

from druidai._core import DruidaiError
from druidai.protocol.serve import serve


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m druidai.protocol", description="The line protocol."
    )
    parser.add_argument("--threads", type=int, help="threads that think; default: all cores")
    parser.add_argument("--bot", default="ismcts", help="who decides if a request does not say")
    arguments = parser.parse_args()
    try:
        return serve(threads=arguments.threads, bot=arguments.bot)
    except DruidaiError as error:
        parser.error(str(error))


sys.exit(main())
