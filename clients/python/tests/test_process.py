from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import backlot
from backlot import _process


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for_end(pid: int) -> bool:
    for _ in range(600):
        if not is_running(pid):
            return True
        time.sleep(0.05)
    return False


def test_close_ends_the_process() -> None:
    with backlot.launch("login", seed=3, variant={"theme": "dark"}) as server:
        [process] = server.processes
        info = server.desktop().oracles()
        assert (info["seed"], info["variant"]) == (3, {"theme": "dark"})
        desktop = server.open()
    assert not is_running(process.pid)
    # Its session ended with it.
    desktop.close()
    for use in (desktop.list_windows, server.open, server.sessions):
        with pytest.raises(backlot.ConnectionLostError, match="is closed; use desktops before"):
            use()


def test_the_server_ends_with_a_parent_that_is_killed() -> None:
    code = "import backlot, signal; s = backlot.launch(); print(s.processes[0].pid, flush=True); signal.pause()"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        parent.kill()
    assert wait_for_end(pid)


def test_a_call_to_a_killed_server_raises() -> None:
    with backlot.launch("login") as server:
        desktop = server.open()
        with desktop.socket() as socket:
            socket.call("get_pointer")
            os.kill(server.processes[0].pid, signal.SIGKILL)
            with pytest.raises(backlot.ConnectionLostError):
                socket.call("get_pointer")
        with pytest.raises(backlot.ConnectionLostError, match=server.url):
            desktop.list_windows()
        desktop.close()
        assert wait_for_end(server.processes[0].pid)
        assert not server.processes[0].is_running


def test_a_failed_start_says_what_the_server_printed() -> None:
    with pytest.raises(backlot.LaunchError, match="nowhere"):
        backlot.launch("nowhere")


def test_several_processes_share_the_desktops() -> None:
    with backlot.launch(processes=2) as server:
        desktops = [server.open("login") for _ in range(4)]
        assert sorted(desktop.url.split("/sessions")[0] for desktop in desktops) == sorted(server.urls * 2)
        assert len(server.sessions()) == 4
        for desktop in desktops:
            desktop.close()


def test_connect_takes_several_servers_and_gives_each_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_urlsafe", lambda _: "shared")
    with backlot.launch(processes=2) as server, backlot.connect(server.urls, "shared") as remote:
        desktops = [remote.open("login") for _ in range(4)]
        assert sorted(desktop.url.split("/sessions")[0] for desktop in desktops) == sorted(server.urls * 2)


def test_a_server_with_a_token_takes_no_client_without_it() -> None:
    with backlot.launch("login", arguments=["--token", "secret"]) as server:
        [token] = server.harness_tokens
        with backlot.connect(server.url, token) as stranger, pytest.raises(backlot.UnauthorizedError):
            stranger.open()
        with backlot.connect(server.url, token, bearer="secret") as client, client.open() as desktop:
            assert desktop.list_windows()["ok"]
            with desktop.socket() as socket:
                assert socket.call("get_pointer")["ok"]


def test_without_a_program_the_error_names_the_remedies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BACKLOT_PROGRAM", raising=False)
    monkeypatch.setattr(_process, "__file__", str(tmp_path / "a/b/c/d/e/_process.py"))
    with pytest.raises(backlot.LaunchError, match="npm run build"):
        _process.find_program()


def test_an_old_node_on_the_path_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\necho v18.20.0\n")
    node.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert _process.find_node() != str(node)
    node.write_text("#!/bin/sh\necho v20.19.0\n")
    assert _process.find_node() == str(node)


def test_the_module_is_the_command_line() -> None:
    command = [sys.executable, "-m", "backlot", "test", "login"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, "login" in ran.stdout) == (0, True)
