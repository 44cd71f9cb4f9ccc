"""Findings and fit of items, kept in a run: all that a report needs and that takes time.

Curves, information, verdicts and the order of respondents are worked out from the estimates in less
time than it would take to read them back.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.findings.all_findings import Evidence, Findings, gather
from itemcurve.analysis.findings.finding_kinds import CODES, Finding
from itemcurve.analysis.keeping.kept_analyses import FIT_FILES, KeptAnalyses, Kind
from itemcurve.analysis.model_fit.chi_squared_tests import GROUPED, PIT, SCORE
from itemcurve.analysis.model_fit.item_fit import ItemFit, item_fit
from itemcurve.estimation.result import FitResult
from itemcurve.storage.json_documents import pack_json, unpack_json

if TYPE_CHECKING:
    import pandas

# Raise a version whenever the same run gives other numbers, or other words, than before.
ITEM_FIT_VERSION = 1
FINDINGS_VERSION = 3
_COLUMNS = ("outfit", "infit", "statistic", "degrees_of_freedom", "p_value")


def gather_evidence(
    fit: FitResult, audit: "pandas.DataFrame | None", kept: KeptAnalyses | None
) -> Evidence:
    """Give what checks look at; the fit of items from the run, where it is kept there."""
    if kept is None:
        return Evidence(fit, audit)
    return Evidence(
        fit, audit, lambda given: kept.get(_item_fit_of(given), lambda: item_fit(given))
    )


def kept_findings(evidence: Evidence, muted: frozenset[str], kept: KeptAnalyses | None) -> Findings:
    """Give the findings that a run keeps, or look for them and keep them.

    Parameters
    ----------
    evidence : with the audit that lies in the run, where one does.
    muted : codes to leave out; what is found without these checks is not kept.
    """
    known = None if kept is None else kept.find(FINDINGS)
    if known is not None:
        return known.without(muted)
    found = gather(evidence, muted)
    if kept is not None and not muted:
        kept.add(FINDINGS, found)
    return found


def _item_fit_of(fit: FitResult) -> Kind[ItemFit]:
    """The fit of the items of this fit: its length and names are known."""

    def pack(found: ItemFit) -> dict[str, NDArray[Any]]:
        columns = {name: np.asarray(getattr(found, name), dtype=float) for name in _COLUMNS}
        return {"test": np.array(found.test), **columns}

    def unpack(arrays: Mapping[str, NDArray[Any]]) -> ItemFit:
        columns = {name: arrays[name] for name in _COLUMNS}
        test, chances = str(arrays["test"]), columns["p_value"]
        shape = (len(fit.responses.items),)
        if any(c.shape != shape or c.dtype != np.float64 for c in columns.values()):
            raise ValueError("its columns do not fit the items")
        # Items of several formats may have a test for each.
        is_known = set(test.split(", ")) <= {PIT, SCORE, GROUPED}
        if not is_known or ((chances < 0) | (chances > 1)).any():
            raise ValueError("its test is none")
        return ItemFit(fit.responses.items, test=test, **columns)

    return Kind("item_fit", ITEM_FIT_VERSION, FIT_FILES, pack, unpack)


def _pack_findings(found: Findings) -> dict[str, NDArray[Any]]:
    names = ("code", "severity", "message", "advice", "concerned")
    rows = [{name: getattr(finding, name) for name in names} for finding in found]
    # One text instead of arrays of texts, which are as wide as the longest of them.
    return {"document": np.frombuffer(pack_json({"findings": rows}, "findings"), dtype=np.uint8)}


def _unpack_findings(arrays: Mapping[str, NDArray[Any]]) -> Findings:
    rows = unpack_json(arrays["document"].tobytes(), "findings")["findings"]
    return Findings(tuple(_unpack_finding(row) for row in rows))


def _unpack_finding(row: Mapping[str, Any]) -> Finding:
    code, severity, concerned = row["code"], row["severity"], row["concerned"]
    texts = (row["message"], row["advice"], *concerned)
    if code not in CODES or severity not in ("warning", "note") or not isinstance(concerned, list):
        raise ValueError("a finding has no such code or severity")
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("a finding is not in words")
    return Finding(code, severity, row["message"], row["advice"], tuple(concerned))


FINDINGS: Kind[Findings] = Kind(
    "findings", FINDINGS_VERSION, (*FIT_FILES, "audit.json"), _pack_findings, _unpack_findings
)
