"""An MCP server of one tool with the SDK for Python, on standard input and output."""

from mcp.server.mcpserver import MCPServer

server = MCPServer("stranger")


@server.tool()
def list_windows() -> dict:
    """Lists the windows of the desktop."""
    return {"ok": True, "success": True, "count": 0, "is_mock": True, "windows": []}


if __name__ == "__main__":
    server.run()
