"""Gives the wheel the tag of the platform whose native canvas it carries."""

from __future__ import annotations

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TagHook(BuildHookInterface[Any]):
    """Reads the tag from BACKLOT_WHEEL_PLATFORM, which ``build_wheel.py`` sets. Without it the wheel is pure."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        platform = os.environ.get("BACKLOT_WHEEL_PLATFORM")
        if platform is not None:
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"
