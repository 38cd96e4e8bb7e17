"""HUD's own client against its environment. Runs with ``npm run test:python:heavy``, in an environment of its own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytestmark = pytest.mark.heavy
#: It needs a version of ``mcp`` that Inspect and verifiers do not run with.
pytest.importorskip("hud", reason="requirements-hud.txt is not installed")


def test_an_agent_solves_a_task_of_the_environment_over_mcp(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUD_TELEMETRY_ENABLED", "false")
    from hud.agents.base import Agent
    from hud.eval.runtime import LocalRuntime

    from backlot.harnesses.hud import environment

    class Clerk(Agent):
        async def __call__(self, run: Any) -> None:
            desktop = await run.client.open("desktop")
            prompts.append(run.prompt_text)
            tools.update(tool.name for tool in await desktop.list_tools())
            for selector, text in (('Edit "Username"', "alice"), ('Edit "Password"', "x")):
                await desktop.call_tool("set_value", {"selector": selector, "value": text})
            await desktop.call_tool("click_element", {"selector": 'Button "Login"'})
            run.trace.content = "signed in"

    prompts: list[str] = []
    tools: set[str] = set()
    env = environment("settings")
    template = env.templates["desktop"]

    async def run() -> list[float]:
        runtime = LocalRuntime(env)
        jobs = [await template(scenario="login", seed=seed).run(Clerk(), runtime=runtime) for seed in (1, 2)]
        return [job.runs[0].reward for job in jobs]

    # The second seed names another user.
    assert asyncio.run(run()) == [1.0, 0.0]
    assert prompts == [f"Sign in to Acme as {user}. Any password is accepted." for user in ("alice", "dave")]
    assert "finish" in tools
    assert "session_info" not in tools
