"""What a comparison says, in sentences."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.analysis.comparison.respondent_comparison import RespondentComparison

_SIGNIFICANCE = 0.05


def describe_comparison(found: "RespondentComparison") -> list[str]:
    """Give the sentences: scores, difference, what it means, flips, what is missing."""
    lines = [
        f"{found.b} against {found.a} on {found.n_items:,} items: "
        f"{found.score_b:.4f} against {found.score_a:.4f}.",
        f"Difference {say_difference(found)}, p {say_p(found.p_value)} ({found.method}).",
        say_meaning(found),
        f"Items answered better: {found.n_better:,}; worse: {found.n_worse:,}.",
    ]
    if found.ability is not None:
        own = found.ability
        lines.append(
            f"Ability on {own.n_items:,} anchored items: {own.ability_b:.2f} against "
            f"{own.ability_a:.2f}, difference {own.difference:+.2f} "
            f"({found.level:.0%} interval {own.lower:+.2f} to {own.upper:+.2f})."
        )
    return lines + say_missing(found)


def say_difference(found: "RespondentComparison") -> str:
    """Write the difference with its interval."""
    return (
        f"{found.difference:+.4f} ({found.level:.0%} interval {found.lower:+.4f} to "
        f"{found.upper:+.4f})"
    )


def say_meaning(found: "RespondentComparison") -> str:
    """Say whether one is better, and if not, what could have been found."""
    if found.p_value < _SIGNIFICANCE:
        return f"{found.b} is {'better' if found.difference > 0 else 'worse'} beyond chance."
    least = found.detectable()
    return (
        f"No difference beyond chance; so many items find one of {least:.4f} or more in 8 of 10 "
        "cases."
    )


def say_missing(found: "RespondentComparison") -> list[str]:
    """Say what is missing, and what the difference is if that counts as the worst."""
    lines = list(found.missing.notes())
    if found.as_worst is not None:
        lines.append(
            "Missing answers are left out; counted as the worst, the difference is "
            f"{say_difference(found.as_worst)}."
        )
    return lines


def say_p(p_value: float) -> str:
    """Write a p-value for people."""
    return f"{p_value:.3f}" if p_value >= 0.001 else f"{p_value:.1e}"
