"""A control server for OSWorld's client, written from its routes: a form, a scrolled list and two windows in memory.

Programs run in this process with a small pyautogui that acts on the form. As in GTK, the first and last pixels of an
entry are padding. FAULT in the environment plants one fault of faults.ts.
"""

import argparse
import collections
import contextlib
import io
import os
import platform
import struct
import sys
import threading
import time
import traceback
import types
import zlib
from xml.sax.saxutils import quoteattr

from flask import Flask, Response, jsonify, request

FAULT = os.environ.get("FAULT", "")
WIDTH, HEIGHT = 1280, 720
PADDING = 8
LETTER = 8
app = Flask(__name__)
lock = threading.RLock()


Size = collections.namedtuple("Size", "width height")
Point = collections.namedtuple("Point", "x y")


class Desk:
    def __init__(self):
        self.pointer = [100, 100]
        self.text, self.caret, self.anchor = "", 0, 0
        self.focus, self.checked, self.menu = None, False, False
        self.held, self.button = set(), False
        self.scroll = [0, 0]
        self.clipboard = ""
        self.active = "Form"

    field = (200, 120, 300, 36)
    toggle = (200, 180, 160, 30)
    area = (200, 300, 400, 300)

    def item(self):
        return (260 - self.scroll[0], 340 - self.scroll[1], 120, 20)


desk = Desk()


def inside(box):
    x, y, width, height = box
    return x <= desk.pointer[0] < x + width and y <= desk.pointer[1] < y + height


def letter_at(x):
    return max(0, min(len(desk.text), round((x - desk.field[0] - PADDING) / LETTER)))


def in_text():
    x, _, width, _ = desk.field
    return inside(desk.field) and x + PADDING <= desk.pointer[0] < x + width - PADDING


def replace(new):
    start, end = sorted((desk.caret, desk.anchor))
    desk.text = desk.text[:start] + new + desk.text[end:]
    desk.caret = desk.anchor = start + len(new)


class Pointer(types.ModuleType):
    FAILSAFE, PAUSE = True, 0

    def __getattr__(self, name):
        if name.startswith("ease"):
            return lambda n: n
        raise AttributeError(f"module 'pyautogui' has no attribute '{name}'")

    def size(self):
        return Size(WIDTH, HEIGHT)

    def position(self):
        return Point(*desk.pointer)

    def moveTo(self, x=None, y=None, duration=0.0, tween=None, **more):
        desk.pointer = [int(x), int(y)]
        if FAULT == "moves one pixel too far":
            desk.pointer[0] += 1
        if desk.button and desk.focus == "field":
            desk.caret = letter_at(desk.pointer[0])

    def mouseDown(self, x=None, y=None, button="left", **more):
        if x is not None:
            self.moveTo(x, y)
        desk.menu = False
        if in_text():
            desk.focus, desk.button = "field", True
            desk.caret = desk.anchor = letter_at(desk.pointer[0])
        elif not inside(desk.field):
            desk.focus = None

    def mouseUp(self, x=None, y=None, button="left", **more):
        if x is not None:
            self.moveTo(x, y)
        desk.button = False

    def click(self, x=None, y=None, clicks=1, interval=0.0, button="left", **more):
        if x is not None:
            self.moveTo(x, y)
        self.clicks = getattr(self, "clicks", 0) + 1
        if FAULT == "loses every fiftieth click" and self.clicks % 50 == 0:
            return
        if FAULT == "clicks beside the point":
            desk.pointer[1] += 60
        self.mouseDown()
        self.mouseUp()
        if button == "right" and FAULT != "has no context menu":
            desk.menu = inside(desk.field)
        elif button == "left" and inside(desk.toggle):
            desk.checked = not desk.checked
        if clicks >= 2 and in_text():
            start = desk.text.rfind(" ", 0, desk.caret) + 1
            end = desk.text.find(" ", desk.caret)
            desk.anchor, desk.caret = start, len(desk.text) if end < 0 else end
        if clicks >= 3 and in_text():
            desk.anchor, desk.caret = 0, len(desk.text)

    def rightClick(self, x=None, y=None, **more):
        self.click(x, y, button="right")

    def middleClick(self, x=None, y=None, **more):
        self.click(x, y, button="middle")

    def doubleClick(self, x=None, y=None, **more):
        self.click(x, y, clicks=1 if FAULT == "clicks once for a double click" else 2)

    def tripleClick(self, x=None, y=None, **more):
        self.click(x, y, clicks=3)

    def dragTo(self, x=None, y=None, duration=0.0, **more):
        self.mouseDown()
        if FAULT != "drags nothing":
            self.moveTo(x, y)
        self.mouseUp()

    def vscroll(self, clicks, **more):
        desk.scroll[1] = max(0, min(400, desk.scroll[1] - int(clicks) * 15))

    scroll = vscroll

    def hscroll(self, clicks, **more):
        desk.scroll[0] = max(0, min(400, desk.scroll[0] + int(clicks) * 15))

    def write(self, message, interval=0.0, **more):
        for letter in message:
            if letter == "\n":
                continue
            if FAULT == "drops every fiftieth letter":
                self.letters = getattr(self, "letters", 0) + 1
                if self.letters % 50 == 0:
                    continue
            if desk.focus == "field":
                replace(letter)

    typewrite = write

    def press(self, keys, presses=1, interval=0.0, **more):
        for _ in range(presses):
            for key in [keys] if isinstance(keys, str) else keys:
                self.key(key)

    def key(self, key):
        if "ctrl" in desk.held:
            if key == "a":
                desk.anchor, desk.caret = 0, len(desk.text)
            if key == "v":
                replace(desk.clipboard)
            return
        if key == "escape":
            desk.menu = False
        if desk.focus != "field":
            return
        moves = {"left": desk.caret - 1, "right": desk.caret + 1, "home": 0, "end": len(desk.text)}
        if key in moves:
            desk.caret = max(0, min(len(desk.text), moves[key]))
            if "shift" not in desk.held:
                desk.anchor = desk.caret
        elif key == "backspace":
            if desk.caret == desk.anchor and desk.caret > 0:
                desk.anchor = desk.caret - 1
            replace("")
        elif key == "space":
            replace(" ")
        elif len(key) == 1:
            replace("<" if key == "," and "shift" in desk.held else key)

    def keyDown(self, key, **more):
        if key in ("shift", "ctrl", "alt"):
            desk.held.add(key)
        else:
            self.key(key)

    def keyUp(self, key, **more):
        desk.held.discard(key)

    def hotkey(self, *keys, **more):
        for key in keys:
            self.keyDown(key)
        for key in reversed(keys):
            self.keyUp(key)


clipboard = types.ModuleType("pyperclip")
clipboard.copy = lambda text: setattr(desk, "clipboard", text)
clipboard.paste = lambda: desk.clipboard
sys.modules["pyautogui"], sys.modules["pyperclip"] = Pointer("pyautogui"), clipboard


def run_program(code):
    output = io.StringIO()
    error, status = "", 0
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
        except SystemExit as end:
            status = end.code or 0
        except BaseException:
            error, status = traceback.format_exc(), 1
    if FAULT == "succeeds always":
        error, status = "", 0
    return output.getvalue(), error, status


@app.post("/execute")
@app.post("/setup/execute")
def execute():
    command = (request.get_json(silent=True) or {}).get("command")
    if not command:
        return jsonify(status="error", message="no command"), 500
    if isinstance(command, list) and command[:2] == ["python", "-c"]:
        with lock:
            output, error, status = run_program(command[2])
    else:
        import subprocess

        shell = bool(request.get_json().get("shell"))
        try:
            done = subprocess.run(command, shell=shell, capture_output=True, text=True, timeout=110)
        except Exception as failure:
            return jsonify(status="error", message=str(failure)), 500
        output, error, status = done.stdout, done.stderr, done.returncode
    answer = {"status": "success", "output": output, "error": error, "returncode": status}
    if FAULT == "calls the returncode return_code":
        answer["return_code"] = answer.pop("returncode")
    return jsonify(answer)


@app.after_request
def hang_up(answer):
    if request.headers.get("Connection") == "close":
        if FAULT == "releases the button when a connection closes":
            desk.button = False
        if FAULT == "releases keys when a connection closes":
            desk.held.clear()
    return answer


@app.post("/execute_with_verification")
@app.post("/setup/execute_with_verification")
def verify():
    answer = execute()
    if isinstance(answer, tuple):
        return answer
    return jsonify(**answer.get_json(), verification="passed", wait_time=0.0)


def png():
    rows = b"".join(b"\0" + bytes((desk.pointer[0] % 256, y % 256, 90)) * WIDTH for y in range(HEIGHT))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


@app.get("/screenshot")
def screenshot():
    return Response(png(), mimetype="image/jpeg" if FAULT == "calls pictures JPEG" else "image/png")


@app.get("/platform")
def system():
    return Response(platform.system(), mimetype="text/html")


@app.post("/screen_size")
def size():
    width = WIDTH + 1 if FAULT == "reports one pixel too many" else WIDTH
    return jsonify(width=width, height=HEIGHT)


@app.get("/cursor_position")
def position():
    if FAULT == "reports a pointer that never moves":
        return jsonify([100, 100])
    return jsonify(desk.pointer)


@app.get("/terminal")
def terminal():
    return jsonify(output=None, status="success")


def node(tag, name, box, states="", text="", inner=""):
    blank = "" if FAULT == "writes tuples without a blank" else " "
    x, y, width, height = box
    marks = "".join(f' st:{state}="true"' for state in f"{states} visible showing enabled".split())
    place = f' cp:screencoord="({x},{blank}{y})" cp:size="({width},{blank}{height})"'
    shown = quoteattr(text)[1:-1].replace("&quot;", '"')
    return f"<{tag} name={quoteattr(name)}{marks}{place}>{shown}{inner}</{tag}>"


@app.get("/accessibility")
def accessibility():
    base = "https://accessibility.ubuntu.example.org/ns/"
    spaces = {"st": "state", "attr": "attributes", "cp": "component", "txt": "text", "val": "value", "act": "action"}
    declared = "".join(f' xmlns:{key}="{base}{value}"' for key, value in spaces.items())
    focused = "focused" if desk.focus == "field" else ""
    if FAULT == "never focuses":
        focused = ""
    checked = "checked" if desk.checked else ""
    with lock:
        parts = [
            node("entry", "Ship", desk.field, f"{focused} editable", desk.text),
            node("check-box", "Moored", desk.toggle, f"{checked} checkable"),
            node("label", "Berth 22", desk.item()),
        ]
        if desk.menu:
            parts += [node("menu-item", word, (300, 150 + 20 * at, 80, 20)) for at, word in enumerate(("Cut", "Paste"))]
    children = "".join(parts)
    if FAULT == "shows a row of one element too many":
        children += node("panel", "", desk.area, inner=node("label", "", desk.area) * 1025)
    if FAULT == "nests one level too deep":
        # The desktop, its program and the frame are the levels above.
        for _ in range(48):
            children = node("panel", "", desk.area, inner=children)
    frame = node("frame", "Form", (150, 60, 600, 600), "active", "", children)
    program = node("application", "form", (150, 60, 600, 600), "", "", frame)
    return jsonify(AT=f"<desktop-frame{declared}>{program}</desktop-frame>")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    app.run(port=parser.parse_args().port, threaded=FAULT != "answers one request after another")
