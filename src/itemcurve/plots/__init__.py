"""Pictures, one per file: `plot_<thing>(result, *, ax=None)` draws on axes and gives them back.

Nothing is computed here: every picture shows a table that the result gives as `.frame()`.
"""
