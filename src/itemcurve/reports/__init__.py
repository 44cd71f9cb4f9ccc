"""The report: one self-contained HTML page from a fit or a run folder.

The folder is not named `report` because `itemcurve.report` is the function.
"""
