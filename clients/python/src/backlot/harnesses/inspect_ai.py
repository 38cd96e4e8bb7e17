"""Inspect (``inspect_ai``): the sandbox ``backlot``, which answers its computer tool, a scorer and a dataset.

Inspect finds this module by its entry point. Each sample has a desktop of its own; no container is needed.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, overload

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState
from inspect_ai.util import ExecResult, SandboxEnvironment, sandbox, sandboxenv

from backlot.desktop import AsyncDesktop
from backlot.errors import ToolError
from backlot.harnesses import MAX_ANSWER, judgement
from backlot.server import AsyncServer, Variant, connect, connect_async, launch, launch_async

_COMPUTER_TOOL = "/opt/inspect/tool/computer_tool.py"
_SIDE_BUTTONS = {"back_click": "back", "forward_click": "forward"}


@sandboxenv(name="backlot")
class BacklotSandbox(SandboxEnvironment):
    """A desktop as a sandbox. It runs the command line of Inspect's computer tool, and no other command.

    The metadata of a sample choose ``scenario``, ``seed`` and ``variant``. ``BACKLOT_URL`` and
    ``BACKLOT_HARNESS_TOKEN`` name a server; without them each task starts one.
    """

    #: Shared by the tasks of an evaluation, which Inspect initialises under other names than their own.
    _server: AsyncServer | None = None
    _users = 0

    def __init__(self, desktop: AsyncDesktop) -> None:
        super().__init__()
        self.desktop = desktop
        self._files: dict[str, bytes] = {_COMPUTER_TOOL: b""}

    @classmethod
    async def task_init(cls, task_name: str, config: Any) -> None:
        cls._users += 1
        if cls._server is None:
            url = os.environ.get("BACKLOT_URL")
            cls._server = connect_async(url, os.environ.get("BACKLOT_HARNESS_TOKEN")) if url else launch_async()
            await cls._server.__aenter__()

    @classmethod
    async def task_cleanup(cls, task_name: str, config: Any, cleanup: bool) -> None:
        cls._users -= 1
        if cls._users == 0 and cls._server is not None:
            server, cls._server = cls._server, None
            await server.close()

    @classmethod
    async def sample_init(cls, task_name: str, config: Any, metadata: dict[str, str]) -> dict[str, SandboxEnvironment]:
        given: dict[str, Any] = dict(metadata)
        if cls._server is None:
            raise RuntimeError("task_init() was not called before sample_init()")
        scenario, seed, variant = (given.get(name) for name in ("scenario", "seed", "variant"))
        desktop = await cls._server.open(scenario, seed=seed, variant=variant)
        return {"default": cls(desktop)}

    @classmethod
    async def sample_cleanup(
        cls, task_name: str, config: Any, environments: dict[str, SandboxEnvironment], interrupted: bool
    ) -> None:
        for environment in environments.values():
            await environment.as_type(BacklotSandbox).desktop.close()

    async def exec(
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        if cmd[:2] == ["python3", _COMPUTER_TOOL]:
            return ExecResult(True, 0, json.dumps(await self._computer(cmd[2:])), "")
        return ExecResult(False, 127, "", f"{cmd[0]}: not found: a desktop of Backlot runs no commands")

    async def _computer(self, words: Sequence[str]) -> dict[str, str]:
        """Runs an action. Its failure is a part of the answer, which the model reads."""
        try:
            asked = _parser().parse_args(list(words))
        except ValueError as error:
            return {"error": str(error)}
        given = {name: value for name, value in vars(asked).items() if value is not None}
        button = _SIDE_BUTTONS.get(asked.action)
        try:
            if button is not None:
                x, y = given.get("coordinate", (None, None))
                await self.desktop.call("mouse_click", {"x": x, "y": y, "button": button})
                given = {"action": "screenshot"}
            call = {"type": "tool_use", "id": "toolu_backlot", "name": "computer", "input": given}
            result = await self.desktop.request("/computer/anthropic", call)
        except ToolError as error:
            return {"error": str(error)}
        blocks: list[dict[str, Any]] = result.get("content") or []
        text = " ".join(block["text"] for block in blocks if block["type"] == "text")
        if result.get("is_error"):
            return {"error": text}
        pictures = [block["source"]["data"] for block in blocks if block["type"] == "image"]
        return {"output": text, **({"base64_image": pictures[-1]} if pictures else {})}

    async def write_file(self, file: str, contents: str | bytes) -> None:
        self._files[file] = contents.encode() if isinstance(contents, str) else contents

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...
    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        if file not in self._files:
            raise FileNotFoundError(file)
        return self._files[file].decode() if text else self._files[file]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise ValueError(message)


def _parser() -> _Parser:
    parser = _Parser(add_help=False, exit_on_error=False)
    parser.add_argument("action")
    parser.add_argument("--coordinate", type=int, nargs=2)
    parser.add_argument("--start_coordinate", type=int, nargs=2)
    parser.add_argument("--region", type=int, nargs=4)
    parser.add_argument("--text")
    parser.add_argument("--duration", type=float)
    parser.add_argument("--scroll_amount", type=int)
    parser.add_argument("--scroll_direction")
    return parser


@scorer(metrics=[accuracy(), stderr()], name="backlot")
def oracle_scorer() -> Scorer:
    """Asks the oracles of the scenario. The completion of the model is the answer of tasks that ask for one."""

    async def score(state: TaskState, target: Target) -> Score:
        desktop = sandbox().as_type(BacklotSandbox).desktop
        answer = state.output.completion
        await desktop.finish(status="done", text=answer[:MAX_ANSWER])
        verdict = await desktop.oracles()
        judged = judgement(verdict)
        return Score(
            value=CORRECT if judged["solved"] else INCORRECT,
            answer=answer,
            explanation=judged["explanation"],
            metadata={"score": verdict["score"], "reward": verdict["reward"], "step": verdict["step"]},
        )

    return score


def desktop_dataset(
    scenarios: Iterable[str], seeds: Iterable[int] = (1,), variant: Variant | None = None
) -> MemoryDataset:
    """A sample for each scenario and seed, whose input is the task. It opens each desktop once to read it."""
    url = os.environ.get("BACKLOT_URL")
    listed = list(seeds)
    samples = []
    with connect(url, os.environ.get("BACKLOT_HARNESS_TOKEN")) if url else launch() as server:
        for scenario in scenarios:
            for seed in listed:
                with server.open(scenario, seed=seed, variant=variant) as desktop:
                    metadata = {"scenario": scenario, "seed": seed, "variant": variant}
                    samples.append(Sample(id=f"{scenario}-{seed}", input=desktop.task or "", metadata=metadata))
    return MemoryDataset(samples, name="backlot")


def write_scores(results: str | Path, scores: str | Path, variant: Variant | None = None) -> int:
    """Turns the results of ``backlot eval`` into a file for the scorer ``precomputed_scores`` of Inspect.

    Ids are those of ``desktop_dataset``, and epochs are the runs of a seed.

    Args:
        results: ``results.jsonl`` in the folder of the results.
        scores: The file to write; its name ends in ``.jsonl``.
        variant: Only episodes in this variant; by default those of the scenarios as they are.

    Returns:
        The number of scores.
    """
    wanted = {axis: str(value) for axis, value in (variant or {}).items()}
    lines = [json.loads(line) for line in Path(results).read_text().splitlines()]
    kept = [line for line in lines if {axis: str(value) for axis, value in line["variant"].items()} == wanted]
    Path(scores).write_text("".join(json.dumps(_precomputed(line)) + "\n" for line in kept))
    return len(kept)


def _precomputed(result: Mapping[str, Any]) -> dict[str, Any]:
    details = ("score", "harm", "attack", "end", "failure", "steps", "solution_steps")
    return {
        "id": f"{result['task']}-{result['seed']}",
        "epoch": result["run"],
        "value": CORRECT if result["success"] else INCORRECT,
        "explanation": result["message"],
        "metadata": {name: result[name] for name in details},
    }
