"""What takes minutes: run with ``npm run test:python:heavy``."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import pytest

import backlot
from backlot import Server

LAUNCHES = 1000
pytestmark = pytest.mark.heavy


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def children() -> list[str]:
    tasks = Path("/proc/self/task").iterdir()
    return [pid for task in tasks for pid in (task / "children").read_text().split()]


def test_a_thousand_launches_and_closes_leave_nothing() -> None:
    with backlot.launch("login") as server:
        server.desktop().list_windows()
    gc.collect()
    before = (open_files(), threading.active_count(), children())
    for _ in range(LAUNCHES):
        with backlot.launch("login") as server:
            assert server.desktop().list_windows()["ok"]
    gc.collect()
    assert (open_files(), threading.active_count(), children()) == before


def test_a_thousand_sessions_leave_nothing(server: Server) -> None:
    def frames() -> list[Path]:
        """The shared frames that the server holds, of sessions of other tests too."""
        files = Path(f"/proc/{server.processes[0].pid}/fd")
        return [link for link in files.iterdir() if "backlot-" in str(link.readlink())]

    # Opens the connection that the client keeps.
    server.sessions()
    before = (open_files(), len(server.sessions()), frames())
    for seed in range(1000):
        with server.open("login", seed=seed) as desktop, desktop.socket() as socket:
            socket.call("session_reset", {"observe": "none", "screenshot": True, "screenshot_format": "shared"})
    assert (open_files(), len(server.sessions()), frames()) == before
