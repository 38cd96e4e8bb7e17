from __future__ import annotations

from collections.abc import Iterator

import pytest

import backlot
from backlot import Desktop, Server

pytest_plugins = ["pytester"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--heavy", action="store_true", help="also run tests that take minutes or large packages")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--heavy"):
        kept = [item for item in items if item.get_closest_marker("heavy") is None]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests, which open desktops of their own."""
    with backlot.launch(cwd=str(tmp_path_factory.mktemp("server"))) as launched:
        yield launched


@pytest.fixture
def login(server: Server) -> Iterator[Desktop]:
    with server.open("login", seed=1) as desktop:
        yield desktop


def sign_in(desktop: Desktop) -> None:
    """Solves the scenario ``login`` with its first seed."""
    desktop.locator('Edit "Username"').type("alice")
    desktop.locator('Edit "Password"').type("correct horse")
    desktop.press("enter")
