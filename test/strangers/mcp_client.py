"""Signs in with the client of the SDK for Python: over HTTP at an address, or with a command on standard input and output."""

import argparse
import asyncio
import json

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

ACTS = [
    ("click_element", {"selector": 'Edit "Username"'}),
    ("type_text", {"text": "alice"}),
    ("set_value", {"selector": 'Edit "Password"', "value": "secret"}),
    ("click_element", {"selector": 'Button "Login"'}),
]


async def sign_in(target, mode: str) -> dict:
    async with Client(target, mode=mode) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        for name, arguments in ACTS:
            result = await client.call_tool(name, arguments)
            assert not result.is_error, f"{name}: {result.content}"
        shown = await client.call_tool("get_screenshot", {})
        windows = await client.call_tool("list_windows", {})
        return {
            "revision": client.protocol_version,
            "tools": len(tools),
            "kinds": [part.type for part in shown.content],
            "title": windows.structured_content["windows"][0]["title"],
        }


parser = argparse.ArgumentParser()
parser.add_argument("--mode", default="auto")
parser.add_argument("--url")
parser.add_argument("command", nargs="*")
args = parser.parse_args()
program, *rest = args.command or [""]
target = args.url or stdio_client(StdioServerParameters(command=program, args=rest))
print(json.dumps(asyncio.run(sign_in(target, args.mode))))
