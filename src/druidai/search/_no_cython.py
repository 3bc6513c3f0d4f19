"""Stands in for the module `cython` where that is not installed and the sources run uncompiled."""

compiled = False
