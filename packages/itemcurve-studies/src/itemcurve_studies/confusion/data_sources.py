"""Data of the study of the IRT confusion matrix."""

from itemcurve_studies.study.data_sources import DataSource

SOURCES = (
    DataSource(
        "data/core/heart_statlog.csv.gz",
        "Statlog (Heart)",
        "OpenML 53",
        "https://www.openml.org/d/53",
        "0c5899eb53663b56a245956537a2224eeb7887b72f1fb3af169bd992d4a09ca9",
        "everything",
        "270 rows in the order of OpenML; thirteen attributes, then `target`: absent or present",
    ),
)
