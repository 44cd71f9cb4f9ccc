"""Noise in images that are rows of pixels: grain, blur, shifts, weak contrast, a covered part."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError

ImageKind = Literal["grain", "blur", "shift", "contrast", "cover"]
Images = NDArray[np.float64]


@dataclass(frozen=True)
class ImageNoise:
    """A perturbation of images, for `robustness.system_curves(…, noise=ImageNoise((8, 8)))`.

    Pixels stay within the range that they have in the training part.

    Parameters
    ----------
    shape : height and width of an image; a row of the features is its pixels, line by line, or
        pixels of several channels after one another.
    level : how much, from 0: of the range of the pixels (`grain`), of the width (`blur`, `shift`,
        `cover`), of the contrast that is lost (`contrast`).
    kind : `"grain"`: normal noise in every pixel; `"blur"`: a Gaussian filter; `"shift"`: moved
        at random up to so far in both directions, edges filled with the lowest value; `"contrast"`:
        drawn to the image's own mean; `"cover"`: a square at a random place has the mean value.

    Examples
    --------
    >>> import numpy as np
    >>> images = np.arange(8.0).reshape(2, 4)
    >>> noisy = ImageNoise((2, 2), 0.0)(images, images, np.random.default_rng(0))
    >>> bool((noisy == images).all())
    True
    """

    shape: tuple[int, int]
    level: float = 0.2
    kind: ImageKind = "grain"

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        is_level = self.level >= 0 and np.isfinite(self.level)
        if min(self.shape) < 1 or not is_level or self.kind not in _WAYS:
            raise EvaluationError(
                f"Noise in images has a shape, a level from 0, and is one of {', '.join(_WAYS)};",
                f"given are {self.shape!r}, {self.level!r} and {self.kind!r}.",
                "Use ImageNoise((28, 28), 0.2) for grain of a fifth of the range.",
            )

    def __call__(self, X: Any, reference: Any, rng: np.random.Generator) -> Any:
        """Give the images with noise; `reference` is the training part."""
        values, known = np.asarray(X, dtype=np.float64), np.asarray(reference, dtype=np.float64)
        pixels = self.shape[0] * self.shape[1]
        if values.ndim != 2 or values.shape[1] % pixels:
            raise EvaluationError(
                f"Images of {self.shape[0]} × {self.shape[1]} are rows of {pixels} pixels;",
                f"given is an array of shape {values.shape}.",
                "Check the shape, or flatten the images: X.reshape(len(X), -1).",
            )
        ends = float(known.min()), float(known.max())
        images = values.reshape(len(values), -1, *self.shape)
        noisy = _WAYS[self.kind](images, self.level, ends, rng)
        return np.clip(noisy, *ends).reshape(values.shape)


def _grain(
    images: Images, level: float, ends: tuple[float, float], rng: np.random.Generator
) -> Images:
    return images + rng.normal(0.0, level * (ends[1] - ends[0]), images.shape)


def _blur(
    images: Images, level: float, ends: tuple[float, float], rng: np.random.Generator
) -> Images:
    from scipy.ndimage import gaussian_filter

    width = level * images.shape[-1] / 4
    found = gaussian_filter(images, (0, 0, width, width), mode="nearest") if width else images
    return np.asarray(found, dtype=np.float64)


def _shift(
    images: Images, level: float, ends: tuple[float, float], rng: np.random.Generator
) -> Images:
    height, width = images.shape[-2:]
    far = round(level * width)
    found = np.full_like(images, ends[0])
    for place, (down, right) in enumerate(rng.integers(-far, far + 1, (len(images), 2)).tolist()):
        to = (_span(down, height), _span(right, width))
        source = (_span(-down, height), _span(-right, width))
        found[place][:, to[0], to[1]] = images[place][:, source[0], source[1]]
    return found


def _span(moved: int, size: int) -> slice:
    return slice(max(moved, 0), size + min(moved, 0))


def _contrast(
    images: Images, level: float, ends: tuple[float, float], rng: np.random.Generator
) -> Images:
    means = images.mean(axis=(1, 2, 3), keepdims=True)
    return np.asarray(means + max(0.0, 1.0 - level) * (images - means))


def _cover(
    images: Images, level: float, ends: tuple[float, float], rng: np.random.Generator
) -> Images:
    height, width = images.shape[-2:]
    side = min(round(level * width), height, width)
    found = images.copy()
    for place in range(len(images)):
        top, left = rng.integers(height - side + 1), rng.integers(width - side + 1)
        found[place, :, top : top + side, left : left + side] = (ends[0] + ends[1]) / 2
    return found


_WAYS: dict[str, Callable[..., Images]] = {
    "grain": _grain,
    "blur": _blur,
    "shift": _shift,
    "contrast": _contrast,
    "cover": _cover,
}
