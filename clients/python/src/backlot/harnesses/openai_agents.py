"""``Computer`` and ``AsyncComputer`` of the OpenAI Agents SDK (``openai-agents``) over a desktop."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from agents import AsyncComputer, Computer
from agents.computer import Button, Environment

from backlot.desktop import AsyncDesktop, Desktop
from backlot.errors import ToolError

#: The dialect has no field for errors: they are passed on here, and the picture shows that nothing has happened.
OnFailure = Callable[[ToolError], object]
_MODIFIERS = {"CTRL": "ctrl", "CONTROL": "ctrl", "SHIFT": "shift", "ALT": "alt", "OPTION": "alt", "META": "meta"}
_BUTTONS = {"wheel": "middle"}


def _warn(error: ToolError) -> None:
    warnings.warn(str(error), RuntimeWarning, stacklevel=4)


def _held(keys: list[str] | None) -> dict[str, Any]:
    return {"modifiers": [_MODIFIERS.get(key.upper(), key.lower()) for key in keys]} if keys else {}


def _click(x: int, y: int, button: str, count: int, keys: list[str] | None) -> dict[str, Any]:
    return {"x": x, "y": y, "button": _BUTTONS.get(button, button), "count": count, **_held(keys)}


def _scroll(x: int, y: int, scroll_x: int, scroll_y: int, keys: list[str] | None) -> dict[str, Any]:
    return {"x": x, "y": y, "delta_x": scroll_x, "delta_y": scroll_y, "unit": "pixels", **_held(keys)}


def _drag(path: list[tuple[int, int]], keys: list[str] | None) -> dict[str, Any]:
    return {"path": [{"x": x, "y": y} for x, y in path], **_held(keys)}


class BacklotComputer(Computer):
    """A desktop as a ``Computer``.

    Args:
        desktop: The desktop. Coordinates are pixels of its screenshots.
        dimensions: Width and height of its screen, for the preview tool; by default those of the primary monitor.
        on_failure: Receives refused actions. By default each is a warning.

    Example:
        >>> agent = Agent(name="clerk", model=model, tools=[ComputerTool(computer=BacklotComputer(desktop))])
    """

    def __init__(
        self, desktop: Desktop, *, dimensions: tuple[int, int] | None = None, on_failure: OnFailure = _warn
    ) -> None:
        self._desktop = desktop
        self._dimensions = dimensions
        self._on_failure = on_failure

    @property
    def environment(self) -> Environment:
        return "windows"

    @property
    def dimensions(self) -> tuple[int, int]:
        if self._dimensions is None:
            bounds = self._desktop.get_monitors()["monitors"][0]["bounds"]
            self._dimensions = (int(bounds["width"]), int(bounds["height"]))
        return self._dimensions

    def _act(self, tool: str, args: dict[str, Any]) -> None:
        try:
            self._desktop.call(tool, args)
        except ToolError as error:
            self._on_failure(error)

    def screenshot(self) -> str:
        return self._desktop.capture_screen()["data"]

    def click(self, x: int, y: int, button: Button, *, keys: list[str] | None = None) -> None:
        self._act("mouse_click", _click(x, y, button, 1, keys))

    def double_click(self, x: int, y: int, *, keys: list[str] | None = None) -> None:
        self._act("mouse_click", _click(x, y, "left", 2, keys))

    def scroll(self, x: int, y: int, scroll_x: int, scroll_y: int, *, keys: list[str] | None = None) -> None:
        self._act("mouse_scroll", _scroll(x, y, scroll_x, scroll_y, keys))

    def type(self, text: str) -> None:
        self._act("type_text", {"text": text})

    def wait(self) -> None:
        self._act("wait", {"duration_ms": 1000})

    def move(self, x: int, y: int, *, keys: list[str] | None = None) -> None:
        self._act("move_pointer", {"x": x, "y": y})

    def keypress(self, keys: list[str]) -> None:
        self._act("press_keys", {"keys": "+".join(keys)})

    def drag(self, path: list[tuple[int, int]], *, keys: list[str] | None = None) -> None:
        self._act("mouse_drag", _drag(path, keys))


class AsyncBacklotComputer(AsyncComputer):
    """A desktop as an ``AsyncComputer``. ``dimensions`` are needed for the preview tool only."""

    def __init__(
        self, desktop: AsyncDesktop, *, dimensions: tuple[int, int] | None = None, on_failure: OnFailure = _warn
    ) -> None:
        self._desktop = desktop
        self._dimensions = dimensions
        self._on_failure = on_failure

    @property
    def environment(self) -> Environment:
        return "windows"

    @property
    def dimensions(self) -> tuple[int, int] | None:
        return self._dimensions

    async def _act(self, tool: str, args: dict[str, Any]) -> None:
        try:
            await self._desktop.call(tool, args)
        except ToolError as error:
            self._on_failure(error)

    async def screenshot(self) -> str:
        return (await self._desktop.capture_screen())["data"]

    async def click(self, x: int, y: int, button: Button, *, keys: list[str] | None = None) -> None:
        await self._act("mouse_click", _click(x, y, button, 1, keys))

    async def double_click(self, x: int, y: int, *, keys: list[str] | None = None) -> None:
        await self._act("mouse_click", _click(x, y, "left", 2, keys))

    async def scroll(self, x: int, y: int, scroll_x: int, scroll_y: int, *, keys: list[str] | None = None) -> None:
        await self._act("mouse_scroll", _scroll(x, y, scroll_x, scroll_y, keys))

    async def type(self, text: str) -> None:
        await self._act("type_text", {"text": text})

    async def wait(self) -> None:
        await self._act("wait", {"duration_ms": 1000})

    async def move(self, x: int, y: int, *, keys: list[str] | None = None) -> None:
        await self._act("move_pointer", {"x": x, "y": y})

    async def keypress(self, keys: list[str]) -> None:
        await self._act("press_keys", {"keys": "+".join(keys)})

    async def drag(self, path: list[tuple[int, int]], *, keys: list[str] | None = None) -> None:
        await self._act("mouse_drag", _drag(path, keys))
