"""An agent over the MCP client of the SDK for Python: it looks, presses the button of its goal, and looks again."""

import asyncio
import json
import os
import re
import shlex

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main():
    command, *args = shlex.split(os.environ["BACKLOT_URL"])
    button, title = re.findall(r'"([^"]+)"', os.environ["BACKLOT_TEXT"])
    async with stdio_client(StdioServerParameters(command=command, args=args)) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            await session.list_tools()

            async def call(name, **given):
                result = await session.call_tool(name, given)
                return json.loads(result.content[0].text)

            windows = (await call("list_windows"))["windows"]
            uid = next(one["window_uid"] for one in windows if one["title"] == title)
            await call("get_window_structure", window_uid=uid)
            await call("click_element", window_uid=uid, selector=f'Button[name="{button}"]')
            await call("get_window_structure", window_uid=uid)


asyncio.run(main())
