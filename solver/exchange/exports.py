"""Files of plain rows, written a piece at a time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import IO

import polars

from solver.errors import UsageError
from solver.exchange.rows import write_rows
from solver.files import naming, room, written
from solver.places import plain_file
from solver.strategy.solution import Solution

FORMATS = ("parquet", "csv", "json")
PIECE_ROWS = 100_000


class RowFile:
    """Takes frames of rows and writes them to a file that is open; ``close`` writes what is still missing.

    folder   where pieces of a parquet file are kept meanwhile
    rows     how many were written; waiting: how many are to be
    """

    def __init__(self, file: IO[bytes], kind: str, folder: Path) -> None:
        self.file, self.kind, self.folder = file, kind, folder
        self.rows, self.waiting = 0, 0
        self.kept: list[polars.DataFrame] = []
        self.pieces: list[Path] = []
        if kind == "json":
            self.file.write(b"[")

    def add(self, frame: polars.DataFrame) -> None:
        """Take some rows; they are written when enough have come together."""
        self.kept.append(frame)
        self.waiting += frame.height
        if self.waiting >= PIECE_ROWS:
            self.flush()

    def flush(self) -> None:
        """Write the rows that wait."""
        if not self.kept:
            return
        piece = polars.concat(self.kept)
        if self.kind == "csv":
            piece.write_csv(self.file, include_header=self.rows == 0)
        elif self.kind == "json":
            lines = piece.write_ndjson().rstrip("\n").replace("\n", ",\n")
            self.file.write((",\n" if self.rows else "\n").encode() + lines.encode())
        else:
            self.pieces.append(self.folder / f"{len(self.pieces):06d}.piece")
            with self.pieces[-1].open("wb") as part:
                piece.write_parquet(part, compression="zstd")
        self.rows += piece.height
        self.kept, self.waiting = [], 0

    def close(self) -> None:
        """Write the rest."""
        self.flush()
        if self.kind == "json":
            self.file.write(b"\n]\n")
        if self.kind == "parquet":
            with ExitStack() as opened:  # polars takes no path that is not UTF-8
                pieces: list[IO[bytes]] = [opened.enter_context(piece.open("rb")) for piece in self.pieces]
                scan = polars.scan_parquet(pieces)
                scan.sink_parquet(self.file, compression="zstd", row_group_size=PIECE_ROWS)


def export_rows(
    solution: Solution, place: Path, kind: str, min_reach: float = 0.0, watch: Callable[[int], None] = lambda rows: None
) -> int:
    """Write all rows to a file; returns how many.

    UsageError when no row is reached as often as ``min_reach``; OSError when the file cannot be written, named
    after its place. An old file stays whole until the new one is.
    """
    largest = 0.0

    def take(frame: polars.DataFrame) -> None:
        nonlocal largest
        largest = max(largest, float(frame["reach"].max() or 0.0))  # type: ignore[arg-type]
        chosen = frame.filter(polars.col("reach") >= min_reach) if min_reach > 0 else frame
        if chosen.height:
            file.add(chosen)
            watch(file.rows + file.waiting)

    with naming(place), room(plain_file(place)) as folder, written(place) as opened:
        file = RowFile(opened, kind, folder)
        write_rows(solution, take)
        if file.rows + file.waiting == 0:
            raise UsageError(f"No row has a reach of {min_reach:g} or more; the largest is {largest:.3g}.")
        file.close()
    return file.rows
