"""All documents of one run, each worked out once: what a live page asks for, or a frozen holds."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.findings.all_findings import Evidence, Findings
from itemcurve.analysis.respondents.expected_strengths import ExpectedStrengths
from itemcurve.dashboard.health_page import health_page
from itemcurve.dashboard.item_card import item_card
from itemcurve.dashboard.item_content import ItemContent, read_content
from itemcurve.dashboard.item_map import inside_polygon, item_map, item_table, map_places
from itemcurve.dashboard.respondent_card import read_strengths, respondent_card
from itemcurve.dashboard.run_page import brief_page, run_page
from itemcurve.dashboard.said_answers import read_said
from itemcurve.reports.label_section import item_facts
from itemcurve.reports.sections import rank_items
from itemcurve.reports.source import Source, find_in_source
from itemcurve.responses.chosen_options import ChosenOptions

if TYPE_CHECKING:
    import pandas

Document = dict[str, Any]


class RunDocuments:
    """Documents of one run.

    Parameters
    ----------
    source : the run.
    title : heading of its pages; names the model and the data when left out.
    muted : codes of findings to leave out.
    """

    def __init__(
        self, source: Source, title: str = "", muted: frozenset[str] = frozenset()
    ) -> None:
        self.source, self._title, self._muted = source, title, muted
        self._made: dict[str, Document] = {}

    @cached_property
    def _found(self) -> tuple[Evidence, Findings]:
        return find_in_source(self.source, self._muted)

    @property
    def evidence(self) -> Evidence:
        """What checks look at."""
        return self._found[0]

    @cached_property
    def ranked(self) -> "pandas.DataFrame":
        """The items, suspect ones first."""
        return rank_items(self.evidence)

    @cached_property
    def content(self) -> ItemContent:
        """What items ask."""
        return read_content(self.source)

    @cached_property
    def said(self) -> ChosenOptions | None:
        """What respondents said, as far as the run keeps it."""
        return read_said(self.source)

    @cached_property
    def _map(self) -> bytes:
        return item_map(self.evidence)

    @cached_property
    def _strengths(self) -> tuple[ExpectedStrengths | None, str]:
        return read_strengths(self.source, self.content)

    def brief(self) -> Document:
        """Give what a list of runs says of it."""
        return self._once("brief", lambda: brief_page(self.source, *self._found))

    def page(self) -> Document:
        """Give what its pages say."""
        return self._once("page", lambda: run_page(self.source, self._title, *self._found))

    def health(self, *, is_quick: bool = False) -> Document:
        """Give its benchmark health."""
        return self._once(
            "health", lambda: health_page(self.source, self.content, is_quick=is_quick)
        )

    def map(self) -> bytes:
        """Give where items lie."""
        return self._map

    def items(
        self, search: str = "", corners: list[tuple[float, float]] | None = None, most: int = 5_000
    ) -> Document:
        """Give rows of the table of items, those found by name or within a polygon."""
        places = None
        if corners:
            places = inside_polygon(*map_places(self.evidence), np.array(corners, dtype=float))
        return item_table(self.ranked, search=search, places=places, most=most)

    def labels(self) -> Document:
        """Give given and likely labels of all items, to be corrected; empty lists without."""
        items = list(self.source.fit.responses.items)
        facts = item_facts(self.source, items)
        names = ("given_label", "likely_label")
        return {
            "item": items if "given_label" in facts else [],
            **{name: facts.get(name, []) for name in names},
        }

    def item(self, item: str) -> Document:
        """Give the card of an item."""
        return item_card(self.source, self.ranked, self.content, self.said, item)

    def respondent(self, respondent: str) -> Document:
        """Give the card of a respondent."""
        strengths, by = self._strengths
        return respondent_card(self.source, strengths, by, respondent)

    def _once(self, name: str, make: Callable[[], Document]) -> Document:
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]
