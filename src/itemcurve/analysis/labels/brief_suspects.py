"""Labels to look at, as people read them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

_LONGEST = 60


def brief_suspects(suspects: "pandas.DataFrame") -> "pandas.DataFrame":
    """Give item, given and likely label, how probable an error is, verdict, and the row in words.

    Parameters
    ----------
    suspects : rows of an audit, as `.suspects()` gives them.
    """
    import pandas

    found: dict[str, list[str]] = {"item": suspects["item"].astype(str).tolist()}
    if "likely_label" in suspects:
        pairs = zip(suspects["given_label"], suspects["likely_label"], strict=True)
        found["label → likely"] = [f"{given} → {likely}" for given, likely in pairs]
    if "label_error_probability" in suspects:
        chances = suspects["label_error_probability"]
        found["P(wrong)"] = ["" if value != value else f"{value:.2f}" for value in chances]
    found["verdict"] = suspects["verdict"].astype(str).tolist()
    if "row" in suspects:
        rows = suspects["row"].astype(str)
        found["what it is"] = [
            text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…" for text in rows
        ]
    return pandas.DataFrame(found)
