"""JUnit XML: read back by a parser."""

from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

import itemcurve as ic


@pytest.mark.parametrize(("lost", "failures"), [(0, "0"), (30, "1")])
def test_a_case_fails_unless_the_candidate_may_be_shipped(lost, failures):
    new = np.ones(1000)
    new[:lost] = 0
    given = [ic.Responses.from_array([row]) for row in (np.ones(1000), new)]
    found = ic.gate(*given, margin=0.01)
    suites = fromstring(found.junit())
    suite = suites.find("testsuite")
    assert suites.attrib["failures"] == suite.attrib["failures"] == failures
    values = {one.attrib["name"]: one.attrib["value"] for one in suite.iter("property")}
    assert float(values["difference"]) == pytest.approx(-lost / 1000)
    assert values["verdict"] == found.verdict
    case = suite.find("testcase")
    assert (case.find("failure") is not None) == (failures == "1")
    assert case.find("system-out").text.count("\nworse: ") == min(lost, 100)


def test_signs_that_xml_cannot_hold_are_left_out():
    names = ["bad\x00<&>\x1bname", *map(str, range(9))]
    given = [ic.Responses.from_array([row], ["a\x07"], names) for row in ([1] * 10, [0] + [1] * 9)]
    text = ic.gate(*given, margin=0.01).junit()
    assert fromstring(text).find("testsuite/testcase") is not None
    assert "\x07" not in text
