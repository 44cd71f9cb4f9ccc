"""The experiment: both data sets of the study together."""

from dataclasses import dataclass

from itemcurve_studies.gamma.polynomial import Polynomial
from itemcurve_studies.gamma.real_estate import RealEstate


@dataclass(frozen=True, eq=False)
class GammaStudy:
    """Both parts of the study."""

    polynomial: Polynomial
    real_estate: RealEstate
