"""Pictures from the memory of a server on this machine, as arrays without a copy."""

from __future__ import annotations

import mmap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Frame:
    """A picture of the primary monitor.

    Attributes:
        pixels: height x width x 4 unsigned bytes: red, green, blue, and 255. The array is a read-only view of memory of
            the server, which the next picture of the desktop overwrites; ``pixels.copy()`` keeps it.
        changed: The areas that differ from the picture before, as ``(x, y, width, height)``.
    """

    pixels: NDArray[np.uint8]
    changed: list[tuple[int, int, int, int]]


class FrameReader:
    """Reads the pictures of one desktop, whose steps have ``screenshot_format="shared"``.

    The server needs ``--shared-frames``, which ``launch`` passes. It runs on this machine and as the same user.

    Example:
        >>> frames = FrameReader()
        >>> with desktop.socket() as socket:
        ...     args = {"observe": "none", "screenshot": True, "screenshot_format": "shared"}
        ...     frame = frames.read(socket.call("session_reset", args))
    """

    def __init__(self) -> None:
        self._file: tuple[str, int, int] | None = None
        self._pixels: NDArray[np.uint8] | None = None

    def read(self, result: Mapping[str, Any]) -> Frame:
        """The picture of a result of ``session_reset`` or ``session_step``."""
        shown = result["observation"]["screenshot"]
        file = (shown["path"], shown["width"], shown["height"])
        if file != self._file or self._pixels is None:
            with Path(shown["path"]).open("rb") as opened:
                mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
            self._pixels = np.frombuffer(mapped, np.uint8).reshape(shown["height"], shown["width"], 4)
            self._file = file
        areas = [(area["x"], area["y"], area["width"], area["height"]) for area in shown["changed"]]
        return Frame(self._pixels, areas)
