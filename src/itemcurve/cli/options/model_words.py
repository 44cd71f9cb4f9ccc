"""Models as the command line and files name them: one, or one for each pattern of item names."""

from pathlib import Path

from itemcurve.errors import ModelError, StorageError


def read_models(words: str) -> str | dict[str, str]:
    """Give the name of a model, or models by pattern of item names.

    Parameters
    ----------
    words : `"grm"`; `"mc_*=2pl,essay_*=grm"`; or a JSON file, `{"mc_*": "2pl", "essay_*": "grm"}`.

    Examples
    --------
    >>> read_models("mc_*=2pl,essay_*=grm")
    {'mc_*': '2pl', 'essay_*': 'grm'}
    """
    if words.endswith(".json"):
        return _from_file(Path(words))
    if "=" not in words:
        return words
    found: dict[str, str] = {}
    for part in words.split(","):
        # A pattern may hold the sign itself; the name of a model does not.
        pattern, _, model = part.rpartition("=")
        if not pattern.strip() or not model.strip() or pattern.strip() in found:
            raise ModelError(
                "Models by pattern are written pattern=model, separated by commas, each once.",
                f"Got {part!r}.",
                "Write, for example, --model 'mc_*=2pl,essay_*=grm'.",
            )
        found[pattern.strip()] = model.strip()
    return found


def _from_file(path: Path) -> dict[str, str]:
    from itemcurve.storage.json_documents import unpack_json

    if not path.is_file():
        raise StorageError(
            "A model that ends in .json is a file of models by pattern of item names;",
            f"{str(path)!r} is not there.",
            "Name the file, or a model.",
        )
    content = unpack_json(path.read_bytes(), str(path))
    if not content or not all(isinstance(v, str) for v in content.values()):
        raise StorageError(
            "A file of models holds an object from patterns of item names to names of models;",
            f"{str(path)!r} does not.",
            'Write, for example, {"mc_*": "2pl", "essay_*": "grm"}.',
        )
    return dict(content)


def read_key(words: str) -> float | list[float]:
    """Give the right option of all items, or of each: `"1"`, `"1,3,2"`."""
    try:
        numbers = [float(word) for word in words.split(",")]
    except ValueError:
        raise ModelError(
            "A key is the code of the right option, one for all items or one for each.",
            f"Got {words!r}.",
            "Write, for example, --key 1 or --key 1,3,2.",
        ) from None
    return numbers[0] if len(numbers) == 1 else numbers
