"""The experiment: both data sets of the study together, by both protocols."""

from dataclasses import dataclass

from itemcurve_studies.gamma.paper_protocol import Averages, EstateRuns
from itemcurve_studies.gamma.polynomial import Polynomial
from itemcurve_studies.gamma.real_estate import RealEstate


@dataclass(frozen=True, eq=False)
class GammaStudy:
    """All parts of the study.

    Attributes
    ----------
    real_estate, estate_runs : None where the data are not there.
    averages, estate_runs : by the paper's own protocol.
    """

    polynomial: Polynomial
    real_estate: RealEstate | None
    averages: Averages
    estate_runs: EstateRuns | None
