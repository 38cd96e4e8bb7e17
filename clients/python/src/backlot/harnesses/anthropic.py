"""The computer and browser toolsets of the Anthropic SDK (``anthropic`` 1.13 or later) over a desktop."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from anthropic.lib.tools import ToolError as ToolErrorForModel
from anthropic.tools.browser import (
    BetaAbstractBrowserToolset20260801,
    BetaAsyncAbstractBrowserToolset20260801,
    BetaBrowserMemberResult,
    BetaBrowserNavigateResult,
    BetaBrowserState,
)
from anthropic.tools.computer import (
    BetaAbstractComputerToolset20260801,
    BetaAsyncAbstractComputerToolset20260801,
    BetaComputerCursorPositionResult,
    BetaComputerMemberResult,
    BetaScreenshotResult,
    BetaToolsetCallContext,
)

from backlot.desktop import AsyncDesktop, Desktop

_DOOR = "/computer/anthropic"
_BROWSER_DOOR = "/computer/anthropic-browser"


class BacklotToolset(BetaAbstractComputerToolset20260801):
    """All members of ``computer_toolset_20260801`` on a desktop.

    Args:
        desktop: The desktop. Coordinates are pixels of its screenshots.
        options: ``confirm``, ``configs`` and ``tool_configs`` of the SDK. By default every call is confirmed.

    Example:
        >>> tools = [BacklotToolset(desktop)]
        >>> client.beta.messages.tool_runner(model=model, max_tokens=4096, messages=messages, tools=tools)
    """

    def __init__(self, desktop: Desktop, **options: Any) -> None:
        super().__init__(**{"confirm": _yes, **options})
        self._desktop = desktop

    def execute(self, context: BetaToolsetCallContext, name: Any, input: Any) -> BetaComputerMemberResult:
        """Runs one call on the desktop. What the desktop refuses is shown to the model."""
        return _result_of(name, self._desktop.request(_DOOR, _block(name, input)))


class AsyncBacklotToolset(BetaAsyncAbstractComputerToolset20260801):
    """``BacklotToolset`` for ``AsyncAnthropic``."""

    def __init__(self, desktop: AsyncDesktop, **options: Any) -> None:
        super().__init__(**{"confirm": _yes, **options})
        self._desktop = desktop

    async def execute(self, context: BetaToolsetCallContext, name: Any, input: Any) -> BetaComputerMemberResult:
        """Runs one call on the desktop. See ``BacklotToolset.execute``."""
        return _result_of(name, await self._desktop.request(_DOOR, _block(name, input)))


class BacklotBrowserToolset(BetaAbstractBrowserToolset20260801):
    """The members of ``browser_toolset_20260801`` in the browser of a desktop, whose scenario has web sites.

    Scripts, console, network and uploads are off, as they are by default.

    Args:
        desktop: The desktop. Coordinates are pixels of the page.
        options: ``confirm``, ``configs``, ``url_policy`` and ``tool_configs`` of the SDK.

    Example:
        >>> tools = [BacklotBrowserToolset(desktop)]
        >>> client.beta.messages.tool_runner(model=model, max_tokens=4096, messages=messages, tools=tools)
    """

    def __init__(self, desktop: Desktop, **options: Any) -> None:
        super().__init__(**options)
        self._desktop = desktop
        self._opened: list[Any] = []

    def execute(self, context: BetaToolsetCallContext, name: Any, input: Any) -> BetaBrowserMemberResult:
        """Runs one call in the browser. What the desktop refuses is shown to the model."""
        blocks = _blocks_of(self._desktop.request(_BROWSER_DOOR, _block(name, input, "browser")))
        self._opened += _state_of(blocks).get("state_changes", [])
        return _browser_result_of(name, blocks)

    def _browser_state(self, context: BetaToolsetCallContext) -> BetaBrowserState:
        state = _state_of(_blocks_of(self._desktop.request(_BROWSER_DOOR, _LIST_TABS)))
        opened, self._opened = self._opened, []
        return BetaBrowserState(tabs=state["tabs"], state_changes=opened)


class AsyncBacklotBrowserToolset(BetaAsyncAbstractBrowserToolset20260801):
    """``BacklotBrowserToolset`` for ``AsyncAnthropic``."""

    def __init__(self, desktop: AsyncDesktop, **options: Any) -> None:
        super().__init__(**options)
        self._desktop = desktop
        self._opened: list[Any] = []

    async def execute(self, context: BetaToolsetCallContext, name: Any, input: Any) -> BetaBrowserMemberResult:
        """Runs one call in the browser. See ``BacklotBrowserToolset.execute``."""
        blocks = _blocks_of(await self._desktop.request(_BROWSER_DOOR, _block(name, input, "browser")))
        self._opened += _state_of(blocks).get("state_changes", [])
        return _browser_result_of(name, blocks)

    async def _browser_state(self, context: BetaToolsetCallContext) -> BetaBrowserState:
        state = _state_of(_blocks_of(await self._desktop.request(_BROWSER_DOOR, _LIST_TABS)))
        opened, self._opened = self._opened, []
        return BetaBrowserState(tabs=state["tabs"], state_changes=opened)


def _yes(_: object) -> bool:
    return True


def _call(name: str, given: dict[str, Any], toolset: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": "toolu_backlot", "name": name, "toolset_name": toolset, "input": given}


def _block(name: str, input: Any, toolset: str = "computer") -> dict[str, Any]:
    return _call(name, input.model_dump(mode="json", exclude_none=True, by_alias=True), toolset)


_LIST_TABS = _call("list_tabs", {}, "browser")


def _blocks_of(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = result.get("content") or []
    if result.get("is_error"):
        raise ToolErrorForModel(_text_of(blocks))
    return blocks


def _text_of(blocks: list[dict[str, Any]]) -> str:
    return " ".join(block["text"] for block in blocks if block["type"] == "text")


def _state_of(blocks: list[dict[str, Any]]) -> dict[str, Any]:
    return next(block for block in blocks if block["type"] == "browser_state")


def _picture_of(blocks: list[dict[str, Any]]) -> BetaScreenshotResult | None:
    for block in blocks:
        if block["type"] == "image":
            return BetaScreenshotResult(data=block["source"]["data"], media_type=block["source"]["media_type"])
    return None


def _browser_result_of(name: str, blocks: list[dict[str, Any]]) -> BetaBrowserMemberResult:
    tabs = _state_of(blocks)["tabs"]
    active = next((tab for tab in tabs if tab["active"]), None)
    if name == "navigate" and active:
        return BetaBrowserNavigateResult(url=active["url"], title=active["title"])
    if name in ("screenshot", "zoom"):
        return _picture_of(blocks)
    if name in ("read_page", "find", "get_page_text"):
        return _text_of(blocks)
    if name in ("new_tab", "switch_tab"):
        return active
    return tabs if name == "list_tabs" else None


def _result_of(name: str, result: Mapping[str, Any]) -> BetaComputerMemberResult:
    blocks = _blocks_of(result)
    picture = _picture_of(blocks)
    if picture:
        return picture
    at = re.fullmatch(r"X=(-?\d+),Y=(-?\d+)", _text_of(blocks)) if name == "cursor_position" else None
    return BetaComputerCursorPositionResult(x=int(at[1]), y=int(at[2])) if at else None
