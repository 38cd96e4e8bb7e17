"""Servers behind a balancer, whose URL has the server in its path."""

from __future__ import annotations

import asyncio
import itertools
import re
import threading
from collections.abc import Iterator

import pytest

import backlot
from backlot import BacklotError, Call, Server
from backlot.gym import BacklotVectorEnv

from .conftest import sign_in


class Balancer:
    """Redirects requests for a session to one server after another, and passes ``/sN/…`` on to the server N."""

    def __init__(self, backends: list[str], redirect: str) -> None:
        self._ports = [int(url.rpartition(":")[2]) for url in backends]
        self._redirect = redirect
        self._turns = itertools.count()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        started = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._serve, "127.0.0.1", 0), self._loop)
        self.url = f"http://127.0.0.1:{started.result().sockets[0].getsockname()[1]}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"^content-length: (\d+)", head, re.IGNORECASE | re.MULTILINE)
        body = await reader.readexactly(int(length[1])) if length else b""
        method, path = head.split(" ")[:2]
        found = re.fullmatch(r"/s(\d+)(/.*)", path)
        if found is None:
            assert (method, path) == ("POST", "/sessions")
            target = self._redirect.format(next(self._turns) % len(self._ports))
            answer = f"HTTP/1.1 307 Elsewhere\r\nlocation: {target}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            writer.write(answer.encode())
        else:
            back = await asyncio.open_connection("127.0.0.1", self._ports[int(found[1])])
            head = head.replace(f" {path} ", f" {found[2]} ", 1)
            if "upgrade:" not in head.lower():
                head = re.sub("connection: keep-alive", "connection: close", head, flags=re.IGNORECASE)
            back[1].write(head.encode() + body)
            await asyncio.gather(self._pipe(back[0], writer), self._pipe(reader, back[1]))
        writer.close()

    async def _pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


@pytest.fixture(scope="module")
def servers() -> Iterator[Server]:
    with backlot.launch(processes=2) as launched:
        yield launched


def test_sessions_stay_on_the_server_that_the_balancer_chose(servers: Server) -> None:
    balancer = Balancer(servers.urls, "/s{}/sessions")
    with backlot.connect(balancer.url, servers.harness_tokens[0]) as server:
        desktops = [server.open("login", seed=1) for _ in range(4)]
        urls = [desktop.url.removeprefix(balancer.url).rpartition("/")[0] for desktop in desktops]
        assert urls == ["/s0/sessions", "/s1/sessions"] * 2
        sign_in(desktops[1])
        forked = desktops[1].fork()
        with desktops[1].socket() as socket:
            [result] = socket.batch([Call("session_info", {}, desktops[3].session_id)])
        assert isinstance(result, dict)
        rewards = [desktop.oracles()["reward"] for desktop in (*desktops, forked)]
        assert (rewards, result["reward"]) == ([0, 1, 0, 0, 1], 0)
        vector = BacklotVectorEnv(4, server=server, observation="pixels", actions="primitive", downscale=8)
        observations, _ = vector.reset(seed=1)
        assert (len(vector._sockets), observations.shape) == (2, (4, 100, 160, 3))
        vector.close()
        for desktop in (*desktops, forked):
            desktop.close()
    assert servers.sessions() == []
    balancer.close()


def test_sessions_stay_on_their_server_with_asyncio(servers: Server) -> None:
    balancer = Balancer(servers.urls, "/s{}/sessions")

    async def run() -> list[float | None]:
        async with backlot.connect_async(balancer.url, servers.harness_tokens[0]) as server:
            desktops = [await server.open("login", seed=1) for _ in range(2)]
            await desktops[0].locator('Edit "Username"').type("alice")
            scores = [(await desktop.oracles())["score"] for desktop in desktops]
            for desktop in desktops:
                await desktop.close()
            return scores

    scores = asyncio.run(run())
    assert (scores, servers.sessions()) == ([0, 0], [])
    balancer.close()


def test_another_host_does_not_get_the_tokens(servers: Server) -> None:
    balancer = Balancer(servers.urls, "http://elsewhere.example/s{}/sessions")
    with (
        backlot.connect(balancer.url, servers.harness_tokens[0]) as server,
        pytest.raises(BacklotError, match=r"redirects to another host, http://elsewhere.example/s0/sessions"),
    ):
        server.open("login")
    balancer.close()
