"""Adaptive evaluation inside Inspect AI: tasks that ask only what a test needs."""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.harnesses.inspect_ai.adaptive_task import adaptive as adaptive
    from itemcurve.harnesses.inspect_ai.adaptive_task import stop_early as stop_early
else:
    __getattr__, __dir__ = attach(__name__)
