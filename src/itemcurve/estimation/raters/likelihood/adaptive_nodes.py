"""Nodes where the quality of every answer is integrated: round its mode, at its own scale."""

from dataclasses import dataclass

import numpy as np

from itemcurve.estimation.raters.likelihood.rater_parameters import ANSWER, SLOPE, UNIT, RaterValues
from itemcurve.estimation.raters.likelihood.rating_curves import bend_by_slot, slope_in_z
from itemcurve.estimation.raters.likelihood.rating_design import Numbers, RatingDesign
from itemcurve.numerics.engine import NUMPY

_STEPS = 25
_SMALL = 1e-5
_MOST_BENT = 0.7
_LOG_ROOT = 0.5 * np.log(2 * np.pi)


@dataclass(frozen=True)
class NodeCounts:
    """How many nodes integrate the level of a unit, its slope and the effect of an answer."""

    unit: int = 5
    slope: int = 3
    answer: int = 5


@dataclass(frozen=True, eq=False)
class LocalModes:
    """The likeliest effects of units (level, log slope) and answers, given the parameters."""

    level: Numbers
    log_slope: Numbers
    answer: Numbers

    def quality(self, design: RatingDesign, abilities: Numbers) -> Numbers:
        """Quality of every answer."""
        slope = np.exp(self.log_slope)[design.answer_unit]
        level = self.level[design.answer_unit]
        return np.asarray(slope * abilities[design.answer_partner] + level + self.answer)


@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes of integration.

    Attributes
    ----------
    level, log_slope : units × nodes.
    log_weight : of these nodes, for an integral over both; units × nodes.
    answer : answers × nodes of the unit × nodes of the answer.
    answer_log_weight : the same shape.
    quality : the same shape.
    """

    level: Numbers
    log_slope: Numbers
    log_weight: Numbers
    answer: Numbers
    answer_log_weight: Numbers
    quality: Numbers


@dataclass(frozen=True, eq=False)
class _Curvature:
    """Gradient and precision at given effects, the effects of answers eliminated.

    `bend` is the precision with the curvature of the exponential of log slopes, by which Newton's
    steps end soon; where that turns it over it is the precision.
    """

    answer_gradient: Numbers
    answer_precision: Numbers
    answer_information: Numbers
    answer_lever: Numbers
    gradient: Numbers
    precision: Numbers
    bend: Numbers


def no_effects(design: RatingDesign) -> LocalModes:
    """All effects zero, where a search begins."""
    unit = np.zeros(design.n_units)
    return LocalModes(unit, unit, np.zeros(design.n_answers))


def find_modes(design: RatingDesign, values: RaterValues, start: LocalModes) -> LocalModes:
    """Find the modes by Newton steps, all units at once."""
    modes = start
    for _ in range(_STEPS):
        found = _curvature(design, values, modes)
        step = np.clip(np.linalg.solve(found.bend, found.gradient[..., None])[..., 0], -1, 1)
        moved = (found.answer_lever * step[design.answer_unit]).sum(axis=1)
        answer_step = np.clip((found.answer_gradient - moved) / found.answer_precision, -1, 1)
        modes = LocalModes(
            modes.level + step[:, 0],
            np.clip(modes.log_slope + step[:, 1], -3, 3),
            modes.answer + answer_step,
        )
        if max(np.abs(step).max(), np.abs(answer_step).max()) < _SMALL:
            break
    return modes


def _curvature(design: RatingDesign, values: RaterValues, modes: LocalModes) -> _Curvature:
    slope, unit = values.discriminations[design.rater], design.answer_unit
    tilt = np.exp(modes.log_slope)[unit][design.answer]
    tilt = tilt * values.abilities[design.partner]
    quality = tilt + (modes.level[unit] + modes.answer)[design.answer]
    z = slope * quality + values.offsets(design)
    thresholds = values.rating_thresholds(design)
    scores, curvature = design.curves.derivatives(NUMPY, z, thresholds, design.grade)
    bend = sum(bend_by_slot(curvature, len(scores)))
    steep = design.weight * slope * slope_in_z(scores)
    bend = design.weight * slope**2 * bend
    lever = np.stack([np.ones_like(tilt), tilt], axis=1)
    spread = values.spreads**2
    answer_gradient = design.by_answer(steep) - modes.answer / spread[ANSWER]
    information = design.by_answer(bend)
    answer_precision = information + 1 / spread[ANSWER]
    answer_lever = design.by_answer(bend[:, None] * lever)
    squares = design.by_answer(bend[:, None, None] * lever[:, :, None] * lever[:, None, :])
    # The effect of each answer is eliminated, which leaves a small system per unit.
    share = answer_lever / answer_precision[:, None]
    gradient = design.by_answer(steep[:, None] * lever) - share * answer_gradient[:, None]
    precision = squares - share[:, :, None] * answer_lever[:, None, :]
    lean, tight = values.lean, 1 / spread[UNIT]
    prior = np.array([[tight, -lean * tight], [-lean * tight, 1 / spread[SLOPE] + lean**2 * tight]])
    own = np.stack([modes.level, modes.log_slope], axis=1)
    precision = design.by_unit(precision) + prior
    curved = design.by_unit(design.by_answer(steep * tilt))
    return _Curvature(
        answer_gradient,
        answer_precision,
        information,
        answer_lever,
        design.by_unit(gradient) - own @ prior,
        precision,
        _bend(precision, curved),
    )


def _bend(precision: Numbers, curved: Numbers) -> Numbers:
    """Precision less this in the log slope, where enough is left."""
    (one, across), other = precision[:, 0].T, precision[:, 1, 1]
    # What is left of the slope once the level is eliminated.
    alone = other - across**2 / one
    found = precision.copy()
    found[:, 1, 1] = other - np.where(curved < _MOST_BENT * alone, curved, 0.0)
    return found


def place_nodes(
    design: RatingDesign, values: RaterValues, modes: LocalModes, counts: NodeCounts
) -> Nodes:
    """Place Gauss-Hermite nodes round the modes."""
    found = _curvature(design, values, modes)
    covariance = np.linalg.inv(found.precision)
    slope_sd = np.sqrt(covariance[:, 1, 1])
    lean = covariance[:, 0, 1] / covariance[:, 1, 1]
    level_sd = np.sqrt(np.maximum(covariance[:, 0, 0] - lean * covariance[:, 0, 1], 1e-12))
    (x_slope, w_slope), (x_level, w_level) = _rule(counts.slope), _rule(counts.unit)
    x1, x2 = np.repeat(x_slope, counts.unit), np.tile(x_level, counts.slope)
    weight = np.repeat(w_slope, counts.unit) + np.tile(w_level, counts.slope)
    log_slope = modes.log_slope[:, None] + slope_sd[:, None] * x1
    level = modes.level[:, None] + (lean * slope_sd)[:, None] * x1 + level_sd[:, None] * x2
    return Nodes(
        level,
        log_slope,
        weight + np.log(slope_sd * level_sd)[:, None],
        *_answer_nodes(design, values, modes, found, (level, log_slope), counts.answer),
    )


def _answer_nodes(
    design: RatingDesign,
    values: RaterValues,
    modes: LocalModes,
    found: _Curvature,
    units: tuple[Numbers, Numbers],
    count: int,
) -> tuple[Numbers, Numbers, Numbers]:
    """Nodes of answers: where a unit's node moves the level, the answer's mode gives way."""
    level, log_slope = units
    x, weight = _rule(count)
    abilities = values.abilities[design.answer_partner]
    expected = np.exp(log_slope)[design.answer_unit] * abilities[:, None]
    expected = expected + level[design.answer_unit]
    at_mode = modes.quality(design, values.abilities) - modes.answer
    yielding = (found.answer_information / found.answer_precision)[:, None]
    centre = modes.answer[:, None] - yielding * (expected - at_mode[:, None])
    sd = 1 / np.sqrt(found.answer_precision)
    answer = centre[:, :, None] + sd[:, None, None] * x
    log_weight = np.broadcast_to(weight + np.log(sd)[:, None, None], answer.shape)
    return answer, log_weight, expected[:, :, None] + answer


def _rule(count: int) -> tuple[Numbers, Numbers]:
    """Nodes x of a standard normal, and log weights for the integral of any density in x."""
    x, weight = np.polynomial.hermite_e.hermegauss(count)
    return x, np.log(weight) + x**2 / 2


def log_density(effects: Numbers, spread: float) -> Numbers:
    """Log-density of normal effects with mean zero."""
    return np.asarray(-0.5 * (effects / spread) ** 2 - np.log(spread) - _LOG_ROOT)
