"""A verdict as JUnit XML: one test case, which fails unless the candidate may be shipped."""

from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from itemcurve.gates.gate_words import describe_gate

if TYPE_CHECKING:
    from itemcurve.gates.release_gate import GateResult

_MOST_FLIPS = 100


def write_junit(found: "GateResult") -> str:
    """Give the document; numbers are properties, what got worse is the output of the case."""
    own = found.comparison
    is_bad = found.exit_code != 0
    totals = {"tests": "1", "failures": str(int(is_bad)), "errors": "0", "skipped": "0"}
    suites = Element("testsuites", {"name": "itemcurve gate", **totals})
    suite = SubElement(suites, "testsuite", {"name": "itemcurve gate", **totals})
    properties = SubElement(suite, "properties")
    for name, value in (
        ("verdict", found.verdict),
        ("baseline", own.a),
        ("candidate", own.b),
        ("score_baseline", repr(own.score_a)),
        ("score_candidate", repr(own.score_b)),
        ("difference", repr(own.difference)),
        ("lower", repr(found.lower)),
        ("upper", repr(found.upper)),
        ("margin", repr(found.margin)),
        ("p_value", repr(own.p_value)),
        ("items", str(own.n_items)),
    ):
        SubElement(properties, "property", name=name, value=_clean(str(value)))
    case = SubElement(
        suite,
        "testcase",
        classname="itemcurve.gate",
        name=_clean(f"{own.b} is not worse than {own.a} by {found.margin:g} or more"),
        time="0",
    )
    said = _clean("\n".join(describe_gate(found)))
    if is_bad:
        failure = SubElement(case, "failure", type=str(found.verdict), message=_clean(found.reason))
        failure.text = said
    worse = found.flips("worse").head(_MOST_FLIPS)
    names = worse["text"].where(worse["text"] != "", worse["item"]) if "text" in worse else None
    listed = worse["item"] if names is None else names
    output = SubElement(case, "system-out")
    output.text = said + _clean("".join(f"\nworse: {name}" for name in listed))
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _clean(text: str) -> str:
    """Leave out what XML cannot hold."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "�" for sign in text)
