"""The published server agent-webkit-server with a scripted agent in place of the Claude Agent SDK.

FAULT in the environment plants one fault of faults.ts.
"""

import argparse
import asyncio
import itertools
import os

import agent_webkit_server.adapters.fastapi as adapter
import agent_webkit_server.event_log as event_log
import agent_webkit_server.session as session_module
import agent_webkit_server.sdk_bridge as bridge
import uvicorn
from agent_webkit_server.auth import AuthConfig

FAULT = os.environ.get("FAULT", "")
# Seconds before each event. With a planted fault, the streams are awake (see below).
PAUSE_S = 0 if FAULT else 0.01
numbers = itertools.count(1)


class AssistantMessage:
    def __init__(self, message_id, content):
        self.id, self.content = message_id, content
        self.model, self.stop_reason = "scripted", "end_turn"


class AssistantMessageDelta(AssistantMessage):
    pass


class UserMessage:
    def __init__(self, content):
        self.content = content


class ResultMessage:
    def __init__(self, subtype="success"):
        self.session_id, self.subtype, self.total_cost_usd = "scripted", subtype, 0.001


class Agent:
    """Plays the turns that the phrases of the profile ask for."""

    def __init__(self, can_use_tool):
        self.can_use_tool = can_use_tool
        self.out = asyncio.Queue()
        self.turn = None

    async def connect(self, prompt=None):
        pass

    async def query(self, prompt):
        async for message in prompt:
            content = message["message"]["content"]
            text = content if isinstance(content, str) else " ".join(one.get("text", "") for one in content)
            self.turn = asyncio.create_task(self.play(text))

    async def receive_messages(self):
        while True:
            message = await self.out.get()
            if message is None:
                return
            yield message

    async def interrupt(self):
        if FAULT == "ignores interrupts":
            return
        if self.turn and not self.turn.done():
            self.turn.cancel()
            self.out.put_nowait(ResultMessage("interrupted"))

    async def set_permission_mode(self, mode):
        pass

    async def set_model(self, model):
        pass

    async def stop_task(self, task_id):
        pass

    async def disconnect(self):
        if self.turn:
            self.turn.cancel()
        self.out.put_nowait(None)

    async def emit(self, message):
        """Sends after a pause: a stream of the server sleeps through what happens while it sends."""
        await asyncio.sleep(PAUSE_S)
        self.out.put_nowait(message)

    async def say(self, words, delay=0.0):
        message_id = f"msg_{next(numbers)}"
        for word in words:
            await self.emit(AssistantMessageDelta(message_id, [{"type": "text", "text": word}]))
            await asyncio.sleep(delay)
        text = "".join(words)
        await self.emit(AssistantMessage(message_id, [{"type": "text", "text": text}]))

    async def tool(self, name, tool_input, asks):
        tool_use_id = f"toolu_{next(numbers)}"
        block = {"type": "tool_use", "id": tool_use_id, "name": name, "input": tool_input}
        await self.emit(AssistantMessage(f"msg_{next(numbers)}", [block]))
        await asyncio.sleep(PAUSE_S)
        is_error = False
        if asks:
            decision = await self.can_use_tool(name, tool_input, {"tool_use_id": tool_use_id})
            is_error = type(decision).__name__ == "PermissionResultDeny"
            if is_error and decision.interrupt:
                await self.emit(ResultMessage("interrupted"))
                raise asyncio.CancelledError
        result = {"type": "tool_result", "tool_use_id": tool_use_id, "content": "done", "is_error": is_error}
        await self.emit(UserMessage([result]))

    async def play(self, text):
        if "search" in text:
            await self.tool("Search", {"query": "time"}, False)
        if "delete" in text:
            await self.tool("Bash", {"command": "rm notes"}, True)
        if "trip" in text:
            question = {"question": "Where?", "header": "Place", "multiSelect": False, "options": [{"label": "Sea"}]}
            await self.tool("AskUserQuestion", {"questions": [question]}, True)
        if "million" in text:
            for number in range(10_000):
                await self.say([f"{number} "], 0.02)
        if "encyclopedia" in text:
            await self.say(["lorem ipsum " * 8000] * 64)
        if "countries" in text:
            await self.say([f"land {at} " for at in range(60)])
        await self.say(["Hello ", "there."])
        if FAULT != "ends no turn":
            await self.emit(ResultMessage())


# Names by which the bridge tells the kinds of messages, where the SDK's own classes are absent.
bridge._SDK_TYPES = {}


class Rewriting:
    """Changes responses on their way out, as a proxy or a middleware of the operator would."""

    def __init__(self, app):
        self.app = app
        self.deltas = 0

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        path, method = scope["path"], scope["method"]
        is_stream = path.endswith("/stream")

        async def rewritten(message):
            if message["type"] == "http.response.start":
                headers = dict(message["headers"])
                if is_stream and FAULT == "streams as text" and message["status"] == 200:
                    headers[b"content-type"] = b"text/plain"
                if path.endswith("/input") and FAULT == "answers 200 to inputs" and message["status"] == 204:
                    message = {**message, "status": 200}
                    headers[b"content-type"] = b"application/json"
                    headers[b"content-length"] = b"0"
                if path.endswith("/stream") and FAULT == "answers 410 to evicted cursors" and message["status"] == 412:
                    message = {**message, "status": 410}
                message = {**message, "headers": list(headers.items())}
            elif is_stream and message["type"] == "http.response.body":
                if FAULT == "loses a delta now and then" and b"event: message_delta" in message["body"]:
                    self.deltas += 1
                    if self.deltas % 50 == 0:
                        return
                if FAULT == "counts ids by two":
                    lines = message["body"].split(b"\n")
                    lines = [b"id: %d" % (2 * int(one[4:])) if one.startswith(b"id: ") else one for one in lines]
                    message = {**message, "body": b"\n".join(lines)}
                if FAULT == "sends no ids":
                    lines = [one for one in message["body"].split(b"\n") if not one.startswith(b"id: ")]
                    message = {**message, "body": b"\n".join(lines)}
                if FAULT == "keeps silent when idle" and message["body"].startswith(b":"):
                    return
            await send(message)

        await self.app(scope, receive, rewritten)


async def awake(self, after_seq=0):
    """The same subscription without the published server's own fault: it looks again before it sleeps."""
    if after_seq > 0 and self._buf and after_seq < self._oldest_seq() - 1:
        raise event_log.EvictedError("evicted")
    cursor = after_seq
    while True:
        waiter = asyncio.Event()
        self._waiters.append(waiter)
        for one in [one for one in self._buf if one.seq > cursor]:
            cursor = one.seq
            yield one
        if self._closed and cursor >= self.last_seq:
            return
        if self.last_seq <= cursor:
            await waiter.wait()


def plant():
    if FAULT:
        event_log.EventLog.subscribe = awake
    append = event_log.EventLog.append

    def changed(self, event, data):
        if FAULT == "names version 2" and event == "session_ready":
            data = {**data, "protocol_version": "2.0"}
        if FAULT == "omits is_error" and event == "tool_result":
            data = {key: value for key, value in data.items() if key != "is_error"}
        if FAULT == "names no tool" and event == "permission_request":
            data = {**data, "tool_name": ""}
        if FAULT == "forgets tool events" and event == "tool_use":
            return None
        if FAULT == "loses a delta before it counts" and event == "message_delta":
            self.lost = getattr(self, "lost", 0) + 1
            if self.lost % 50 == 0:
                return None
        if FAULT == "skips the final done" and event == "done":
            return None
        return append(self, event, data)

    event_log.EventLog.append = changed
    if FAULT == "holds ten events":
        init = event_log.EventLog.__init__
        event_log.EventLog.__init__ = lambda self, max_size=10: init(self, max_size)
    if FAULT == "repeats the last event on resume":
        subscribe = event_log.EventLog.subscribe
        event_log.EventLog.subscribe = lambda self, after_seq=0: subscribe(self, max(0, after_seq - 1))
    if FAULT == "takes every reply":
        session_module.Session.resolve_permission = lambda self, correlation_id, behavior, **more: (
            self.router.resolve(correlation_id, {"behavior": behavior, **more})
            if self.router.has_pending(correlation_id)
            else None
        )
    if FAULT == "denies when a reader leaves":
        # A side effect at disconnect: pending requests are dropped with the first stream that closes.
        subscribe = event_log.EventLog.subscribe

        async def leaving(self, after_seq=0):
            try:
                async for one in subscribe(self, after_seq):
                    yield one
            finally:
                for session in registries:
                    if session.event_log is self:
                        session.router.cancel_all()

        event_log.EventLog.subscribe = leaving


registries = []
start = session_module.Session.start


async def remembered(self):
    registries.append(self)
    await start(self)


session_module.Session.start = remembered


async def factory(config, can_use_tool):
    return Agent(can_use_tool)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    port = parser.parse_args().port
    plant()
    app = adapter.create_app(auth=AuthConfig(token="stranger"), sdk_factory=factory)
    uvicorn.run(Rewriting(app), port=port, log_level="error")
