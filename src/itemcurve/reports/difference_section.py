"""Items that differ between groups: the table, both curves, what they mean and what to do."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.groups.item_differences import ItemDifferences, dif
from itemcurve.analysis.keeping.kept_analyses import FIT_FILES, Kind
from itemcurve.errors import ItemcurveError
from itemcurve.estimation.groups.population_fit import PopulationFit
from itemcurve.estimation.groups.saved_population_fit import DOCUMENT
from itemcurve.estimation.groups.settings import Groups
from itemcurve.models.mixed import MixedModel
from itemcurve.reports.respondent_pictures import Dot, Frame, Picture, Trace
from itemcurve.storage.json_documents import pack_json, unpack_json
from itemcurve.storage.run_kinds import POPULATIONS
from itemcurve.storage.tables import pack_table, unpack_table

if TYPE_CHECKING:
    import pandas

DIFFERENCES, CURVES = "dif", "dif_curves"
_TITLE = "Items that differ between groups of equally able respondents"
_MOST_PICTURES, _MOST_NAMED, _POINTS = 6, 5, 6
# Item parameters of all groups, and cells: beyond these a page would keep its reader waiting.
_MOST_NUMBERS, _MOST_CELLS = 400, 200_000
_FEW = 100
# Runs keep notes by the alphabet: in this order they are read.
_FOUND, _SIZE, _TEST, _ADVICE = "found", "how much", "tested by", "what to do"
_COLUMNS = ("item", "group", "ability", "expected", "is_there")
_NUMBERS, _SAID = ("ability", "expected"), ("difference", "lower", "upper")

Document = dict[str, Any]


def difference_tables(found: ItemDifferences) -> dict[str, Document]:
    """Give what a run keeps of a search for differences: the table with its words, the curves."""
    return {
        DIFFERENCES: pack_table(found.frame(), _TITLE, _notes(found)),
        CURVES: pack_table(_curves(found), "Curves of items that differ"),
    }


def look_for_differences(fit: PopulationFit) -> dict[str, Document]:
    """The same of a fit whose items are the same for all groups; nothing where that takes long."""
    responses, groups = fit.fit.responses, fit.group_codes
    model = fit.fit.estimates.model
    free = sum(spec.is_free for spec in model.parameters)
    numbers = len(fit.items_of) * len(groups.names) * free
    is_told = len(groups.names) > 1 and fit.density is None
    # Items that differ already have a row for each group.
    is_plain = len(fit.split.items) == len(fit.items_of)
    is_small = numbers <= _MOST_NUMBERS and np.prod(responses.shape) <= _MOST_CELLS
    if not (is_told and is_plain and is_small) or isinstance(model, MixedModel):
        return {}
    labels = np.array(groups.names)[groups.codes].tolist()
    wanted = Groups(labels, reference=groups.names[0])
    try:
        return difference_tables(dif(responses, wanted, model, test="score"))
    # Groups may have no items in common; the page has the rest.
    except ItemcurveError:
        return {}


def draw_differences(curves: "pandas.DataFrame | None", table: "pandas.DataFrame") -> list[Picture]:
    """Draw both curves of each item that differs; points where most of a group lies."""
    if curves is None or not {*_COLUMNS} <= set(curves):
        return []
    if not (_is_sound(curves, _NUMBERS) and _is_sound(table, _SAID)):
        return []
    said = {str(row["item"]): _say(row) for row in table.to_dict("records")}
    items = curves["item"].astype(str)
    return [
        _draw(name, curves[items == name], said.get(name, ""))
        for name in list(dict.fromkeys(items))[:_MOST_PICTURES]
    ]


def difference_steps(notes: Mapping[str, Any], table: "pandas.DataFrame | None") -> list[str]:
    """Give what to do next about items that differ, in one step; none where none does."""
    if table is None or table["flagged"].dtype.kind != "b" or not table["flagged"].any():
        return []
    return [f"{notes.get(_FOUND, '')} Both curves and what to do are under Tables."]


def _is_sound(table: "pandas.DataFrame", numbers: Sequence[str]) -> bool:
    """Whether a table, perhaps a stranger's, has these numbers, and names beside them."""
    if not {"item", "group", *numbers} <= set(table) or table.empty:
        return False
    return all(table[name].dtype.kind == "f" for name in numbers)


def _draw(item: str, curves: "pandas.DataFrame", said: str) -> Picture:
    frame = Frame.around(*(curves[name].to_numpy(float) for name in _NUMBERS))
    traces = []
    for name, own in curves[np.isfinite(curves["expected"])].groupby("group", sort=False):
        points = list(own[list(_COLUMNS[2:])].itertuples(index=False, name=None))
        path = "M" + "L".join(f"{frame.x(a)},{frame.y(b)}" for a, b, _ in points)
        there = [(a, b) for a, b, is_there in points if is_there]
        step = max(len(there) // _POINTS, 1)
        dots = tuple(
            Dot(frame.x(a), frame.y(b), f"{name} at ability {a:.1f}: {b:.2f}")
            for a, b in there[::step]
        )
        traces.append(Trace(str(name), path, dots))
    return Picture(
        item,
        f"{said}. Points: where most of a group lies.",
        *frame.ticks,
        (f"ability (mean 0, sd 1: {traces[0].name})", "expected response"),
        traces=tuple(traces),
    )


def _curves(found: ItemDifferences) -> "pandas.DataFrame":
    """Both curves of the items that differ; where none does, of the most telling one."""
    import pandas

    table = found.frame()
    shown = table[table["flagged"]].head(_MOST_PICTURES)
    shown = table[table["group"] != ""].head(1) if shown.empty else shown
    parts = [pandas.DataFrame({name: [] for name in _COLUMNS})] if shown.empty else []
    abilities, names = found.curves.abilities, found.groups.names
    for row in shown.to_dict("records"):
        place = found.items.index(row["item"])
        for group in (0, names.index(row["group"])):
            is_there = np.abs(abilities - found.means[group]) <= 1.5 * found.sds[group]
            own = (row["item"], names[group], abilities, found.curves.expected[group, :, place])
            parts.append(pandas.DataFrame(dict(zip(_COLUMNS, (*own, is_there), strict=True))))
    return pandas.concat(parts, ignore_index=True)


def _notes(found: ItemDifferences) -> Document:
    table = found.frame()
    differ = table[table["flagged"]]
    notes = {_FOUND: str(found)}
    if len(differ):
        shown = differ.head(_MOST_NAMED).to_dict("records")
        notes[_SIZE] = "; ".join(f"{row['item']}: {_say(row)}" for row in shown)
    counts = ", ".join(
        f"{name} ({count:,})"
        for name, count in zip(found.groups.names, found.groups.counts, strict=True)
    )
    notes[_TEST] = (
        f"Against {found.groups.names[0]}; {counts}. Test: {found.test}, each item with all others "
        f"as anchors; at most {found.level:.0%} of flagged items are expected to be false."
    )
    notes[_ADVICE] = _advise(found, len(differ))
    return notes


def _say(row: Mapping[Any, Any]) -> str:
    return (
        f"{row['group']} {row['difference']:+.2f} ({row['lower']:+.2f} to {row['upper']:+.2f}) at "
        "equal ability"
    )


def _advise(found: ItemDifferences, count: int) -> str:
    few = int(min(found.groups.counts) < _FEW)
    if not count:
        small = " Groups as small as these would show large differences only."
        return f"Compare the groups by all items.{small * few}"
    if count > 0.5 * len(found.items):
        return (
            "Most items differ: name some that are known to be the same (anchors) and test again, "
            "before groups are compared."
        )
    return (
        "Read these items first. A leaked question, a topic that one group was trained on and a "
        "broken translation look alike. Drop what is wrong; compare groups with the others free to "
        "differ: itemcurve.groups.Groups(labels, free=[…])."
        + " In groups as small as these a steep curve is known roughly."
        * few
    )


def _pack(found: dict[str, Document]) -> dict[str, NDArray[Any]]:
    return {"document": np.frombuffer(pack_json(found, DIFFERENCES), dtype=np.uint8)}


def _unpack(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Document]:
    found = unpack_json(arrays["document"].tobytes(), DIFFERENCES)
    for name, document in found.items():
        try:
            unpack_table(document, name)
        except (ItemcurveError, AttributeError) as error:
            raise ValueError("it is no table") from error
    return found


# Raise the version whenever the same run gives other numbers, or other words, than before.
KEPT: Kind[dict[str, Document]] = Kind(
    DIFFERENCES, 1, (*FIT_FILES, POPULATIONS, f"{DOCUMENT}.npz"), _pack, _unpack
)
