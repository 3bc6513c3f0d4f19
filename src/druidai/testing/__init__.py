"""Tools for whoever writes a game: `conformance(game)` checks a game against the whole contract."""

from druidai.testing.conformance import ConformanceError, Report, conformance

__all__ = ["ConformanceError", "Report", "conformance"]
