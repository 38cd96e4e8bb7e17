"""Synthetic desktops to train and evaluate GUI agents on.

>>> import backlot
>>> with backlot.launch() as server, server.open("login") as desktop:
...     desktop.locator('Edit "Username"').type("alice")
...     desktop.locator('Edit "Password"').type("correct horse")
...     desktop.press("enter")
...     print(desktop.oracles()["reward"])
"""

from backlot._tools import (
    TOOLS,
    BadRequestError,
    BudgetExceededError,
    BusyError,
    ConfirmationInvalidError,
    ConfirmationRequiredError,
    ElementDisabledError,
    ElementNotFoundError,
    ElementOccludedError,
    InternalError,
    PatternUnsupportedError,
    PermissionDeniedError,
    PlatformUnsupportedError,
    PredicateUnsupportedError,
    RateLimitedError,
    ScenarioInvalidError,
    SessionNotFoundError,
    SnapshotExpiredError,
    StorageFailedError,
    TimeoutError,
    TooLargeError,
    UnauthorizedError,
    WindowGoneError,
    WindowOccludedError,
)
from backlot._wire import Call
from backlot.desktop import AsyncDesktop, AsyncLocator, AsyncSocket, Desktop, Locator, Socket
from backlot.errors import BacklotError, ConnectionLostError, LaunchError, ToolError
from backlot.server import AsyncServer, Server, connect, connect_async, launch, launch_async

__all__ = [
    "TOOLS",
    "AsyncDesktop",
    "AsyncLocator",
    "AsyncServer",
    "AsyncSocket",
    "BacklotError",
    "BadRequestError",
    "BudgetExceededError",
    "BusyError",
    "Call",
    "ConfirmationInvalidError",
    "ConfirmationRequiredError",
    "ConnectionLostError",
    "Desktop",
    "ElementDisabledError",
    "ElementNotFoundError",
    "ElementOccludedError",
    "InternalError",
    "LaunchError",
    "Locator",
    "PatternUnsupportedError",
    "PermissionDeniedError",
    "PlatformUnsupportedError",
    "PredicateUnsupportedError",
    "RateLimitedError",
    "ScenarioInvalidError",
    "Server",
    "SessionNotFoundError",
    "SnapshotExpiredError",
    "Socket",
    "StorageFailedError",
    "TimeoutError",
    "TooLargeError",
    "ToolError",
    "UnauthorizedError",
    "WindowGoneError",
    "WindowOccludedError",
    "connect",
    "connect_async",
    "launch",
    "launch_async",
]
