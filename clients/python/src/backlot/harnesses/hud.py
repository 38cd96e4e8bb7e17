"""An environment for HUD (``hud``): a desktop whose tools the agent reaches by MCP, and tasks that its oracles grade.

>>> env = environment("login")

in a file ``env.py`` is all that ``hud`` needs. ``BACKLOT_URL`` and ``BACKLOT_HARNESS_TOKEN`` name a server; without
them each process starts one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from hud import Environment
from hud.capabilities import Capability

from backlot.desktop import Desktop
from backlot.harnesses import judge, shared_server


def environment(scenario: str = "login", *, name: str = "backlot", version: str = "0.1.0") -> Environment:
    """An environment with the task template ``desktop``, whose arguments choose the episode.

    It has one desktop, so that HUD runs one episode after another on it; each copy of the environment has its own.

    Args:
        scenario: The scenario of tasks that name none.
        name: The name of the environment.
        version: Its version.

    Example:
        >>> tasks = [env.templates["desktop"](scenario="settings", seed=seed) for seed in range(1, 11)]
    """
    env = Environment(name, version=version)
    opened: list[Desktop] = []

    @env.initialize
    async def open_desktop() -> None:
        desktop = await asyncio.to_thread(shared_server().open, scenario)
        opened.append(desktop)
        env.add_capability(Capability.mcp(name="desktop", url=desktop.mcp_url))

    @env.shutdown
    async def close_desktop() -> None:
        await asyncio.to_thread(opened.pop().close)

    @env.template(id="desktop", description="Does the task of a scenario on its desktop.")
    async def episode(
        scenario: str = scenario, seed: int = 1, variant: dict[str, str] | None = None
    ) -> AsyncGenerator[Any, Any]:
        desktop = opened[-1]
        chosen = {"scenario": scenario, "variant": variant or {}}
        await asyncio.to_thread(desktop.reset, seed, "none", **chosen)
        answer = yield desktop.task or ""
        yield (await asyncio.to_thread(judge, desktop, str(answer or "")))["reward"]

    return env
