"""How often somebody may ask: buckets that fill at a steady rate."""

import time
from collections import OrderedDict
from math import ceil

from itemcurve.service.problems import ProblemError

_MOST_BUCKETS = 10_000


class RateLimits:
    """A bucket for each name.

    Parameters
    ----------
    per_second : requests in the long run.
    burst : requests at once.
    """

    def __init__(self, per_second: float, burst: float) -> None:
        self._rate, self._burst = per_second, burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, name: str) -> None:
        """Count a request; `ProblemError` 429 where there were too many."""
        now = time.monotonic()
        before, left = self._buckets.pop(name, (now, self._burst))
        left = min(self._burst, left + (now - before) * self._rate)
        is_allowed = left >= 1
        self._buckets[name] = (now, left - 1 if is_allowed else left)
        if len(self._buckets) > _MOST_BUCKETS:
            self._buckets.popitem(last=False)
        if not is_allowed:
            wait = str(max(1, ceil((1 - left) / self._rate)))
            detail = f"No more than {self._rate:g} requests a second; wait {wait} s."
            raise ProblemError(429, "too-many-requests", detail, {"Retry-After": wait})
