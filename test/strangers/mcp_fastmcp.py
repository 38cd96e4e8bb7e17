"""An MCP server of two tools with fastmcp, on standard input and output."""

from fastmcp import FastMCP

server = FastMCP("stranger")


@server.tool
def list_windows() -> dict:
    """Lists the windows of the desktop."""
    return {"ok": True, "success": True, "count": 0, "is_mock": True, "windows": []}


@server.tool
def get_capabilities() -> dict:
    """Lists what this server supports."""
    return {"ok": True, "success": True, "platform": "Linux", "supports": {}}


if __name__ == "__main__":
    server.run(show_banner=False)
