"""The errors of the client. Those of tools have a class for each code, such as ``backlot.ElementNotFoundError``."""

from __future__ import annotations

from typing import Any


class BacklotError(Exception):
    """The base of every error of this package."""


class LaunchError(BacklotError):
    """The server did not start. The message has the last lines that it printed."""


class ConnectionLostError(BacklotError):
    """The server did not answer: it ended, it is unreachable, or the time limit of the client passed."""


class ToolError(BacklotError):
    """A call that the server refused.

    Attributes:
        code: The code, such as ``ElementNotFound``.
        message: What was wrong, where, and what would be right.
        recoverable: Whether another try can succeed, possibly after the remedy.
        remedy: A tool that helps in this case, or None.
        context: Facts about the error, such as the similar names in the window.
        tool: The tool that was called, or None for a request that is not a tool.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        recoverable: bool = False,
        remedy: str | None = None,
        context: dict[str, Any] | None = None,
        tool: str | None = None,
    ) -> None:
        self.code = code
        self.message = message
        self.recoverable = recoverable
        self.remedy = remedy
        self.context = context or {}
        self.tool = tool
        where = "" if tool is None else f"{tool}: "
        hint = "" if remedy is None else f" (try {remedy})"
        super().__init__(f"{where}{code}: {message}{hint}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.code, self.message, self.recoverable, self.remedy, self.context, self.tool)


def _restore(
    kind: type[ToolError],
    code: str,
    message: str,
    recoverable: bool,
    remedy: str | None,
    context: dict[str, Any],
    tool: str | None,
) -> ToolError:
    """Rebuilds an error that a worker process raised."""
    return kind(code, message, recoverable=recoverable, remedy=remedy, context=context, tool=tool)
