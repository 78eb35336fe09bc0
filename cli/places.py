"""Whether a result can be written where it is meant to go: found out before the work, not after it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from cli.memory import sized
from solver.errors import ResourceError
from solver.files import reserve
from solver.places import check_folder, probe
from solver.strategy.store import check_replaced

if TYPE_CHECKING:
    from cli.runs import Order

STORED_BYTES_A_SLOT = 3


def check_place(order: Order) -> None:
    """Raise unless the folder of an order can be written and holds nothing that would be lost."""
    target = check_folder(order.folder)
    check_replaced(order.folder, None if order.force else (order.rules, order.score, order.unit))
    probe(target.parent, order.folder)


def check_disk(order: Order, slots: int) -> None:
    """ResourceError when the disk has no room for the result, unless forced."""
    free, needed = shutil.disk_usage(order.folder.parent).free, STORED_BYTES_A_SLOT * slots
    if free < needed and not order.force:
        raise ResourceError(
            f"The disk of '{order.folder}' has {sized(free)} free, the result takes about {sized(needed)}; "
            "choose another place with --out, or --force to try."
        )


def fallback_folder(folder: Path) -> Path:
    """A new folder of the same name in the system's place for temporary files."""
    return reserve(folder.name)
