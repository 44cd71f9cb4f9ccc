"""Labels to look at, as people read them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

_LONGEST = 60


def chance_words(value: float) -> str:
    """A probability of two digits; nothing is as sure as 1.00 or 0.00.

    Examples
    --------
    >>> chance_words(0.9996), chance_words(0.5), chance_words(0.0004)
    ('>0.99', '0.50', '<0.01')
    """
    if value != value:
        return ""
    if value >= 0.995:
        return ">0.99"
    return "<0.01" if value < 0.005 else f"{value:.2f}"


def range_words(suspects: "pandas.DataFrame") -> list[str]:
    """What single cross-validations say of each: the lowest and the highest probability."""
    pairs = zip(suspects["label_error_lowest"], suspects["label_error_highest"], strict=True)
    words = [(chance_words(low), chance_words(high)) for low, high in pairs]
    return [low if low == high else f"{low} to {high}" for low, high in words]


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
        found["P(wrong)"] = [chance_words(value) for value in chances]
    if "label_error_lowest" in suspects:
        found["in each"] = range_words(suspects)
    found["verdict"] = suspects["verdict"].astype(str).tolist()
    if "row" in suspects:
        rows = suspects["row"].astype(str)
        found["what it is"] = [
            text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…" for text in rows
        ]
    return pandas.DataFrame(found)
