"""How many times as long as usual the random games are to run: `make soak` sets DRUIDAI_SOAK."""

import os

SOAK = int(os.environ.get("DRUIDAI_SOAK", "1"))
