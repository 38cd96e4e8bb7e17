"""Adapters for harnesses and agent libraries. Each module needs its library, which this package does not install."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import Any

from backlot.desktop import Desktop
from backlot.server import Server, connect, launch

#: An answer of a task is cut to this number of characters.
MAX_ANSWER = 10_000
_lock = threading.Lock()
_servers: list[Server] = []


def shared_server() -> Server:
    """The server that the adapters of a process share, which ends with it.

    It is that of ``BACKLOT_URL`` and ``BACKLOT_HARNESS_TOKEN``, which several processes may use, or else started here.
    """
    with _lock:
        if not _servers:
            url = os.environ.get("BACKLOT_URL")
            _servers.append(connect(url, os.environ.get("BACKLOT_HARNESS_TOKEN")) if url else launch())
        return _servers[0]


def judge(desktop: Desktop, answer: str) -> dict[str, Any]:
    """Passes on the answer of an agent that has not called ``finish`` itself, and asks the oracles.

    Returns:
        ``reward`` (1, 0 or -1), ``score`` (0 to 1), ``solved`` and ``explanation``.
    """
    if desktop.oracles()["finished"] is None:
        desktop.finish(status="done", text=answer[:MAX_ANSWER])
    verdict = desktop.oracles()
    return {"reward": float(verdict["reward"] or 0), "score": float(verdict["score"] or 0), **judgement(verdict)}


def judgement(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """Whether an episode is solved, and in words what is missing or went wrong."""
    oracles = verdict["oracles"] or {}
    held = [each for kind in ("failure", "harm", "attack") for each in oracles.get(kind, []) if each["passed"]]
    missing = [each for each in oracles.get("success", []) if not each["passed"]]
    return {
        "solved": verdict["reward"] == 1 and not held,
        "explanation": "; ".join(str(each.get("message", each["kind"])) for each in [*held, *missing]),
    }
