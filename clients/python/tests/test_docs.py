"""The programs in the documentation run as printed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = ("clients/python/README.md", "docs/python.md", "docs/gymnasium.md", "docs/harnesses.md")
PROGRAMS = [
    pytest.param(program, id=f"{page}-{number}")
    for page in PAGES
    for number, program in enumerate(re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S), 1)
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: str, tmp_path: Path) -> None:
    assert program.count("\n") <= 60
    (tmp_path / "test_program.py").write_text(program)
    is_test = "\ndef test_" in program
    runner = ["-m", "pytest", "-q", "-p", "backlot.pytest_plugin"] if is_test else []
    command = [sys.executable, *runner, "test_program.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
