"""Checks that the settings of all methods share."""

from itemcurve.errors import ModelError


def check_choice(name: str, value: object, allowed: tuple[str, ...], advice: str) -> None:
    """Raise unless a setting is one of the words allowed."""
    if value not in allowed:
        raise ModelError(
            f"{name} must be one of {', '.join(map(repr, allowed))}.", f"Got {value!r}.", advice
        )


def check_whole(name: str, value: object, least: int) -> None:
    """Raise unless a setting is a whole number of at least `least`."""
    if not (isinstance(value, int) and value >= least):
        raise ModelError(
            f"{name} must be a whole number of at least {least}.",
            f"Got {value!r}.",
            "Leave it out if unsure.",
        )


def check_tolerance(value: object) -> None:
    """Raise unless a tolerance lies between 0 and 1."""
    if not (isinstance(value, float | int) and 0 < value < 1):
        raise ModelError(
            "tolerance must lie between 0 and 1.", f"Got {value!r}.", "Leave it out if unsure."
        )
