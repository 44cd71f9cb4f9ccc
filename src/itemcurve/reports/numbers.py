"""Numbers as people read them; the page's own script writes them in the same way."""

from decimal import ROUND_HALF_UP, Decimal
from math import isfinite


def write_number(value: float | None) -> str:
    """Write a number with three or four digits that matter, a dash for none.

    Examples
    --------
    >>> [write_number(v) for v in (0.12345, 12.3456, 1234567, 1e-7, None)]
    ['0.123', '12.35', '1,234,567', '1.0e-7', '–']
    """
    if value is None or not isfinite(value):
        return "–"
    size = abs(value)
    if float(value).is_integer() and size < 1e9:
        return f"{int(value):,}"
    if size >= 1e6 or size < 5e-4:
        digits, power = f"{value:.1e}".split("e")
        return f"{digits}e{int(power)}"
    # Halves away from zero, as the page's script rounds.
    step = Decimal(1).scaleb(-1 if size >= 100 else -2 if size >= 10 else -3)
    return f"{Decimal(value).quantize(step, ROUND_HALF_UP):,}"


def write_tick(value: float) -> str:
    """Write a round number with no more digits than it has.

    Examples
    --------
    >>> [write_tick(v) for v in (0.2, -1.0, 2000.0, 1e-7)]
    ['0.2', '-1', '2,000', '1e-7']
    """
    if value != 0 and not 1e-4 <= abs(value) < 1e6:
        digits, power = f"{value:e}".split("e")
        return f"{float(digits):g}e{int(power)}"
    return f"{value:,.10g}"


def round_number(value: float) -> float | int | None:
    """Keep six significant digits, as plain data for the page; None for what is no number."""
    if not isfinite(value):
        return None
    if float(value).is_integer() and abs(value) < 1e15:
        return int(value)
    # Two more than are shown: four would be rounded a second time.
    return float(f"{value:.6g}")


def write_share(value: float) -> str:
    r"""Write a share as a percentage.

    Examples
    --------
    >>> [write_share(v) for v in (0.5, 0.9996, 1.0, 0.0004)]
    ['50\xa0%', 'over 99.9\xa0%', '100\xa0%', 'under 0.1\xa0%']
    """
    if 0.999 < value < 1:
        return "over 99.9\u00a0%"
    if 0 < value < 0.001:
        return "under 0.1\u00a0%"
    digits = 0 if 0.1 <= value <= 0.9 or value in (0.0, 1.0) else 1
    return f"{100 * value:.{digits}f}\u00a0%"
