"""Servers: starting them, connecting to them, and opening desktops on them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import httpx2

from backlot import _wire
from backlot._process import ServerProcess, start_all
from backlot._wire import DEFAULT_TIMEOUT
from backlot.desktop import AsyncDesktop, Desktop, lost

Audience = Literal["all", "agent"]
#: The axes of a variant and their values, such as ``{"theme": "dark", "scale": 1.5}``.
Variant = Mapping[str, str | int | float | bool]


def launch(
    scenario: str | None = None,
    *,
    seed: int | None = None,
    variant: Variant | None = None,
    processes: int = 1,
    shared_frames: bool = True,
    arguments: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    start_timeout: float = 60,
    timeout: float = DEFAULT_TIMEOUT,
) -> Server:
    """Starts a server on a free port, and waits until it listens.

    The server ends with ``close``, at the end of a ``with`` block, and with this process, also when that is killed.

    Args:
        scenario: The scenario of the server's own desktop, a name of the gallery or a path.
        seed: The seed of that desktop.
        variant: The variant of that desktop.
        processes: The number of server processes. ``open`` distributes desktops over them; one keeps 1.4 cores busy.
        shared_frames: Lets ``backlot.frames`` read pictures from the memory of the server.
        arguments: Further options of ``backlot serve``, such as ``["--clock", "real"]``.
        env: Further environment variables of the server.
        cwd: The folder in which the server starts; it reads scenarios below it.
        start_timeout: How long the start may take, in seconds.
        timeout: How long a call may take, in seconds.

    Raises:
        LaunchError: The server did not start. The message has what it printed.

    Example:
        >>> with backlot.launch() as server, server.open("login", seed=7) as desktop:
        ...     desktop.locator('Edit "Username"').type("alice")
    """
    serve = _serve_arguments(scenario, seed, variant, shared_frames, arguments)
    started = start_all(processes, serve, env, cwd, start_timeout)
    return Server(_addresses(started), timeout=timeout, processes=started, shares_frames=shared_frames)


def connect(
    url: str | Sequence[str], token: str | None = None, *, bearer: str | None = None, timeout: float = DEFAULT_TIMEOUT
) -> Server:
    """Connects to a running server, or to several that share the token.

    Args:
        url: The URL of the server, also of one session below ``/sessions/ID``.
        token: The harness token, which allows opening sessions and all tools. An agent has none.
        bearer: The token that the server requires of every client (``--token``).
        timeout: How long a call may take, in seconds.
    """
    urls = [url] if isinstance(url, str) else list(url)
    return Server([(each.rstrip("/"), token) for each in urls], bearer=bearer, timeout=timeout)


def launch_async(
    scenario: str | None = None,
    *,
    seed: int | None = None,
    variant: Variant | None = None,
    processes: int = 1,
    shared_frames: bool = True,
    arguments: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    start_timeout: float = 60,
    timeout: float = DEFAULT_TIMEOUT,
) -> AsyncServer:
    """Starts a server when the ``async with`` block begins. The arguments are those of ``launch``."""

    serve = _serve_arguments(scenario, seed, variant, shared_frames, arguments)

    def start() -> list[ServerProcess]:
        return start_all(processes, serve, env, cwd, start_timeout)

    return AsyncServer([], timeout=timeout, start=start)


def connect_async(
    url: str | Sequence[str], token: str | None = None, *, bearer: str | None = None, timeout: float = DEFAULT_TIMEOUT
) -> AsyncServer:
    """Connects to a running server. The arguments are those of ``connect``."""
    urls = [url] if isinstance(url, str) else list(url)
    return AsyncServer([(each.rstrip("/"), token) for each in urls], bearer=bearer, timeout=timeout)


def _serve_arguments(
    scenario: str | None, seed: int | None, variant: Variant | None, shared_frames: bool, arguments: Sequence[str]
) -> list[str]:
    return [
        *([] if scenario is None else ["--scenario", scenario]),
        *([] if seed is None else ["--seed", str(seed)]),
        *(word for axis, value in (variant or {}).items() for word in ("--variant", f"{axis}={_text(value)}")),
        *(["--shared-frames"] if shared_frames else []),
        *arguments,
    ]


def _text(value: str | int | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _addresses(processes: Sequence[ServerProcess]) -> list[tuple[str, str | None]]:
    return [(process.url, process.harness_token) for process in processes]


def _session_body(
    scenario: str | None,
    yaml: str | None,
    seed: int | None,
    variant: Variant | None,
    faults: Sequence[str] | None,
    audience: Audience,
) -> dict[str, Any]:
    return _wire.given(
        {
            "scenario": scenario,
            "yaml": yaml,
            "seed": seed,
            "variant": None if variant is None else {axis: _text(value) for axis, value in variant.items()},
            "faults": None if faults is None else list(faults),
            "audience": audience,
        }
    )


def _opened(response: httpx2.Response, target: tuple[str, str] | None) -> dict[str, Any]:
    """What the server says of a session that it has opened, and its place behind a balancer."""
    return {**_wire.result_of(response), **({"mount": target[1]} if target else {})}


class _Loads:
    """How many desktops were opened on each of several servers."""

    def __init__(self) -> None:
        self._opened: dict[int, int] = {}

    def next(self, count: int) -> int:
        """The server with the fewest desktops so far."""
        index = min(range(count), key=lambda each: self._opened.get(each, 0))
        self._opened[index] = self._opened.get(index, 0) + 1
        return index


class Server:
    """One or several servers, on which desktops are opened."""

    def __init__(
        self,
        addresses: Sequence[tuple[str, str | None]],
        *,
        bearer: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        processes: Sequence[ServerProcess] = (),
        shares_frames: bool = False,
    ) -> None:
        #: The URL of each server.
        self.urls = [url for url, _ in addresses]
        #: Whether ``backlot.frames`` can read pictures from the memory of the servers.
        self.shares_frames = shares_frames
        #: The processes that ``launch`` started.
        self.processes = tuple(processes)
        self.harness_tokens = [token for _, token in addresses]
        self._clients = [httpx2.Client(**_wire.client_options(url, token, bearer, timeout)) for url, token in addresses]
        self._loads = _Loads()

    @property
    def url(self) -> str:
        """The URL of the first server."""
        return self.urls[0]

    def __repr__(self) -> str:
        return f"<Server {' '.join(self.urls)}>"

    def desktop(self) -> Desktop:
        """The desktop that the server itself has: that of its ``--scenario``, or of the session in its URL."""
        return Desktop(self._clients[0], {}, self.url)

    def open(
        self,
        scenario: str | None = None,
        *,
        yaml: str | None = None,
        seed: int | None = None,
        variant: Variant | None = None,
        faults: Sequence[str] | None = None,
        audience: Audience = "agent",
    ) -> Desktop:
        """Opens a desktop of its own, on the server with the fewest, or where the balancer at the URL redirects to.

        Args:
            scenario: A name of the gallery, or a path below a root of the server; by default the server's scenario.
            yaml: The text of a scenario instead.
            seed: The seed of all randomness.
            variant: The axes in which the scenario differs from its file.
            faults: The names of faults to inject.
            audience: ``agent``: other clients of ``desktop.url`` get the tools of agents only.

        Raises:
            ScenarioInvalidError: The scenario cannot be used.
            BusyError: The server has as many sessions as it may.
        """
        index = self._loads.next(len(self._clients))
        body = _session_body(scenario, yaml, seed, variant, faults, audience)
        with lost(self.urls[index], self._clients[index]):
            response = self._clients[index].post("/sessions", json=body)
            target = _wire.redirected_to(response, self.urls[index])
            if target is not None:
                response = self._clients[index].post(target[0], json=body)
        return Desktop(self._clients[index], _opened(response, target), self.urls[index])

    def scenarios(self) -> list[dict[str, Any]]:
        """The scenarios of the gallery and of the operator's folders: ``scenario``, ``name``, ``task``, ``tags``,
        ``difficulty``."""
        listed: list[dict[str, Any]] = self._get("/scenarios")["scenarios"]
        return listed

    def sessions(self) -> list[dict[str, Any]]:
        """The open sessions of every server."""
        pages = [self._get("/sessions", index) for index in range(len(self._clients))]
        return [session for page in pages for session in page["sessions"]]

    def _get(self, path: str, index: int = 0) -> dict[str, Any]:
        with lost(self.urls[index], self._clients[index]):
            return _wire.result_of(self._clients[index].get(path))

    def close(self) -> None:
        """Closes the connections, and ends the servers that ``launch`` started."""
        for client in self._clients:
            client.close()
        for process in self.processes:
            process.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncServer:
    """One or several servers for asyncio. See ``Server``."""

    def __init__(
        self,
        addresses: Sequence[tuple[str, str | None]],
        *,
        bearer: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        start: Any = None,
    ) -> None:
        self.processes: tuple[ServerProcess, ...] = ()
        self._bearer = bearer
        self._timeout = timeout
        self._start = start
        self._loads = _Loads()
        self._use(addresses)

    def _use(self, addresses: Sequence[tuple[str, str | None]]) -> None:
        #: The URL of each server.
        self.urls = [url for url, _ in addresses]
        self.harness_tokens = [token for _, token in addresses]
        self._clients = [
            httpx2.AsyncClient(**_wire.client_options(url, token, self._bearer, self._timeout))
            for url, token in addresses
        ]

    @property
    def url(self) -> str:
        """The URL of the first server."""
        return self.urls[0]

    def desktop(self) -> AsyncDesktop:
        """The desktop that the server itself has. See ``Server.desktop``."""
        return AsyncDesktop(self._clients[0], {}, self.url)

    async def open(
        self,
        scenario: str | None = None,
        *,
        yaml: str | None = None,
        seed: int | None = None,
        variant: Variant | None = None,
        faults: Sequence[str] | None = None,
        audience: Audience = "agent",
    ) -> AsyncDesktop:
        """Opens a desktop of its own. See ``Server.open``."""
        index = self._loads.next(len(self._clients))
        body = _session_body(scenario, yaml, seed, variant, faults, audience)
        with lost(self.urls[index], self._clients[index]):
            response = await self._clients[index].post("/sessions", json=body)
            target = _wire.redirected_to(response, self.urls[index])
            if target is not None:
                response = await self._clients[index].post(target[0], json=body)
        return AsyncDesktop(self._clients[index], _opened(response, target), self.urls[index])

    async def scenarios(self) -> list[dict[str, Any]]:
        """The scenarios of the gallery and of the operator's folders. See ``Server.scenarios``."""
        listed: list[dict[str, Any]] = (await self._get("/scenarios"))["scenarios"]
        return listed

    async def sessions(self) -> list[dict[str, Any]]:
        """The open sessions of every server."""
        pages = [await self._get("/sessions", index) for index in range(len(self._clients))]
        return [session for page in pages for session in page["sessions"]]

    async def _get(self, path: str, index: int = 0) -> dict[str, Any]:
        with lost(self.urls[index], self._clients[index]):
            return _wire.result_of(await self._clients[index].get(path))

    async def close(self) -> None:
        """Closes the connections, and ends the servers that ``launch_async`` started."""
        for client in self._clients:
            await client.aclose()
        if self.processes:
            await asyncio.gather(*(asyncio.to_thread(process.close) for process in self.processes))

    async def __aenter__(self) -> Self:
        if self._start is not None and not self.processes:
            self.processes = tuple(await asyncio.to_thread(self._start))
            self._use(_addresses(self.processes))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
