"""The card of one item: its curve, its numbers, what it asks, who answered what, its key."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.items.verdicts import LABEL_ERROR, SUSPECT
from itemcurve.dashboard.item_content import ItemContent
from itemcurve.reports.curve_data import plain_curve
from itemcurve.reports.label_section import item_facts
from itemcurve.reports.numbers import round_number, write_share
from itemcurve.reports.source import Source
from itemcurve.reports.tables import page_table
from itemcurve.responses.chosen_options import ChosenOptions

if TYPE_CHECKING:
    import pandas

# Of more respondents, those who surprise most are shown.
_MOST_ANSWERS = 2_000
_GRADED = (
    " Responses, their mean and the difficulty are not graded against {given!r} alone: they say "
    "how probably the class named is the true one, so that {likely!r} may count as right here."
)
_NEGATIVE = "probability_negative"
# Probability of a wrong label from which it is worth a look, suspect or not.
_WORTH_A_LOOK = 0.1


def item_card(
    source: Source,
    ranked: "pandas.DataFrame",
    content: ItemContent,
    said: ChosenOptions | None,
    item: str,
) -> dict[str, Any]:
    """Give all that is known of one item.

    Parameters
    ----------
    ranked : the items, as `rank_items` gives them.
    said : what respondents said, as `read_said` gives it.
    """
    row = ranked[ranked["item"] == item].iloc[0]
    return {
        **describe_item(source, row, content, item),
        "curve": plain_curve(source.fit, item),
        "answers": _answers(source, said, item),
    }


def describe_item(
    source: Source, row: "pandas.Series[Any]", content: ItemContent, item: str
) -> dict[str, Any]:
    """Give what is said of an item beside its curve."""
    facts = {name: cells[0] for name, cells in item_facts(source, [item]).items() if cells[0]}
    return {
        "item": item,
        "verdict": str(row["verdict"]),
        "numbers": _numbers(row),
        "facts": facts,
        "words": content.words.get(item, ""),
        "picture": content.pictures.get(item, ""),
        "group": content.groups.get(item, ""),
        "suspicion": say_suspicion(row, facts, is_by_skill=graded_by_skill(source)),
    }


def graded_by_skill(source: Source) -> bool:
    """Whether responses say how probably the class named is the true one."""
    return source.notes("evaluation").get("response") == "skill"


def say_suspicion(
    row: "Mapping[str, Any] | pandas.Series[Any]",
    facts: Mapping[str, str],
    *,
    is_by_skill: bool = False,
) -> str:
    """Say how suspect the label or key of an item is, and what its responses are graded against.

    Parameters
    ----------
    is_by_skill : whether `graded_by_skill`.
    """
    is_suspect, known = row["verdict"] == SUSPECT, row.get(LABEL_ERROR)
    likely, given = facts.get("likely_label", ""), facts.get("given_label", "")
    if known is not None and known == known and not isinstance(known, str):
        other = f" The likely label is {likely}, not {given}." if likely and likely != given else ""
        first = "Its label is suspect" if is_suspect else "Its label is not suspect"
        if not is_suspect and float(known) >= _WORTH_A_LOOK:
            first = "Its label is no suspect, but worth a look"
        each = facts.get("in_each", "")
        firm = f" Single cross-validations say {each}." if " to " in each else ""
        graded = _GRADED.format(likely=likely, given=given) if other and is_by_skill else ""
        share = write_share(float(known))
        return f"{first}: wrong with a probability of {share}.{other}{firm}{graded}"
    chance = row.get(_NEGATIVE)
    if chance is not None and chance == chance:
        first = "Its key is suspect" if is_suspect else "Its key is not suspect"
        share = write_share(float(chance))
        return f"{first}: better respondents do worse on it with a probability of {share}."
    return "Nothing here tells whether it is right."


def _numbers(row: "pandas.Series[Any]") -> list[dict[str, Any]]:
    table = page_table(row.to_frame().T.infer_objects(), "card", "")
    return [
        {"name": c.name, "label": c.label, "value": c.cells[0]}
        for c in table.columns
        if c.kind == "number"
    ]


def _answers(source: Source, said: ChosenOptions | None, item: str) -> dict[str, Any]:
    fit = source.fit
    place = fit.responses.items.index(item)
    abilities = np.asarray(fit.estimates.abilities, dtype=float)
    given = fit.responses.take(columns=[place]).array()[:, 0]
    expected = fit.bank.select([item]).expected_response(abilities)[:, 0]
    surprise = np.abs(np.nan_to_num(given - expected))
    order = np.argsort(-abilities, kind="stable")
    if len(order) > _MOST_ANSWERS:
        kept = set(np.argsort(-surprise, kind="stable")[:_MOST_ANSWERS].tolist())
        order = np.array([each for each in order.tolist() if each in kept])
    return {
        "total": len(abilities),
        "respondents": [fit.responses.respondents[each] for each in order],
        "responses": [round_number(float(v)) for v in given[order]],
        "expected": [round_number(float(v)) for v in expected[order]],
        "said": [] if said is None else name_options(said.options, said.chosen[order, place]),
    }


def name_options(options: Sequence[str], places: "np.typing.NDArray[np.integer]") -> list[str]:
    """Name what was said; nothing where that is not known."""
    return [options[place] if place >= 0 else "" for place in places.tolist()]
