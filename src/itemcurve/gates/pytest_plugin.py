"""A plugin of pytest: `assert_not_worse(baseline, candidate, margin=0.01)` in a test of your own.

pytest finds it where itemcurve is installed; nothing is loaded before a test asks for it.
"""

from typing import TYPE_CHECKING, Any, Literal, Protocol

import pytest

if TYPE_CHECKING:
    from itemcurve.gates.release_gate import GateResult
    from itemcurve.gates.sources import Source


class AssertNotWorse(Protocol):
    """What the fixture `assert_not_worse` gives."""

    def __call__(
        self,
        baseline: "Source",
        candidate: "Source",
        margin: float | None = None,
        *,
        cannot_tell: Literal["fail", "skip", "pass"] = "fail",
        **settings: Any,
    ) -> "GateResult":
        """Judge as `itemcurve.gate` does; fail the test unless the candidate is no worse."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the margin that counts where a test names none."""
    group = parser.getgroup("itemcurve")
    group.addoption(
        "--itemcurve-margin",
        type=float,
        default=0.01,
        help="How much lower a score is still no harm, where a test names no margin (0.01).",
    )


@pytest.fixture
def assert_not_worse(request: pytest.FixtureRequest) -> AssertNotWorse:
    """Compare two runs on the same items; fail where the second is not shown to be as good."""
    usual = float(request.config.getoption("--itemcurve-margin"))

    def judge(
        baseline: "Source",
        candidate: "Source",
        margin: float | None = None,
        *,
        cannot_tell: Literal["fail", "skip", "pass"] = "fail",
        **settings: Any,
    ) -> "GateResult":
        __tracebackhide__ = True
        from itemcurve.gates.release_gate import gate

        found = gate(baseline, candidate, margin=usual if margin is None else margin, **settings)
        if found.verdict == "cannot tell" and cannot_tell == "skip":
            pytest.skip(str(found))
        is_fine = found.verdict == "ship" or (
            found.verdict == "cannot tell" and cannot_tell == "pass"
        )
        assert is_fine, str(found)
        return found

    return judge
