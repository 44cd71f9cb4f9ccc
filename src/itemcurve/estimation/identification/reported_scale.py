"""The scale on which abilities are reported when they are estimated one by one."""

from dataclasses import dataclass

import numpy as np

from itemcurve.estimation.identification.starting_values import reflection
from itemcurve.estimation.identification.weakly_identified_scale import most_probable_scale
from itemcurve.models.contract import ItemModel
from itemcurve.numerics.shapes import Directions, ItemValues, PerRespondent
from itemcurve.responses.matrix import Responses

# With fewer, standardising takes more of the errors away than it can give back.
_ENOUGH_RESPONDENTS = 5


@dataclass(frozen=True)
class ReportedScale:
    """Abilities as (t − location)/unit; a negative unit reflects them.

    Where items can absorb origin and unit, abilities get mean 0 and standard deviation 1 over the
    respondents; where the sign of all discriminations together is open too, abilities correlate
    positively with the mean response in the model's orientation. Absolute scales stay as they are,
    unless the responses leave them to the priors.
    """

    model: ItemModel
    location: float
    unit: float

    @classmethod
    def of(
        cls,
        model: ItemModel,
        t: PerRespondent,
        responses: Responses,
        values: ItemValues | None = None,
    ) -> "ReportedScale":
        """Give the scale for abilities `t`.

        Parameters
        ----------
        values : item parameters that go with them, where priors are to settle an open scale.
        """
        latent = model.latent
        if latent.is_open and values is not None:
            return cls(model, *most_probable_scale(model, t, values))
        location = float(t.mean()) if latent.shifts else 0.0
        unit = max(float(t.std()), 1e-6) if latent.stretches else 1.0
        sign = reflection(t, responses, model)
        return cls(model, location, sign * unit)

    def abilities(self, t: PerRespondent) -> PerRespondent:
        """Abilities as reported."""
        return (t - self.location) / self.unit

    def values(self, values: ItemValues) -> ItemValues:
        """Item parameters as reported (items × parameters)."""
        return self.model.rescale(values, self.location, self.unit)

    def held_directions(self, t: PerRespondent) -> Directions | None:
        """What the scale takes away from abilities (respondents × directions, unit length)."""
        latent = self.model.latent
        found = [np.ones(len(t))] if latent.shifts or latent.is_open else []
        if latent.stretches or latent.is_open:
            found.append(t - t.mean())
        if not found:
            return None
        columns = np.stack(found, axis=1)
        return columns / np.maximum(np.linalg.norm(columns, axis=0), 1e-12)

    def errors(self, variances: PerRespondent) -> PerRespondent:
        """Errors of abilities; what standardising took away is given back on average."""
        n, lost = len(variances), self.model.latent.shifts + self.model.latent.stretches
        factor = n / (n - lost) if n >= _ENOUGH_RESPONDENTS else 1.0
        return np.sqrt(np.maximum(variances, 0.0) * factor) / abs(self.unit)
