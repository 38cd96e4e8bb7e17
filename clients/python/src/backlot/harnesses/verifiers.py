"""A taskset for ``verifiers.v1``: each rollout has a desktop of its own, whose tools its harness reaches by MCP.

>>> __all__ = ["BacklotTaskset"]

in a module that imports it makes the name of that module the id of the taskset. ``BACKLOT_URL`` and
``BACKLOT_HARNESS_TOKEN`` name a server; without them each process starts one.
"""

from __future__ import annotations

import asyncio
import itertools
import weakref
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import verifiers.v1 as vf
from pydantic import Field

from backlot.desktop import Desktop
from backlot.harnesses import judge, shared_server


class BacklotData(vf.TaskData):
    """What a task is: enough to open its desktop anywhere."""

    scenario: str
    seed: int
    variant: dict[str, str] = Field(default_factory=dict)


class BacklotTasksetConfig(vf.TasksetConfig):
    """Which tasks there are: every scenario with the first seed, then with the next, without an end."""

    scenarios: list[str] = Field(default_factory=lambda: ["login"])
    """Names of the gallery, or paths below a root of the server."""
    first_seed: int = 1
    """The seed of the first tasks."""
    variant: dict[str, str] = Field(default_factory=dict)
    """The axes in which each scenario differs from its file."""


class _Tools(vf.Toolset[vf.ToolsetConfig, vf.State]):
    """The tools of a desktop. Their server runs already, so that none is started for them."""

    TOOL_PREFIX = "desktop"


#: The desktop of each rollout, by the id of its trace, since neither tasks nor traces can hold one.
_desktops: dict[str, Desktop] = {}
#: The desktop of the rollout that is being set up. Its setup and the call for its tools are one asyncio task.
_opened: ContextVar[Desktop | None] = ContextVar("backlot_desktop", default=None)


def _close(trace_id: str) -> None:
    desktop = _desktops.pop(trace_id, None)
    if desktop is not None:
        desktop.close()


class BacklotTask(vf.Task[BacklotData, vf.State, vf.TaskConfig]):
    """An episode: the task of a scenario with a seed."""

    @property
    def key(self) -> str:
        """The same for the same episode, wherever it is in a taskset."""
        axes = "".join(f"/{axis}={value}" for axis, value in sorted(self.data.variant.items()))
        return f"{self.data.scenario}/{self.data.seed}{axes}"

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Opens the desktop."""
        data = self.data
        desktop = await asyncio.to_thread(
            shared_server().open, data.scenario, seed=data.seed, variant=data.variant or None
        )
        _desktops[trace.id] = desktop
        # A rollout that fails has no hook at its end, but its trace ends too.
        weakref.finalize(trace, _close, trace.id)
        _opened.set(desktop)

    @classmethod
    def toolsets(cls, config: vf.TaskConfig) -> list[vf.Toolset[Any, Any]]:
        """The tools of the desktop of this rollout, and none outside of one."""
        desktop = _opened.get()
        return [] if desktop is None else [_Tools(vf.ToolsetConfig(url=desktop.mcp_url))]

    async def finalize(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Asks the oracles, with the last reply as the answer of an agent that did not call ``finish``."""
        trace.info["backlot"] = await asyncio.to_thread(judge, _desktops[trace.id], trace.last_reply)
        await asyncio.to_thread(_close, trace.id)

    @vf.reward
    async def verdict(self, trace: vf.Trace) -> float:
        """1 when solved, -1 after a failure, else 0."""
        return float(trace.info["backlot"]["reward"])

    @vf.metric
    async def progress(self, trace: vf.Trace) -> float:
        """How much of the way is done, from 0 to 1."""
        return float(trace.info["backlot"]["score"])


class BacklotTaskset(vf.Taskset[BacklotTask, BacklotTasksetConfig]):
    """Scenarios with seed after seed. It has no end, so that runs take a number of tasks."""

    INFINITE = True

    def load(self) -> Iterator[BacklotTask]:
        """Reads the task of each episode from a desktop, which is opened and closed for it."""
        config = self.config
        for seed in itertools.count(config.first_seed):
            for scenario in config.scenarios:
                with shared_server().open(scenario, seed=seed, variant=config.variant or None) as desktop:
                    prompt = desktop.task
                data = BacklotData(
                    name=f"{scenario}-{seed}", prompt=prompt, scenario=scenario, seed=seed, variant=config.variant
                )
                yield BacklotTask(data, config.task)
