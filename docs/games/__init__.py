"""The rules pages, installed as the package `druidai_rules` so that `druidai rules` finds them."""
