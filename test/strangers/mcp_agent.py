"""An agent over the MCP client of the SDK for Python: it looks, presses the button of its goal, and looks again."""

import asyncio
import json
import os
import re
import shlex
import sys

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


async def main():
    command, *args = shlex.split(os.environ["BACKLOT_URL"])
    button, title = re.findall(r'"([^"]+)"', os.environ["BACKLOT_TEXT"])
    server = stdio_client(StdioServerParameters(command=command, args=args))
    async with Client(server, mode=sys.argv[1]) as client:
        await client.list_tools()

        async def call(name, **given):
            result = await client.call_tool(name, given)
            return json.loads(result.content[0].text)

        windows = (await call("list_windows"))["windows"]
        uid = next(one["window_uid"] for one in windows if one["title"] == title)
        await call("get_window_structure", window_uid=uid)
        await call("click_element", window_uid=uid, selector=f'Button[name="{button}"]')
        await call("get_window_structure", window_uid=uid)


asyncio.run(main())
