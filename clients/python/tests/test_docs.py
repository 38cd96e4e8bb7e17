"""The programs in the documentation run as printed."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

ROOT = Path(__file__).parents[3]
PAGES = ("clients/python/README.md", "docs/python.md", "docs/gymnasium.md", "docs/harnesses.md", "docs/scaling.md")
#: Libraries of the heavy suite.
LARGE = ("hud", "ray", "verifiers")


def library_of(program: str) -> str | None:
    """The library of the heavy suite that a program needs."""
    return next((name for name in LARGE if f"backlot.harnesses.{name} " in program), None)


def programs_of(page: str) -> Iterator[ParameterSet]:
    text = (ROOT / page).read_text()
    for number, program in enumerate(re.findall(r"^```python\n(.*?)^```", text, re.M | re.S), 1):
        library = library_of(program)
        marks = [pytest.mark.heavy] if library else []
        yield pytest.param(program, id=f"{page}-{number}{'-' + library if library else ''}", marks=marks)


@pytest.mark.parametrize("program", [program for page in PAGES for program in programs_of(page)])
def test_program(program: str, tmp_path: Path) -> None:
    library = library_of(program)
    if library:
        pytest.importorskip(library, reason="it is in another environment")
    assert program.count("\n") <= 60
    (tmp_path / "test_program.py").write_text(program)
    is_test = "\ndef test_" in program
    runner = ["-m", "pytest", "-q", "-p", "backlot.pytest_plugin"] if is_test else []
    command = [sys.executable, *runner, "test_program.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
