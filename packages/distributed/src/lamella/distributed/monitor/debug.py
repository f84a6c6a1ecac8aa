"""How much is checked and told: the setting ``distributed_debug``, and torch's functions for it."""

from __future__ import annotations

import enum
import os

from lamella.dispatch.config import declare, settings
from lamella.dispatch.errors import message

__all__ = ["DebugLevel", "get_debug_level", "set_debug_level", "set_debug_level_from_env"]

VARIABLE, TORCH_VARIABLE = "LAMELLA_DISTRIBUTED_DEBUG", "TORCH_DISTRIBUTED_DEBUG"


class DebugLevel(enum.IntEnum):
    """How much distributed work is checked.

    Attributes:
        OFF: collectives are compared between ranks after they were issued.
        INFO: and ranks tell when they join and leave.
        DETAIL: and each collective is compared before it moves data.
    """

    OFF = 0
    INFO = 1
    DETAIL = 2


declare(
    "distributed_debug",
    str,
    "off",
    "How much distributed work is checked: detail compares each collective between ranks before it moves data.",
    choices=("off", "info", "detail"),
)


def get_debug_level() -> DebugLevel:
    """How much is checked now.

    Example:
        >>> with settings.using(distributed_debug="detail"):
        ...     get_debug_level().name
        'DETAIL'
    """
    return DebugLevel[settings.distributed_debug.upper()]


def set_debug_level(level: DebugLevel) -> None:
    """Change how much is checked.

    Args:
        level: a `DebugLevel`.

    Raises:
        TypeError: another thing than a `DebugLevel`.

    Example:
        >>> before = get_debug_level()
        >>> set_debug_level(DebugLevel.INFO)
        >>> get_debug_level().name
        'INFO'
        >>> set_debug_level(before)
    """
    if not isinstance(level, DebugLevel):
        raise TypeError(message("set_debug_level", "level must be a DebugLevel", repr(level)))
    settings.set_(distributed_debug=level.name.lower())


def set_debug_level_from_env() -> None:
    """Read the level from LAMELLA_DISTRIBUTED_DEBUG or, where that is not set, TORCH_DISTRIBUTED_DEBUG.

    Raises:
        ValueError: the variable holds another word than OFF, INFO or DETAIL.

    Example:
        >>> set_debug_level_from_env()
    """
    name = VARIABLE if VARIABLE in os.environ else TORCH_VARIABLE
    word = os.environ.get(name, "off").strip()
    if word.upper() not in DebugLevel.__members__:
        raise ValueError(message(name, "must be OFF, INFO or DETAIL", repr(word)))
    set_debug_level(DebugLevel[word.upper()])


if VARIABLE not in os.environ and TORCH_VARIABLE in os.environ:
    set_debug_level_from_env()
