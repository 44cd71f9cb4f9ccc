"""Data of the Γ study; its polynomial needs none."""

from itemcurve_studies.study.data_sources import DataSource

REAL_ESTATE = "Real Estate (claims G17 to G20)"

SOURCES = (
    DataSource(
        "data/core/real_estate_valuation.csv",
        "Real Estate Valuation",
        "UCI 477",
        "https://archive.ics.uci.edu/dataset/477",
        "83ad291512bfe0284f2adc18c2300cf81889e57ccab2fe9f6a41a100e3c03c0f",
        REAL_ESTATE,
        "414 rows; a header, the six attributes X1 to X6, last the price of unit area",
    ),
)
