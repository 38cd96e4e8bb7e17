from __future__ import annotations

import asyncio
import inspect
from collections import Counter

import pytest

import backlot
from backlot import AsyncDesktop, Call


async def sign_in(desktop: AsyncDesktop) -> int | float | None:
    assert desktop.task is not None
    name = desktop.task.removeprefix("Sign in to Acme as ").partition(".")[0]
    await desktop.locator('Edit "Username"').type(name)
    await desktop.locator('Edit "Password"').fill("correct horse")
    await desktop.press("enter")
    return (await desktop.oracles())["reward"]


def test_64_desktops_at_once_on_two_processes() -> None:
    async def episode(server: backlot.AsyncServer, seed: int) -> int | float | None:
        async with await server.open("login", seed=seed) as desktop:
            return await sign_in(desktop)

    async def run() -> tuple[list[int | float | None], int]:
        async with backlot.launch_async(processes=2) as server:
            rewards = await asyncio.gather(*(episode(server, seed) for seed in range(64)))
            return list(rewards), len(await server.sessions())

    rewards, left = asyncio.run(run())
    assert Counter(rewards) == {1: 64}
    assert left == 0


def test_the_methods_of_an_async_desktop() -> None:
    async def run() -> None:
        async with backlot.launch_async("login", seed=1) as server:
            desktop = server.desktop()
            assert (await desktop.reset(seed=1, observe="none"))["info"]["seed"] == 1
            with pytest.raises(backlot.ElementNotFoundError):
                await desktop.locator('Button "Nowhere"').click()
            with pytest.raises(TimeoutError):
                await desktop.wait_for_selector('Button "Nowhere"')
            assert (await desktop.screenshot("numpy")).shape == (800, 1280, 3)
            assert (await desktop.observe())["tree"]["name"] == "Acme Login"
            async with await desktop.fork() as fork:
                assert await sign_in(fork) == 1
            await desktop.rewind(0)
            stepped = await desktop.step("press_key", {"keys": "tab"}, observe="none")
            assert stepped["reward"] == 0
            results = await desktop.batch([Call("get_pointer"), Call("nowhere")])
            assert [type(each) for each in results] == [dict, backlot.BadRequestError]
            async with desktop.socket() as socket:
                assert (await socket.call("get_pointer"))["ok"]
                ends = [await socket.start([Call("move_pointer", {"x": x, "y": 9})]) for x in (7, 8)]
                assert [[isinstance(each, dict) for each in await end()] for end in ends] == [[True], [True]]
                assert (await socket.call("get_pointer"))["x"] == 8
            assert len(await server.scenarios()) > 10

    asyncio.run(run())


FACES = [
    (backlot.Desktop, backlot.AsyncDesktop),
    (backlot.Locator, backlot.AsyncLocator),
    (backlot.Server, backlot.AsyncServer),
    (backlot.Socket, backlot.AsyncSocket),
]


@pytest.mark.parametrize(("face", "asynchronous"), FACES)
def test_both_faces_have_the_same_methods_and_parameters(face: type, asynchronous: type) -> None:
    def parameters(which: type) -> dict[str, list[tuple[str, object]]]:
        return {
            name: [(each.name, each.default) for each in inspect.signature(method).parameters.values()]
            for name, method in inspect.getmembers(which, inspect.isfunction)
            if not name.startswith("_")
        }

    assert parameters(face) == parameters(asynchronous)
    started = [list(inspect.signature(each).parameters) for each in (backlot.launch, backlot.launch_async)]
    connected = [list(inspect.signature(each).parameters) for each in (backlot.connect, backlot.connect_async)]
    assert (started[0], connected[0]) == (started[1], connected[1])


def test_connecting_to_a_server_that_is_not_there() -> None:
    async def run() -> None:
        async with backlot.connect_async("http://127.0.0.1:9") as server:
            with pytest.raises(backlot.ConnectionLostError, match=r"127\.0\.0\.1:9"):
                await server.open()

    asyncio.run(run())
