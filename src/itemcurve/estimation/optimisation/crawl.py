"""Whether a search crawls: steps that gain next to nothing of a large objective, without end."""

from dataclasses import dataclass

import numpy as np

# Of an objective that weights or values make large, what no step in a row of so many is worth. The
# maximum is not near while they promise no less than the first of them did.
_NEXT_TO_NOTHING = 1e-8
_MOST_STEPS = 20
_LESS = 0.5


@dataclass
class Crawl:
    """Steps in a row that lead nowhere: along ridges far narrower than the steps of any use."""

    _steps: int = 0
    _promised: float = np.inf

    def goes_on(self, gain: float, promised: float, objective: float) -> bool:
        """Count a step; say whether there were too many.

        Parameters
        ----------
        gain, promised : what the step raised the objective by, and was expected to.
        """
        is_small = gain < _NEXT_TO_NOTHING * abs(objective)
        if not is_small or promised < _LESS * self._promised:
            self._steps, self._promised = 0, promised if is_small else np.inf
        self._steps += is_small
        return self._steps >= _MOST_STEPS
