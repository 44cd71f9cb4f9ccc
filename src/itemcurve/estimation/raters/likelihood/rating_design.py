"""Ratings in the order of computation: by item, then by answer, then by rater."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.numerics.engine import NUMPY, Engine

if TYPE_CHECKING:
    from itemcurve.estimation.raters.likelihood.rating_blocks import Block
    from itemcurve.estimation.raters.likelihood.rating_curves import RatingCurves

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RatingDesign:
    """Which answers were rated by whom, and how.

    An *answer* is what one respondent gave to one item; all its ratings share its quality.
    A *unit* is integrated out, a *partner* has a parameter: items and respondents where
    respondents are the fewer, the other way round otherwise.

    Attributes
    ----------
    partner, rater, grade : of each rating; grades count from 0.
    weight : of each rating; 0 for one that is to be predicted.
    covariates : ratings × covariates, whose effects are each rater's own.
    answer : the answer of each rating.
    answer_starts : first rating of each answer.
    answer_unit, answer_partner : of each answer.
    unit_starts : first answer of each unit.
    order : position in the ratings given, of each rating here.
    curves : how grades follow from quality.
    engine : what computes integrals.
    """

    partner: Codes
    rater: Codes
    grade: Codes
    weight: Numbers
    covariates: Numbers
    answer: Codes
    answer_starts: Codes
    answer_unit: Codes
    answer_partner: Codes
    unit_starts: Codes
    order: Codes
    n_partners: int
    n_raters: int
    n_grades: int
    curves: "RatingCurves"
    engine: Engine = NUMPY

    @cached_property
    def slots(self) -> Codes:
        """Thresholds on which each rating may depend, by number; −1 for none."""
        return self.curves.slots(self.grade, self.n_grades)

    @cached_property
    def blocks(self) -> "list[Block]":
        """The ratings in pieces that are computed one at a time."""
        from itemcurve.estimation.raters.likelihood.rating_blocks import cut_blocks

        return cut_blocks(self)

    @property
    def n_units(self) -> int:
        """Number of units integrated out."""
        return len(self.unit_starts)

    @property
    def n_answers(self) -> int:
        """Number of answers with a rating."""
        return len(self.answer_starts)

    def by_answer(self, values: Numbers) -> Numbers:
        """Sum over the ratings of each answer."""
        return np.asarray(np.add.reduceat(values, self.answer_starts, axis=0))

    def by_unit(self, values: Numbers) -> Numbers:
        """Sum over the answers of each unit."""
        return np.asarray(np.add.reduceat(values, self.unit_starts, axis=0))


@dataclass(frozen=True)
class Sizes:
    """How many partners, raters and grades there are."""

    partners: int
    raters: int
    grades: int


def arrange(
    unit: Codes,
    partner: Codes,
    rater: Codes,
    grade: Codes,
    weight: Numbers,
    covariates: Numbers,
    sizes: Sizes,
    curves: "RatingCurves",
    engine: Engine = NUMPY,
) -> RatingDesign:
    """Sort ratings by unit, partner and rater; units are numbered from 0 without gaps."""
    order = np.lexsort((rater, partner, unit))
    units, partners = unit[order], partner[order]
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = (np.diff(units) != 0) | (np.diff(partners) != 0)
    starts = np.flatnonzero(is_new)
    answer_unit = units[starts]
    first = np.ones(len(starts), dtype=bool)
    first[1:] = np.diff(answer_unit) != 0
    return RatingDesign(
        partners,
        rater[order],
        grade[order],
        weight[order],
        covariates[order],
        np.cumsum(is_new) - 1,
        starts,
        answer_unit,
        partners[starts],
        np.flatnonzero(first),
        order,
        sizes.partners,
        sizes.raters,
        sizes.grades,
        curves,
        engine,
    )
