"""Everything that is estimated, as one vector and by name."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.estimation.raters.likelihood.rating_design import Codes, Numbers, RatingDesign

# Order at the end of the vector: three log spreads, and how levels of units lean on log slopes.
UNIT, SLOPE, ANSWER, LEAN = 0, 1, 2, 3


@dataclass(frozen=True)
class Layout:
    """Where each kind of parameter lies in the vector.

    A rating of an answer of quality q, by rater r, is at least grade k with probability
    σ(α_r q + x·β_r − κ_rk), and q = a_i θ_n + e_i + u_ni + v_rn.
    """

    partners: int
    raters: int
    grades: int
    covariates: int
    has_tastes: bool

    @property
    def thresholds(self) -> int:
        """Thresholds of a rater."""
        return self.grades - 1

    @property
    def starts(self) -> tuple[int, ...]:
        """Where abilities, discriminations, thresholds, effects, tastes, log spreads begin."""
        tastes = self.raters * self.partners if self.has_tastes else 0
        lengths = (
            self.partners,
            self.raters,
            self.raters * self.thresholds,
            self.raters * self.covariates,
            tastes,
            4,
        )
        return tuple(int(start) for start in np.concatenate([[0], np.cumsum(lengths)]))

    @property
    def size(self) -> int:
        """Length of the vector."""
        return self.starts[-1]

    def ability(self, partner: Codes) -> Codes:
        """Positions of θ."""
        return self.starts[0] + partner

    def discrimination(self, rater: Codes) -> Codes:
        """Positions of α."""
        return self.starts[1] + rater

    def threshold(self, rater: Codes, number: Codes) -> Codes:
        """Positions of κ; thresholds count from 0."""
        return self.starts[2] + rater * self.thresholds + number

    def effect(self, rater: Codes, covariate: int) -> Codes:
        """Positions of β."""
        return self.starts[3] + rater * self.covariates + covariate

    def taste(self, rater: Codes, partner: Codes) -> Codes:
        """Positions of v."""
        return self.starts[4] + rater * self.partners + partner

    def spread(self, which: int) -> int:
        """Position of a log spread, or of the lean."""
        return self.starts[5] + which

    def read(self, vector: Numbers, unit_tastes: Numbers | None = None) -> "RaterValues":
        """Give the parameters by name, with tastes for units beside them."""
        s = self.starts
        shape = (self.raters, self.partners)
        tastes = vector[s[4] : s[5]].reshape(shape) if self.has_tastes else np.zeros(shape)
        return RaterValues(
            vector[s[0] : s[1]],
            vector[s[1] : s[2]],
            vector[s[2] : s[3]].reshape(self.raters, self.thresholds),
            vector[s[3] : s[4]].reshape(self.raters, self.covariates),
            tastes,
            np.exp(vector[s[5] : s[5] + 3]),
            float(vector[s[5] + LEAN]),
            unit_tastes,
        )


def layout_of(design: RatingDesign, has_tastes: bool) -> Layout:
    """Give the layout for these ratings."""
    return Layout(
        design.n_partners,
        design.n_raters,
        design.n_grades,
        design.covariates.shape[1],
        has_tastes,
    )


@dataclass(frozen=True, eq=False)
class RaterValues:
    """The parameters by name.

    Attributes
    ----------
    abilities : θ, one per partner.
    discriminations : α, one per rater.
    thresholds : κ, raters × (grades − 1), increasing.
    effects : β, raters × covariates.
    tastes : v, raters × partners; how much better a rater takes a partner's answers to be.
    spreads : standard deviations of units (e, given a), log slopes (log a) and answers (u).
    lean : mean of e for a log slope of one; without it the mean ability would be where all curves
        of an average level cross.
    unit_tastes : raters × units; what a rater gives to a unit beyond quality, where that is asked.
    """

    abilities: Numbers
    discriminations: Numbers
    thresholds: Numbers
    effects: Numbers
    tastes: Numbers
    spreads: Numbers
    lean: float = 0.0
    unit_tastes: Numbers | None = None

    def offsets(self, design: RatingDesign) -> Numbers:
        """What is added to α times the quality of the answer, per rating."""
        own = np.einsum("md,md->m", design.covariates, self.effects[design.rater])
        own = own + self.discriminations[design.rater] * self.rating_tastes(design)
        if self.unit_tastes is not None:
            own = own + self.unit_tastes[design.rater, design.answer_unit[design.answer]]
        return np.asarray(own)

    def rating_tastes(self, design: RatingDesign) -> Numbers:
        """The taste for the partner at work in each rating."""
        return np.asarray(self.tastes[design.rater, design.partner])

    def rating_thresholds(self, design: RatingDesign) -> Numbers:
        """All thresholds of the rater of each rating (ratings × thresholds)."""
        return np.asarray(self.thresholds[design.rater])


def is_ordered(thresholds: Numbers) -> bool:
    """Whether every rater's thresholds increase."""
    return bool((np.diff(thresholds, axis=1) > 0).all())


def start_values(design: RatingDesign, layout: Layout, slopes: bool) -> Numbers:
    """Start from average grades: abilities standardised, thresholds from how often each is met."""
    vector = np.zeros(layout.size)
    weight, grade = design.weight, design.grade
    level = np.bincount(design.rater, weight * grade, design.n_raters)
    counts = np.bincount(design.rater, weight, design.n_raters)
    level = np.asarray(level / np.maximum(counts, 1e-9))
    residual = weight * (grade - level[design.rater])
    totals = np.bincount(design.partner, weight, design.n_partners)
    means = np.bincount(design.partner, residual, design.n_partners) / np.maximum(totals, 1e-9)
    centred = means - means.mean()
    vector[: layout.partners] = centred / max(float(centred.std()), 1e-6)
    vector[layout.discrimination(np.arange(layout.raters))] = 0.7
    vector[layout.starts[2] : layout.starts[3]] = _marginal_thresholds(design, weight).ravel()
    spreads = (0.8, 0.2 if slopes else 1e-3, 0.6)
    vector[layout.starts[5] : layout.starts[5] + 3] = np.log(spreads)
    return vector


def _marginal_thresholds(design: RatingDesign, weight: Numbers) -> Numbers:
    """Thresholds from how often every rater gave every grade."""
    counts = np.zeros((design.n_raters, design.n_grades))
    np.add.at(counts, (design.rater, design.grade), weight)
    return design.curves.start(counts)


def pooled_shares(design: RatingDesign) -> NDArray[np.float64]:
    """How often each grade is given by all raters together."""
    counts = np.bincount(design.grade, design.weight, design.n_grades)
    return np.asarray(counts / counts.sum())
