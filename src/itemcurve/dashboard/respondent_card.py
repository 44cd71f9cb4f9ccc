"""The card of one respondent: its numbers, strengths by subject, answers that surprise."""

from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.respondents.expected_strengths import (
    ExpectedStrengths,
    expected_strengths,
)
from itemcurve.dashboard.item_content import ItemContent
from itemcurve.dashboard.plain_tables import plain_frame
from itemcurve.models.mixed import MixedModel
from itemcurve.reports.label_section import item_facts
from itemcurve.reports.numbers import round_number, write_number
from itemcurve.reports.source import Source

if TYPE_CHECKING:
    import pandas

_SHOWN = 15
# In standard deviations of a response; less does not surprise.
_LEAST = 1.5
# The mean response is the skill again; Brier against likely labels, and the like, are in tables.
_UNSAID = (
    *("respondent", "is_reference", "behind_best_p", "calibration_slope"),
    *("brier_likely", "log_loss_likely", "auc_likely"),
)
_FIRST_TOLD = ("rank", "tier", "skill", "behind_best", "against_constant", "accuracy")
_THIRDS = ("easier third", "middle third", "harder third")


def respondent_card(
    source: Source, strengths: ExpectedStrengths | None, by: str, respondent: str
) -> dict[str, Any]:
    """Give all that is known of one respondent.

    Parameters
    ----------
    strengths : of all respondents, as `read_strengths` gives them.
    by : what they are told by.
    """
    found = None
    if strengths is not None:
        found = plain_frame(strengths.frame(respondent), "strengths", f"Strengths by {by}")
    return {
        "respondent": respondent,
        "numbers": _numbers(source, respondent),
        "strengths": found,
        "by": by,
        "surprises": _surprises(source, respondent),
        "tables": _own_rows(source, respondent),
    }


def read_strengths(source: Source, content: ItemContent) -> tuple[ExpectedStrengths | None, str]:
    """Compare with what is expected by subject, or by difficulty where subjects are not known."""
    fit = source.fit
    if isinstance(fit.estimates.model, MixedModel):
        return None, "subject"
    if content.groups:
        return expected_strengths(fit, dict(content.groups)), "subject"
    ranks = np.argsort(np.argsort(fit.locations.values, kind="stable"), kind="stable")
    thirds = {
        item: _THIRDS[int(3 * rank // len(ranks))]
        for item, rank in zip(fit.responses.items, ranks.tolist(), strict=True)
    }
    return expected_strengths(fit, thirds), "difficulty"


def _numbers(source: Source, respondent: str) -> list[dict[str, Any]]:
    board = source.table("leaderboard", "respondent")
    fit = source.fit.respondents
    row = fit[fit["respondent"] == respondent].iloc[0].to_dict()
    if board is not None:
        own = board[board["respondent"].astype(str) == respondent]
        row |= own.iloc[0].to_dict() if len(own) else {}
    known = {
        str(name): _value(value)
        for name, value in row.items()
        if name not in _UNSAID and value not in ("", None) and value == value
    }
    for name in [name for name in known if f"{name}_lower" in known]:
        lower, upper = known.pop(f"{name}_lower"), known.pop(f"{name}_upper")
        ends = f"{write_number(lower)} to {write_number(upper)}"
        known[name] = f"{write_number(known[name])} ({ends})"
        known.pop(f"{name}_se", None)
    order = [name for name in _FIRST_TOLD if name in known]
    order += [name for name in known if name not in order]
    return [{"name": n, "label": n.replace("_", " "), "value": known[n]} for n in order]


def _value(value: Any) -> Any:
    if isinstance(value, bool | str):
        return str(value)
    return round_number(float(value))


def _surprises(source: Source, respondent: str) -> dict[str, Any] | None:
    """Answers furthest from what is expected of this respondent, in standard deviations."""
    fit = source.fit
    if isinstance(fit.estimates.model, MixedModel):
        return None
    import pandas

    from itemcurve.analysis.model_fit.residuals import residuals_of

    place = fit.responses.respondents.index(respondent)
    given = fit.responses.take(rows=[place]).array()[0]
    deviations = fit.estimates.model.orientation * residuals_of(fit, place)
    order = np.argsort(deviations, kind="stable")
    worse = [int(each) for each in order[:_SHOWN] if deviations[each] < -_LEAST]
    better = [int(each) for each in order[::-1][:_SHOWN] if deviations[each] > _LEAST]
    chosen = worse + better
    ability = float(np.asarray(fit.estimates.abilities, dtype=float)[place])
    names = [fit.responses.items[each] for each in chosen]
    expected = fit.bank.select(names).expected_response([ability])[0] if names else []
    table = pandas.DataFrame(
        {
            "item": names,
            **_known_labels(source, names),
            "how": ["worse"] * len(worse) + ["better"] * len(better),
            "response": given[chosen],
            "expected": expected,
            "deviations": deviations[chosen],
        }
    )
    return plain_frame(table, "surprises", "Answers that surprise", item="item")


def _known_labels(source: Source, items: list[str]) -> dict[str, list[str]]:
    """The given label of each item, and who says what instead, where labels were judged."""
    facts = item_facts(source, items)
    return {name: facts[name] for name in ("given_label", "dissenters") if any(facts.get(name, ()))}


def _own_rows(source: Source, respondent: str) -> list[dict[str, Any]]:
    """Rows of other tables of the run that speak of this respondent and of a group."""
    found: list[dict[str, Any]] = []
    for analysis in source.analyses:
        frame: pandas.DataFrame = analysis.frame
        if {"respondent", "group"} <= set(frame.columns):
            own = frame[frame["respondent"].astype(str) == respondent].drop(columns="respondent")
            if len(own):
                found.append(plain_frame(own, f"own-{len(found)}", analysis.title))
    return found
