"""Property tests try the same examples in every run of `make test`, and new ones in `make soak`."""

from __future__ import annotations

from hypothesis import settings

from .soak import SOAK

settings.register_profile("druidai", derandomize=SOAK == 1)
settings.load_profile("druidai")
