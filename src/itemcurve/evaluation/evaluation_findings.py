"""Findings about an evaluation: those of its fit, and what protects from misreading its order."""

import numpy as np

from itemcurve.analysis.findings import board_findings
from itemcurve.analysis.findings.all_findings import Evidence, Findings, gather
from itemcurve.analysis.findings.finding_kinds import Finding
from itemcurve.analysis.findings.forecast_findings import find_deciding_item
from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.analysis.respondents.leaderboard import Leaderboard
from itemcurve.bank.ability_estimation import score
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.responses.matrix import Responses

# Sharper and softer than stated, and how many ranks a respondent may move by it.
_TEMPERATURES = (0.25, 4.0)
_MOST_RANKS = 2
_SMALLEST = 1e-12


def find_in_evaluation(evaluation: Evaluation) -> Findings:
    """Run all checks of the fit and of the leaderboard, by code."""
    audit = evaluation.audit().frame()
    board = evaluation.leaderboard()
    # Where models cannot decide they share a right answer: these are no ratings.
    found = list(gather(Evidence(evaluation.fit, audit), frozenset({"IRT018"})))
    own = [
        board_findings.find_level_constant(board),
        board_findings.find_disagreement(board, _exact_errors(evaluation, board)),
    ]
    corrected = int(evaluation.settings.get("corrected", 0))
    own.append(board_findings.find_own_labels(corrected, evaluation.responses.shape[1]))
    records = [str(name) for name in evaluation.settings.get("records", ())]
    own.append(board_findings.find_records(records))
    if isinstance(evaluation.predictions, Predictions):
        own.append(_find_confidence(evaluation, evaluation.predictions, board))
        if not evaluation.predictions.trusts_labels:
            own.append(board_findings.find_overlap(evaluation.predictions.label_noise))
    elif evaluation.predictions is not None:
        own.append(find_deciding_item(evaluation.predictions))
    found += [finding for finding in own if finding is not None]
    return Findings(tuple(sorted(found, key=lambda finding: finding.code)))


def _exact_errors(evaluation: Evaluation, board: Leaderboard) -> list[float]:
    """Give the share of errors that are exactly 0, of those ranked; empty of classes."""
    if not isinstance(evaluation.predictions, Forecasts):
        return []
    # A score is 1 where there is no error.
    exact = 0.0 if evaluation.fit.estimates.model.orientation < 0 else 1.0
    responses = evaluation.fit.responses
    shares = np.mean(responses.array() == exact, axis=1)
    places = {name: row for row, name in enumerate(responses.respondents)}
    return [float(shares[places[name]]) for name in board.respondents]


def _find_confidence(
    evaluation: Evaluation, predictions: Predictions, board: Leaderboard
) -> Finding | None:
    """An order by probabilities that sharpening or softening one respondent's would change.

    Skill looks at choices, which no temperature changes, so only abilities of stated
    probabilities are looked at: each respondent is scored again against the same items.
    """
    if evaluation.settings.get("response") != "probability" or board.ranked_by == "skill":
        return None
    abilities = dict(zip(board.respondents, board.abilities, strict=True))
    kept = [predictions.respondents.index(name) for name in board.respondents]
    moves: dict[str, tuple[int, int]] = {}
    for temperature in _TEMPERATURES:
        changed = _of_label(predictions, kept, temperature)
        again = score(
            evaluation.fit.bank,
            Responses.from_array(changed, board.respondents, predictions.items),
        ).ability
        for place, (name, ability) in enumerate(zip(board.respondents, again, strict=True), 1):
            others = [own for other, own in abilities.items() if other != name]
            rank = 1 + int((np.array(others) > ability).sum())
            if abs(rank - place) > max(_MOST_RANKS, abs(np.subtract(*moves.get(name, (0, 0))))):
                moves[name] = (place, rank)
    if not moves:
        return None
    most = max(moves, key=lambda name: abs(moves[name][0] - moves[name][1]))
    return Finding(
        "IRT012",
        "warning",
        f"The order follows how sure respondents are: the same choices of {most!r} stated more or "
        f"less sharply would take it from rank {moves[most][0]} to {moves[most][1]}.",
        "Leave model and response out to rank by skill, which no rounding of probabilities moves.",
        tuple(moves),
    )


def _of_label(
    predictions: Predictions, kept: list[int], temperature: float
) -> np.typing.NDArray[np.float64]:
    """Probability of the label, sharpened (below 1) or softened (respondents × items)."""
    logs = np.log(np.clip(predictions.probabilities[kept].astype(float), _SMALLEST, 1.0))
    raised = np.exp((logs - logs.max(axis=2, keepdims=True)) / temperature)
    shares = raised / raised.sum(axis=2, keepdims=True)
    places = predictions.labels[np.newaxis, :, np.newaxis]
    return np.asarray(np.take_along_axis(shares, places, axis=2)[:, :, 0])
