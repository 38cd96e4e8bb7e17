"""Measures the client: steps and pictures per second of processor time, of this process and of the servers together.

Run ``python bench.py [SECONDS] [--json]`` in a checkout after ``npm run build``. Needs numpy, pillow and gymnasium. The
same steps are measured from Node beside those of Python. Only processor time counts, so that other programs on the
machine change ratios little; the load is printed. With ``--json`` each row is a line of JSON instead.
"""

from __future__ import annotations

import base64
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from PIL import Image

import backlot
from backlot import Call, Desktop, Server, _wire
from backlot._process import find_node
from backlot.frames import FrameReader
from backlot.gym import BacklotVectorEnv

_JSON = "--json" in sys.argv
_TICKS = os.sysconf("SC_CLK_TCK")
_PRESS = {"action": {"tool": "press_key", "args": {"keys": "tab"}}, "observe": "none"}


def server_seconds(server: Server) -> float:
    """The processor time of all server processes."""
    stats = (Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split() for process in server.processes)
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / _TICKS


def measure(name: str, server: Server, run: Callable[[], int], seconds: float) -> float:
    """Prints and returns what was done per second of processor time. ``run`` returns how much it did."""
    warm = time.monotonic() + seconds / 4
    while time.monotonic() < warm:
        run()
    client, remote, end = time.process_time(), server_seconds(server), time.monotonic() + seconds
    count = 0
    while time.monotonic() < end:
        count += run()
    return _report(name, count, time.process_time() - client, server_seconds(server) - remote)


def measure_node(name: str, server: Server, targets: list[dict[str, Any]], seconds: float) -> float:
    """The same of a client in Node."""
    remote = server_seconds(server)
    program = str(Path(__file__).with_name("bench_node.mjs"))
    arguments = json.dumps({"targets": targets, "seconds": seconds})
    printed = subprocess.run([find_node(), program, arguments], check=True, capture_output=True, text=True).stdout
    played = json.loads(printed)
    return _report(f"{name}, from Node", played["count"], played["cpu_seconds"], server_seconds(server) - remote)


def _report(name: str, count: int, client: float, remote: float) -> float:
    rate = count / (client + remote)
    if _JSON:
        row = {"what": name, "measured": f"{rate:.0f}/s", "target": "per CPU-second of client and servers"}
        print(json.dumps(row), flush=True)
    else:
        each = f"client {client / count * 1e3:7.3f} ms, server {remote / count * 1e3:7.3f} ms"
        print(f"{name:62} {rate:8.0f} per CPU-second ({each})", flush=True)
    return rate


def compare(what: str, ratio: float) -> None:
    """Prints how many times as much one measurement is as another."""
    measured = f"{ratio:.2f}\u00d7"
    print(json.dumps({"what": what, "measured": measured}) if _JSON else f"{what}: {measured}", flush=True)


def target(server: Server, desktop: Desktop, calls: list[Call] | None = None) -> dict[str, Any]:
    """What the client in Node needs: the desktop, and the message of the calls unless each step is a request."""
    index = next(index for index, url in enumerate(server.urls) if desktop.url.startswith(url))
    sent = {} if calls is None else {"message": _wire.message_of(calls, False), "perMessage": len(calls)}
    where = {"url": server.urls[index], "prefix": desktop.url.removeprefix(server.urls[index])}
    return {**where, "token": server.harness_tokens[index], "body": json.dumps(_PRESS), **sent}


def steps(seconds: float) -> None:
    with backlot.launch("form") as server, server.open("form") as desktop, desktop.socket() as socket:
        for name, calls in (("a message each", 1), ("64 in a message", 64)):
            batch = [Call("session_step", _PRESS)] * calls
            name = f"step, one session, {name}"
            measure(name, server, lambda batch=batch: len(socket.batch(batch)), seconds)  # type: ignore[misc]
            measure_node(name, server, [target(server, desktop, batch)], seconds)
        name = "step, one session, a request each"
        measure(name, server, lambda: bool(desktop.call("session_step", _PRESS)), seconds)
        measure_node(name, server, [target(server, desktop)], seconds)
    with backlot.launch("form", processes=2) as server:
        desktops = [server.open("form") for _ in range(64)]
        groups = [[each for each in desktops if each.url.startswith(url)] for url in server.urls]
        batches = [[Call("session_step", _PRESS, each.session_id) for each in group] for group in groups]
        with groups[0][0].socket() as first, groups[1][0].socket() as second:

            def round_of_all() -> int:
                ends = [socket.start(batch) for socket, batch in zip((first, second), batches, strict=True)]
                return sum(len(end()) for end in ends)

            name = "step, 64 sessions on 2 processes, a message each"
            measure(name, server, round_of_all, seconds)
        played = [target(server, group[0], batch) for group, batch in zip(groups, batches, strict=True)]
        measure_node(name, server, played, seconds)


def pictures(seconds: float) -> None:
    with backlot.launch("form") as server, server.open("form") as desktop, desktop.socket() as socket:
        frames = FrameReader()
        typed = 0

        def step(picture: str) -> dict[str, Any]:
            nonlocal typed
            typed += 1
            action = {"tool": "press_key", "args": {"keys": "tab"}}
            shown = {"action": action, "observe": "none", "screenshot": True, "screenshot_format": picture}
            return socket.call("session_step", shown, binary=True)

        def png() -> int:
            file = base64.b64decode(step("png")["observation"]["screenshot_b64"])
            return int(np.asarray(Image.open(io.BytesIO(file)).convert("RGB")).shape[0] > 0)

        def raw() -> int:
            return int(np.frombuffer(step("rgb")["observation"]["screenshot"]["data"], np.uint8).size > 0)

        slow = measure("step with a picture as array, PNG", server, png, seconds)
        measure("step with a picture as array, raw over the socket", server, raw, seconds)
        fast = measure(
            "step with a picture as array, shared memory",
            server,
            lambda: frames.read(step("shared")).pixels.ndim // 3,
            seconds,
        )
        compare("pictures by shared memory beside PNG", fast / slow)


class Idle(gymnasium.Env[Any, Any]):
    """An environment that does nothing: what Gymnasium and its wrappers cost by themselves."""

    observation_space = gymnasium.spaces.Box(0, 255, (200, 320, 3), np.uint8)
    action_space = gymnasium.spaces.Discrete(5)

    def __init__(self) -> None:
        self._picture = np.zeros((200, 320, 3), np.uint8)

    def reset(self, **_: Any) -> tuple[Any, dict[str, Any]]:
        return self._picture, {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return self._picture, 0.0, False, False, {}


def idle_environments(seconds: float) -> None:
    """Steps of 64 environments that do nothing, for comparison."""
    vector = gymnasium.vector.SyncVectorEnv([Idle] * 64)
    vector.reset()
    vector.action_space.seed(1)
    end, began, count = time.monotonic() + seconds, time.process_time(), 0
    while time.monotonic() < end:
        vector.step(vector.action_space.sample())
        count += vector.num_envs
    _report("step of Gymnasium's SyncVectorEnv, 64 that do nothing", count, time.process_time() - began, 0.0)


def environments(seconds: float) -> None:
    for observation, actions in (("elements", "elements"), ("pixels", "primitive")):
        vector = BacklotVectorEnv(
            64, processes=2, scenario="form", observation=observation, actions=actions, downscale=4
        )
        vector.reset(seed=1)
        vector.action_space.seed(1)

        def step(vector: BacklotVectorEnv = vector) -> int:
            vector.step(vector.action_space.sample())
            return vector.num_envs

        measure(f"step of BacklotVectorEnv, 64 on 2 processes, {observation}", vector.server, step, seconds)
        vector.close()


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--json"]
    seconds = float(words[0]) if words else 5
    if not _JSON:
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, {seconds:g} s of each")
    for part in (steps, pictures, idle_environments, environments):
        part(seconds)
