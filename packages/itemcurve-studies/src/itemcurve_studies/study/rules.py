"""The two rules that decide a claim, each written down before what it judges was run.

Ours was fixed when the claims were listed and is often stricter than the text: by two estimators,
on other data, for every single case. The paper's own is what its text and its published code do and
say, on seeds that nobody had looked at; so a verdict that says more of us than of the paper shows.
"""

from dataclasses import dataclass

SAME = "the same"


@dataclass(frozen=True)
class Rule:
    """How a claim is decided.

    Attributes
    ----------
    ours : the rule that was fixed first.
    paper : by the paper's own protocol; `SAME` where that is ours.
    spread : where the interval of what decides is told, or why there is none.
    """

    ours: str
    paper: str = SAME
    spread: str = ""
