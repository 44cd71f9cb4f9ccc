"""What is done, step by step, for those who ask: the logger `itemcurve` and its children.

Libraries only say; who listens is for the program to decide: `logging.basicConfig(level="INFO")`,
or `-v` on the command line.
"""

import logging

ROOT = "itemcurve"
logging.getLogger(ROOT).addHandler(logging.NullHandler())


def event_log(module: str) -> logging.Logger:
    """Give the logger of a module.

    Parameters
    ----------
    module : its `__name__`.
    """
    return logging.getLogger(module)


def listen(level: int) -> logging.Handler:
    """Write what is done to stderr from here on; give the handler, to be removed.

    Parameters
    ----------
    level : of `logging`.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(relativeCreated)7.0f ms %(name)s: %(message)s"))
    root = logging.getLogger(ROOT)
    root.addHandler(handler)
    root.setLevel(level)
    return handler


def stop_listening(handler: logging.Handler) -> None:
    """Undo `listen`."""
    root = logging.getLogger(ROOT)
    root.removeHandler(handler)
    root.setLevel(logging.NOTSET)
