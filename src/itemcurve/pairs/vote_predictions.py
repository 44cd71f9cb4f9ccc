"""What a fit of votes says of other votes, and how well it foretells them."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.pairs.model.davidson import log_probabilities
from itemcurve.pairs.model.parameter_layout import read_values
from itemcurve.pairs.model.vote_predictors import predict_rows
from itemcurve.pairs.pair_setup import code_rows
from itemcurve.pairs.votes.vote_data import Codes, Floats, Votes
from itemcurve.pairs.votes.vote_rows import add_up, count_outcomes
from itemcurve.pairs.votes.vote_table import read_votes

if TYPE_CHECKING:
    import pandas

    from itemcurve.pairs.pair_fit import PairFit


def predict_votes(fit: "PairFit", votes: Any) -> "pandas.DataFrame":
    """Give probabilities that a is preferred, that b is, and of a tie, one row per vote.

    Judges and items that the fit does not know are taken as average ones.
    """
    import pandas

    read = _read(fit, votes)
    logs = _logs(fit, read)
    table = pandas.DataFrame(np.exp(logs), columns=["a", "b", "tie"])
    table.insert(0, "respondent_a", [read.respondents[code] for code in read.first])
    table.insert(1, "respondent_b", [read.respondents[code] for code in read.second])
    return table


def votes_log_loss(fit: "PairFit", votes: Any) -> float:
    """Give the mean of −log probability of what was voted, weights and shares counted."""
    read = _read(fit, votes)
    counts, _ = count_outcomes(read)
    if fit.settings.ties == "half":
        counts = np.column_stack([counts[:, :2] + counts[:, 2:] / 2, 0 * counts[:, 2]])
    logs = _logs(fit, read)
    if counts[:, 2].any() and "ties" not in fit.estimates.layout.slices:
        raise ResponsesError(
            "Votes to foretell must have outcomes that the fit knows;",
            "some are ties, and the fit has seen none.",
            'Fit votes with ties, or with ties="half".',
        )
    return float(-(counts * logs).sum() / counts.sum())


def _logs(fit: "PairFit", votes: Votes) -> Floats:
    rows = add_up(votes, by_judge=True, by_item=True, singly=True)
    strengths = fit.estimates.strengths
    is_known = np.isfinite(strengths)
    unknown = ~(is_known[rows.first] & is_known[rows.second])
    if unknown.any():
        name = votes.respondents[int(rows.first[np.argmax(unknown)])]
        raise ResponsesError(
            "Votes to foretell must be between respondents with finite strengths;",
            f"{unknown.sum():,} are not, as one of {name!r}.",
            "Leave these out, or fit with prior=2.0.",
        )
    values = replace(read_values(fit.estimates.layout, fit.estimates.theta), strengths=strengths)
    eta, tau = predict_rows(values, rows, code_rows(fit.setup, rows))
    return np.stack(log_probabilities(eta, tau), axis=1)


def _read(fit: "PairFit", votes: Any) -> Votes:
    """Read votes with the codes and units of the fit."""
    given = (
        votes
        if isinstance(votes, Votes)
        else read_votes(votes, style=fit.settings.style, repeats="keep")
    )
    known = fit.setup.votes
    strangers = sorted(set(given.respondents) - set(known.respondents))
    if strangers:
        raise ResponsesError(
            "Votes to foretell must be between respondents of the fit;",
            f"{len(strangers)} are not, as {strangers[0]!r}.",
            "Leave their votes out.",
        )
    style = given.style
    return replace(
        given,
        respondents=known.respondents,
        first=_recode(given.first, given.respondents, known.respondents),
        second=_recode(given.second, given.respondents, known.respondents),
        judge=None if given.judge is None else _recode(given.judge, given.judges, known.judges),
        judges=known.judges,
        item=None if given.item is None else _recode(given.item, given.items, known.items),
        items=known.items,
        style=None if style is None else style / fit.setup.style_scales,
    )


def _recode(codes: Codes, names: tuple[str, ...], known: tuple[str, ...]) -> Codes:
    places = {name: place for place, name in enumerate(known)}
    return np.array([places.get(name, -1) for name in names], dtype=np.int64)[codes]
