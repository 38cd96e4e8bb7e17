"""The computer toolset of the Anthropic SDK (``anthropic`` 1.13 or later) over a desktop."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from anthropic.lib.tools import ToolError as ToolErrorForModel
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


def _yes(_: object) -> bool:
    return True


def _block(name: str, input: Any) -> dict[str, Any]:
    given = input.model_dump(mode="json", exclude_none=True)
    return {"type": "tool_use", "id": "toolu_backlot", "name": name, "toolset_name": "computer", "input": given}


def _result_of(name: str, result: Mapping[str, Any]) -> BetaComputerMemberResult:
    blocks: list[dict[str, Any]] = result.get("content") or []
    text = " ".join(block["text"] for block in blocks if block["type"] == "text")
    if result.get("is_error"):
        raise ToolErrorForModel(text)
    for block in blocks:
        if block["type"] == "image":
            return BetaScreenshotResult(data=block["source"]["data"], media_type=block["source"]["media_type"])
    at = re.fullmatch(r"X=(-?\d+),Y=(-?\d+)", text) if name == "cursor_position" else None
    return BetaComputerCursorPositionResult(x=int(at[1]), y=int(at[2])) if at else None
