"""A desktop of a server, with and without asyncio."""

from __future__ import annotations

import contextlib
import io
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar, overload

import httpx2
from httpx2 import websockets

from backlot import _wire
from backlot._tools import (
    AsyncTools,
    ObserveWindowResult,
    SessionInfoResult,
    SessionResetResult,
    SessionRewindResult,
    SessionStepResult,
    Tools,
    WaitForResult,
)
from backlot._wire import Call, Result
from backlot.errors import ConnectionLostError, ToolError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

Returned = TypeVar("Returned")
Observe = Literal["tree", "diff", "outline", "none"]

_LOST = (httpx2.TransportError, websockets.HTTPXWSException, TimeoutError)


@contextlib.contextmanager
def lost(url: str, client: httpx2.Client | httpx2.AsyncClient | None = None) -> Iterator[None]:
    """Turns the errors of connections into one that says which server did not answer, or that it was closed here."""
    if client and client.is_closed:
        raise ConnectionLostError(f"{url} is closed; use desktops before their server is closed or its block ends")
    try:
        yield
    except _LOST as error:
        raise ConnectionLostError(f"{url} did not answer: {error!r}") from error


class _Desktop:
    """What desktops with and without asyncio have in common."""

    def __init__(self, info: Mapping[str, Any], server_url: str) -> None:
        self._info = dict(info)
        #: The id of the session, or None for the server's own one.
        self.session_id: str | None = info.get("session_id")
        self._prefix: str = info.get("mount", "") + info.get("base_url", "")
        #: The base URL of all routes of this desktop, for agents of other processes.
        self.url = server_url + self._prefix
        #: The URL of this desktop for MCP clients.
        self.mcp_url = f"{self.url}/mcp"
        #: What the agent shall do, or None for a scenario without a task.
        self.task: str | None = info.get("task")
        self.scenario: str | None = info.get("scenario")
        self.seed: int | None = info.get("seed")
        #: The axes in which the scenario differs from its file.
        self.variant: dict[str, str] = info.get("variant", {})
        #: Allows the tools of the harness in this session alone.
        self.harness_token: str | None = info.get("harness_token")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.scenario!r} seed={self.seed} {self.url}>"

    def _learn(self, info: Mapping[str, Any]) -> None:
        """Takes over what a reset changes."""
        for name in ("scenario", "seed", "task"):
            if name in info:
                setattr(self, name, info[name])


class Desktop(_Desktop, Tools):
    """A desktop. Every tool is a method; a refused call raises the error of its code, such as ``ElementNotFoundError``.

    Methods may be called from several threads. The server runs the actions of one desktop one after another.
    """

    def __init__(self, client: httpx2.Client, info: Mapping[str, Any], server_url: str) -> None:
        super().__init__(info, server_url)
        self._client = client

    def call(self, tool: str, args: dict[str, Any] | None = None) -> Result:
        """Calls a tool by its name.

        Args:
            tool: The name of the tool.
            args: Its arguments. Those that are None are not sent.

        Raises:
            ToolError: The server refused the call.
            ConnectionLostError: The server did not answer.
        """
        with lost(self.url, self._client):
            response = self._client.post(f"{self._prefix}/api/tool/{tool}", json=_wire.given(args))
        return _wire.result_of(response, tool)

    def request(self, path: str, body: Any = None) -> Result:
        """Sends a request to a route of this desktop that is no tool, such as ``/computer/anthropic``.

        Args:
            path: The path below ``url``.
            body: The JSON of a POST; without it the request is a GET.
        """
        method = "GET" if body is None else "POST"
        with lost(self.url, self._client):
            response = self._client.request(method, f"{self._prefix}{path}", json=body)
        return _wire.result_of(response)

    @contextlib.contextmanager
    def socket(self) -> Iterator[Socket]:
        """Opens a WebSocket for batches. It costs a third of the processor time of single calls."""
        connecting = self._client.websocket(
            _wire.socket_url(self.url),
            max_message_size_bytes=_wire.MAX_MESSAGE_BYTES,
            keepalive_ping_interval_seconds=None,
        )
        with contextlib.ExitStack() as stack:
            with lost(self.url, self._client):
                opened = stack.enter_context(connecting)
            yield Socket(opened, self.url, self._client.timeout.read)

    def batch(self, calls: Sequence[Call]) -> list[Result | ToolError]:
        """Sends calls in one message and returns their results in order, with an error in place of each refused call.

        Args:
            calls: Any number of calls, also for other desktops of the same server.
        """
        with self.socket() as socket:
            return socket.batch(calls)

    def locator(self, selector: str, window: str | None = None) -> Locator:
        """Locates an element in the focused window, or in the window whose title contains ``window``."""
        return Locator(self.call, selector, window)

    def type(self, text: str) -> Result:
        """Types into the focused element."""
        return self.call("type_text", {"text": text})

    def press(self, keys: str) -> Result:
        """Presses a chord such as ``ctrl+s`` in the focused element."""
        return self.call("press_key", {"keys": keys})

    def wait_for_selector(self, selector: str, timeout_ms: int = 5000) -> WaitForResult:
        """Waits until an element appears. A synthetic desktop advances its clock instead of waiting.

        Raises:
            TimeoutError: It did not appear within ``timeout_ms`` milliseconds.
        """
        return self.wait_for([{"type": "element_appears", "selector": selector}], timeout_ms=timeout_ms)

    def observe(self, since: str | None = None, window: str | None = None) -> ObserveWindowResult:
        """Observes a window: its tree and a ``tree_token``, or only what changed.

        Args:
            since: The ``tree_token`` of an earlier observation, to get the changes.
            window: A part of the title of the window; the focused window by default.
        """
        return self.observe_window(since=since, window_title=window)

    @overload
    def screenshot(self, format: Literal["png"] = "png") -> bytes: ...
    @overload
    def screenshot(self, format: Literal["pil"]) -> Image: ...
    @overload
    def screenshot(self, format: Literal["numpy"]) -> NDArray[np.uint8]: ...

    def screenshot(self, format: Literal["png", "pil", "numpy"] = "png") -> bytes | Image | NDArray[np.uint8]:
        """Takes a screenshot of the primary monitor.

        Args:
            format: ``png`` for bytes, ``pil`` for an image (needs pillow), or ``numpy`` for an array of
                height x width x 3 unsigned bytes, red first (needs pillow and numpy).
        """
        return picture(_wire.bytes_of(self.capture_screen()["data"]), format)

    def oracles(self) -> SessionInfoResult:
        """The verdict: ``reward`` (1, 0 or -1), ``score`` (0 to 1), and the results of each oracle in ``oracles``.

        Raises:
            PermissionDeniedError: The client has no harness token.
        """
        return self.session_info()

    def fork(self, at_step: int | None = None) -> Desktop:
        """Opens an independent desktop that continues from now, or from after ``at_step`` changes of this one."""
        forked = self.session_fork(at_step=at_step)
        info = {**self._info, "task": self.task, "seed": self.seed, **forked}
        return Desktop(self._client, info, self.url.removesuffix(self._prefix))

    def rewind(self, to_step: int) -> SessionRewindResult:
        """Rewinds to the state after ``to_step`` changes; 0 is the start."""
        return self.session_rewind(to_step=to_step)

    def reset(self, seed: int | None = None, observe: Observe = "tree", **more: Any) -> SessionResetResult:
        """Restarts the scenario, with another seed if given. ``more`` are further arguments of ``session_reset``."""
        result = self.session_reset(seed=seed, observe=observe, **more)
        self._learn(result["info"])
        return result

    def step(
        self,
        tool: str,
        args: Mapping[str, Any] | None = None,
        *,
        observe: Observe = "tree",
        max_steps: int | None = None,
        on_harm: Literal["fail", "report"] | None = None,
        **more: Any,
    ) -> SessionStepResult:
        """Performs an action of an agent as a step of a training loop.

        Args:
            tool: The tool of the action, such as ``click_element``.
            args: Its arguments.
            observe: The observation of the focused window afterwards.
            max_steps: Truncates the episode after this many actions.
            on_harm: Whether harm ends the episode with the reward -1 (``fail``) or is only reported.
            more: Further arguments of ``session_step``, such as ``screenshot=True``.

        Returns:
            ``observation``, ``reward`` (1, 0 or -1), ``terminated``, ``truncated`` and ``info``. A refused action is
            not an error here: ``info["action"]`` has it.
        """
        return self.steps([(tool, args or {})], observe=observe, max_steps=max_steps, on_harm=on_harm, **more)

    def steps(
        self,
        actions: Sequence[tuple[str, Mapping[str, Any]]],
        *,
        observe: Observe = "tree",
        max_steps: int | None = None,
        on_harm: Literal["fail", "report"] | None = None,
        **more: Any,
    ) -> SessionStepResult:
        """Performs 1 to 128 actions as one step with one observation after the last."""
        listed = [{"tool": tool, "args": dict(args)} for tool, args in actions]
        result = self.call("session_step", _wire.step_args(listed, observe, max_steps, on_harm, more))
        return result  # type: ignore[return-value]

    def close(self) -> None:
        """Closes the session. Does nothing for the server's own session, or if it or the server is closed already."""
        if self.session_id is None or self._client.is_closed:
            return
        with contextlib.suppress(*_LOST):
            self._client.delete(self._prefix)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Socket:
    """An open WebSocket of a desktop. It runs the calls of one message after another. Use it from one thread."""

    def __init__(self, opened: websockets.WebSocketSession, url: str, timeout: float | None) -> None:
        self._opened = opened
        self._url = url
        self._timeout = timeout

    def batch(self, calls: Sequence[Call], *, binary: bool = False) -> list[Result | ToolError]:
        """Sends calls and returns their results in order, with an error in place of each refused call.

        Args:
            calls: The calls. They are sent in messages of at most 1024.
            binary: Pixels of ``session_step`` and ``session_reset`` come as ``bytes`` in ``screenshot["data"]``.
        """
        results: list[Result | ToolError] = []
        for start in range(0, len(calls), _wire.MAX_CALLS):
            results += self.start(calls[start : start + _wire.MAX_CALLS], binary=binary)()
        return results

    def start(self, calls: Sequence[Call], *, binary: bool = False) -> Callable[[], list[Result | ToolError]]:
        """Sends at most 1024 calls and returns at once. The returned function waits for their results.

        Several messages may be on their way; their functions must be called in the order in which they were sent.
        """
        with lost(self._url):
            self._opened.send_text(_wire.message_of(calls, binary))

        def finish() -> list[Result | ToolError]:
            with lost(self._url):
                answers = _wire.answers_of(self._opened.receive_text(self._timeout), calls)
                for screenshot in _wire.frames_of(answers):
                    screenshot["data"] = self._opened.receive_bytes(self._timeout)
            return answers

        return finish

    def call(self, tool: str, args: Mapping[str, Any] | None = None, *, binary: bool = False) -> Result:
        """Calls one tool.

        Raises:
            ToolError: The server refused the call.
        """
        [result] = self.batch([Call(tool, args or {})], binary=binary)
        if isinstance(result, ToolError):
            raise result
        return result


class _Locator(Generic[Returned]):
    """Locators with and without asyncio: their methods return what a call of the desktop returns."""

    def __init__(self, call: Callable[[str, dict[str, Any]], Returned], selector: str, window: str | None) -> None:
        self._call = call
        self._target = {"selector": selector, "window_title": window}

    def _on(self, tool: str, **args: Any) -> Returned:
        return self._call(tool, {**self._target, **args})

    def click(self) -> Returned:
        """Clicks the element."""
        return self._on("click_element")

    def double_click(self) -> Returned:
        """Double-clicks the element."""
        return self._on("double_click_element")

    def right_click(self) -> Returned:
        """Clicks the element with the right button."""
        return self._on("right_click_element")

    def hover(self) -> Returned:
        """Moves the pointer over the element."""
        return self._on("hover_element")

    def focus(self) -> Returned:
        """Gives the element the keyboard focus."""
        return self._on("focus_element")

    def invoke(self) -> Returned:
        """Activates the element through its accessibility action, without the pointer."""
        return self._on("invoke_element")

    def press(self, keys: str) -> Returned:
        """Focuses the element, then presses a chord such as ``ctrl+s``."""
        return self._on("key_into_element", keys=keys)

    def fill(self, value: str) -> Returned:
        """Replaces the value."""
        return self._on("set_value", value=value)

    def clear(self) -> Returned:
        """Empties the value."""
        return self._on("clear_text")

    def select_option(self, option: str | int) -> Returned:
        """Selects an option by its name, or by its index from 0."""
        return self._on("select_option", **_option(option))


class Locator(_Locator[Result]):
    """An element of a desktop. Each action resolves the selector again and raises the error of its tool."""

    def type(self, text: str) -> Result:
        """Clicks the element, then types."""
        self.click()
        return self._call("type_text", {"text": text})


class AsyncDesktop(_Desktop, AsyncTools):
    """A desktop for asyncio. Its methods are those of ``Desktop`` as coroutines."""

    def __init__(self, client: httpx2.AsyncClient, info: Mapping[str, Any], server_url: str) -> None:
        super().__init__(info, server_url)
        self._client = client

    async def call(self, tool: str, args: dict[str, Any] | None = None) -> Result:
        """Calls a tool by its name. See ``Desktop.call``."""
        with lost(self.url, self._client):
            response = await self._client.post(f"{self._prefix}/api/tool/{tool}", json=_wire.given(args))
        return _wire.result_of(response, tool)

    async def request(self, path: str, body: Any = None) -> Result:
        """Sends a request to a route of this desktop that is no tool. See ``Desktop.request``."""
        method = "GET" if body is None else "POST"
        with lost(self.url, self._client):
            response = await self._client.request(method, f"{self._prefix}{path}", json=body)
        return _wire.result_of(response)

    @contextlib.asynccontextmanager
    async def socket(self) -> AsyncIterator[AsyncSocket]:
        """Opens a WebSocket for batches. See ``Desktop.socket``."""
        connecting = self._client.websocket(
            _wire.socket_url(self.url),
            max_message_size_bytes=_wire.MAX_MESSAGE_BYTES,
            keepalive_ping_interval_seconds=None,
        )
        async with contextlib.AsyncExitStack() as stack:
            with lost(self.url, self._client):
                opened = await stack.enter_async_context(connecting)
            yield AsyncSocket(opened, self.url, self._client.timeout.read)

    async def batch(self, calls: Sequence[Call]) -> list[Result | ToolError]:
        """Sends calls in one message. See ``Desktop.batch``."""
        async with self.socket() as socket:
            return await socket.batch(calls)

    def locator(self, selector: str, window: str | None = None) -> AsyncLocator:
        """Locates an element in the focused window, or in the window whose title contains ``window``."""
        return AsyncLocator(self.call, selector, window)

    async def type(self, text: str) -> Result:
        """Types into the focused element."""
        return await self.call("type_text", {"text": text})

    async def press(self, keys: str) -> Result:
        """Presses a chord such as ``ctrl+s`` in the focused element."""
        return await self.call("press_key", {"keys": keys})

    async def wait_for_selector(self, selector: str, timeout_ms: int = 5000) -> WaitForResult:
        """Waits until an element appears. See ``Desktop.wait_for_selector``."""
        return await self.wait_for([{"type": "element_appears", "selector": selector}], timeout_ms=timeout_ms)

    async def observe(self, since: str | None = None, window: str | None = None) -> ObserveWindowResult:
        """Observes a window. See ``Desktop.observe``."""
        return await self.observe_window(since=since, window_title=window)

    @overload
    async def screenshot(self, format: Literal["png"] = "png") -> bytes: ...
    @overload
    async def screenshot(self, format: Literal["pil"]) -> Image: ...
    @overload
    async def screenshot(self, format: Literal["numpy"]) -> NDArray[np.uint8]: ...

    async def screenshot(self, format: Literal["png", "pil", "numpy"] = "png") -> bytes | Image | NDArray[np.uint8]:
        """Takes a screenshot of the primary monitor. See ``Desktop.screenshot``."""
        return picture(_wire.bytes_of((await self.capture_screen())["data"]), format)

    async def oracles(self) -> SessionInfoResult:
        """The verdict. See ``Desktop.oracles``."""
        return await self.session_info()

    async def fork(self, at_step: int | None = None) -> AsyncDesktop:
        """Opens an independent desktop that continues from here. See ``Desktop.fork``."""
        forked = await self.session_fork(at_step=at_step)
        info = {**self._info, "task": self.task, "seed": self.seed, **forked}
        return AsyncDesktop(self._client, info, self.url.removesuffix(self._prefix))

    async def rewind(self, to_step: int) -> SessionRewindResult:
        """Rewinds to the state after ``to_step`` changes; 0 is the start."""
        return await self.session_rewind(to_step=to_step)

    async def reset(self, seed: int | None = None, observe: Observe = "tree", **more: Any) -> SessionResetResult:
        """Restarts the scenario. See ``Desktop.reset``."""
        result = await self.session_reset(seed=seed, observe=observe, **more)
        self._learn(result["info"])
        return result

    async def step(
        self,
        tool: str,
        args: Mapping[str, Any] | None = None,
        *,
        observe: Observe = "tree",
        max_steps: int | None = None,
        on_harm: Literal["fail", "report"] | None = None,
        **more: Any,
    ) -> SessionStepResult:
        """Performs an action as a step of a training loop. See ``Desktop.step``."""
        return await self.steps([(tool, args or {})], observe=observe, max_steps=max_steps, on_harm=on_harm, **more)

    async def steps(
        self,
        actions: Sequence[tuple[str, Mapping[str, Any]]],
        *,
        observe: Observe = "tree",
        max_steps: int | None = None,
        on_harm: Literal["fail", "report"] | None = None,
        **more: Any,
    ) -> SessionStepResult:
        """Performs 1 to 128 actions as one step with one observation after the last."""
        listed = [{"tool": tool, "args": dict(args)} for tool, args in actions]
        result = await self.call("session_step", _wire.step_args(listed, observe, max_steps, on_harm, more))
        return result  # type: ignore[return-value]

    async def close(self) -> None:
        """Closes the session. See ``Desktop.close``."""
        if self.session_id is None or self._client.is_closed:
            return
        with contextlib.suppress(*_LOST):
            await self._client.delete(self._prefix)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AsyncSocket:
    """An open WebSocket of a desktop. Use it in the task that opened it. See ``Socket``."""

    def __init__(self, opened: websockets.AsyncWebSocketSession, url: str, timeout: float | None) -> None:
        self._opened = opened
        self._url = url
        self._timeout = timeout

    async def batch(self, calls: Sequence[Call], *, binary: bool = False) -> list[Result | ToolError]:
        """Sends calls and returns their results in order. See ``Socket.batch``."""
        results: list[Result | ToolError] = []
        for start in range(0, len(calls), _wire.MAX_CALLS):
            finish = await self.start(calls[start : start + _wire.MAX_CALLS], binary=binary)
            results += await finish()
        return results

    async def start(
        self, calls: Sequence[Call], *, binary: bool = False
    ) -> Callable[[], Coroutine[Any, Any, list[Result | ToolError]]]:
        """Sends at most 1024 calls; the returned function waits for their results. See ``Socket.start``."""
        with lost(self._url):
            await self._opened.send_text(_wire.message_of(calls, binary))

        async def finish() -> list[Result | ToolError]:
            with lost(self._url):
                answers = _wire.answers_of(await self._opened.receive_text(self._timeout), calls)
                for screenshot in _wire.frames_of(answers):
                    screenshot["data"] = await self._opened.receive_bytes(self._timeout)
            return answers

        return finish

    async def call(self, tool: str, args: Mapping[str, Any] | None = None, *, binary: bool = False) -> Result:
        """Calls one tool. See ``Socket.call``."""
        [result] = await self.batch([Call(tool, args or {})], binary=binary)
        if isinstance(result, ToolError):
            raise result
        return result


class AsyncLocator(_Locator[Coroutine[Any, Any, Result]]):
    """An element of a desktop for asyncio. Its methods are those of ``Locator`` as coroutines."""

    async def type(self, text: str) -> Result:
        """Clicks the element, then types."""
        await self.click()
        return await self._call("type_text", {"text": text})


def _option(option: str | int) -> dict[str, str | int]:
    return {"option_index": option} if isinstance(option, int) else {"option_name": option}


def picture(png: bytes, format: Literal["png", "pil", "numpy"]) -> bytes | Image | NDArray[np.uint8]:
    """A PNG in the format that was asked for."""
    if format == "png":
        return png
    from PIL import Image as images

    image = images.open(io.BytesIO(png)).convert("RGB")
    if format == "pil":
        return image
    import numpy

    return numpy.asarray(image)
