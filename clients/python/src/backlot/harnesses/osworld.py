"""A provider for OSWorld (``desktop_env``): each of its machines is a Backlot server, which starts in a second.

``python -m backlot.harnesses.osworld run.py --provider_name docker …`` runs a program of an OSWorld checkout with it.
"""

from __future__ import annotations

import itertools
import re
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import desktop_env.providers
from desktop_env.providers.base import Provider, VMManager

from backlot.server import Server, launch

#: ``DesktopEnv`` accepts a fixed list of names. That of Docker is for machines that start clean, as ours do.
NAME = "docker"
_ADDRESS = re.compile(r"^\s+osworld\s+http://([\w.]+):(\d+)", re.MULTILINE)
#: VNC and VLC, which OSWorld's machines have and Backlot has not.
_OTHER_PORTS = "8006:8080"


class BacklotProvider(Provider):
    """Starts a server for each machine.

    Args:
        arguments: Further options of ``backlot serve``, such as ``["--root", "scenarios"]``.
    """

    def __init__(self, arguments: Sequence[str] = ()) -> None:
        super().__init__(None)
        self._arguments = [*("--protocols", "osworld,observer", "--osworld-port", "0"), *arguments]
        self._machines: dict[str, Server] = {}

    def start_emulator(self, path_to_vm: str, headless: bool = True, *_: Any) -> None:
        if path_to_vm not in self._machines:
            self._machines[path_to_vm] = launch(arguments=self._arguments)

    def get_ip_address(self, path_to_vm: str) -> str:
        """The address of the server, with the ports in the order that ``DesktopEnv`` expects."""
        found = _ADDRESS.search(self._machines[path_to_vm].processes[0].log)
        assert found is not None, "a server that listens has printed its address"
        # The tabs of a browser are at the same port: the second one is that of Chromium.
        return f"{found[1]}:{found[2]}:{found[2]}:{_OTHER_PORTS}"

    def stop_emulator(self, path_to_vm: str, *_: Any) -> None:
        server = self._machines.pop(path_to_vm, None)
        if server is not None:
            server.close()

    def revert_to_snapshot(self, path_to_vm: str, snapshot_name: str) -> str:
        """Does nothing: the set-up of each exported task selects a fresh scenario."""
        return path_to_vm

    def save_state(self, path_to_vm: str, snapshot_name: str) -> None:
        """Does nothing."""


class BacklotManager(VMManager):
    """Numbers machines. There is no registry to keep."""

    _numbers = itertools.count(1)

    def get_vm_path(self, **_: Any) -> str:
        return f"backlot-{next(self._numbers)}"

    def initialize_registry(self, **_: Any) -> None: ...
    def add_vm(self, vm_path: str, *_: Any, **__: Any) -> None: ...
    def delete_vm(self, vm_path: str, *_: Any, **__: Any) -> None: ...
    def occupy_vm(self, vm_path: str, *_: Any, **__: Any) -> None: ...
    def list_free_vms(self, **_: Any) -> None: ...
    def check_and_clean(self, **_: Any) -> None: ...


def install(name: str = NAME, arguments: Sequence[str] = ()) -> None:
    """Makes ``DesktopEnv(provider_name=name)`` start Backlot servers, in this process and those that it forks.

    Args:
        name: A name that ``DesktopEnv`` accepts. Its own provider is no longer reached.
        arguments: Further options of ``backlot serve``.
    """
    original = desktop_env.providers.create_vm_manager_and_provider

    def create(provider_name: str, region: str, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        if provider_name.lower().strip() == name:
            return BacklotManager(), BacklotProvider(arguments)
        made: tuple[Any, Any] = original(provider_name, region, *args, **kwargs)
        return made

    desktop_env.providers.create_vm_manager_and_provider = create
    # It keeps a name of its own, if it is imported already.
    loaded = sys.modules.get("desktop_env.desktop_env")
    if loaded is not None:
        loaded.create_vm_manager_and_provider = create  # type: ignore[attr-defined]


def main(words: Sequence[str]) -> None:
    """Runs a program with its arguments, under the provider."""
    if not words:
        raise SystemExit("usage: python -m backlot.harnesses.osworld PROGRAM [ARGUMENTS] --provider_name docker")
    install()
    sys.argv[:] = words
    sys.path.insert(0, str(Path(words[0]).resolve().parent))
    runpy.run_path(words[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
