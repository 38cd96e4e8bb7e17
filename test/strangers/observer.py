"""A part of the observer's document with FastAPI: windows, trees, elements, actions and scenarios, in memory.

Like many a first version it plays any scenario that it can read, and fails at those that it cannot show. FAULT in the
environment plants one fault of faults.ts.
"""

import argparse
import hashlib
import json
import os
import re
import time

import uvicorn
import yaml
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

FAULT = os.environ.get("FAULT", "")
STATUS = {"ElementNotFound": 404, "ElementDisabled": 409, "WindowGone": 404, "BadRequest": 400, "ScenarioInvalid": 400}
app = FastAPI()
started = time.monotonic()


class Desk:
    scenario, state, steps, acted = {}, "", 0, None
    values, focus, order = {}, None, []


desk = Desk()


class Refused(Exception):
    def __init__(self, code, message):
        self.code, self.message = code, message


@app.exception_handler(Refused)
async def refuse(_, refused):
    error = {"code": refused.code, "message": refused.message, "recoverable": True}
    error |= {"suggested_next_tool": "list_windows", "context": {}}
    status = 200 if FAULT == "answers 200 to errors" else STATUS[refused.code]
    return JSONResponse({"ok": False, "success": False, "error": error}, status)


def success(**fields):
    return {"ok": True, "success": True, **fields}


def windows():
    return desk.scenario["states"][desk.state]["windows"]


def load(path):
    try:
        with open(path) as file:
            desk.scenario = yaml.safe_load(file)
        desk.state = desk.scenario["initial_state"]
    except (OSError, yaml.YAMLError, KeyError, TypeError) as error:
        raise Refused("ScenarioInvalid", str(error)) from error
    desk.values, desk.focus, desk.acted = {}, None, None


def build(raw, place):
    name = raw.get("name", "")
    node = {
        "id": place,
        "name": name,
        "role": raw["role"],
        "value": desk.values.get(raw.get("id", place), raw.get("value")),
        "bounds": raw.get("bounds", {"x": 0, "y": 0, "width": 0, "height": 0}),
        "enabled": raw.get("enabled", True),
        "focused": desk.focus == place,
        "keyboard_shortcut": raw.get("keyboard_shortcut"),
        "description": raw.get("description"),
        "key": raw.get("id"),
        "children": [build(child, f"{place}.{at}") for at, child in enumerate(raw.get("children", []))],
    }
    if FAULT == "omits enabled":
        del node["enabled"]
    return node


def walk(node):
    yield node
    for child in node["children"]:
        yield from walk(child)


def shown(window):
    return build(window["tree"], f"{window['uid']}/0")


def digest(tree):
    if FAULT == "always has one hash":
        return "sha1:0"
    plain = [(one["role"], one["name"], one["value"], one["bounds"], one.get("enabled")) for one in walk(tree)]
    return "sha1:" + hashlib.sha1(json.dumps(plain, default=str).encode()).hexdigest()


def choose(query):
    found = windows()
    if query.get("window_uid"):
        found = [one for one in found if one["uid"] == query["window_uid"]]
    elif query.get("window_index") not in (None, ""):
        if not re.fullmatch(r"-?\d+", str(query["window_index"])):
            raise Refused("BadRequest", "window_index is not a number")
        at = int(query["window_index"])
        found = found[at : at + 1] if at >= 0 else []
    if not found:
        raise Refused("WindowGone", "there is no such window")
    return found[0]


def matches(step, node, at):
    role = re.match(r"\w+|\*", step)
    if role and role.group() not in ("*", node["role"]):
        return False
    for key, operator, value in re.findall(r'\[(\w+)(\*?=)"((?:\\.|[^"\\])*)"\]', step):
        own = str(node.get(key) or "")
        wanted = value.replace('\\"', '"').replace("\\\\", "\\")
        if (own != wanted) if operator == "=" else (wanted not in own):
            return False
    return True


def find(tree, query):
    if query.get("element_id"):
        found = [one for one in walk(tree) if one["id"] == query["element_id"]]
    else:
        selector = query.get("selector") or ""
        steps = [one for one in re.split(r"/(?![^\[]*\])", selector) if one]
        if not steps:
            raise Refused("BadRequest", "a selector or an element_id is missing")
        found = [one for one in walk(tree) if matches(steps[0], one, 0)]
        for step in steps[1:]:
            found = [child for one in found for child in one["children"] if matches(step, child, 0)]
    if not found:
        raise Refused("ElementNotFound", "nothing fits")
    return found


def holds(condition):
    for window in windows():
        for one in walk(shown(window)):
            if one["key"] == condition["id"]:
                return bool(one["value"]) if condition.get("value_not_empty") else one["value"] == condition.get("value")
    return False


def react(tool, key, text=""):
    for reaction in desk.scenario.get("reactions", []):
        cause = reaction.get("on") or reaction.get("match") or reaction.get(True)
        group = re.search(cause.get("text_regex", ""), text)
        if cause["tool"] != tool or cause.get("target_id", key) != key or not group:
            continue
        if not all(holds(one) for one in reaction.get("when", [])):
            continue
        for one in reaction.get("set", []):
            said = group.group(1) if group.groups() else text
            desk.values[one["id"]] = one["value"].replace("{text}", said)
        desk.state = reaction.get("transition_to", desk.state)
        return


async def body_of(request):
    try:
        body = await request.json()
    except ValueError as error:
        raise Refused("BadRequest", "the body is not JSON") from error
    if not isinstance(body, dict):
        raise Refused("BadRequest", "the body is not an object")
    return body


@app.get("/api/healthz")
def healthz():
    return success(uptime_s=time.monotonic() - started, step_count=desk.steps, adapter="StrangerAdapter", version="0.1")


@app.get("/api/capabilities")
def capabilities():
    names = "accessibility_tree uia_invoke occlusion_detection drag ocr vlm redaction scenarios tracing replay image_blur"
    supports = {name: name in ("accessibility_tree", "scenarios") for name in names.split()}
    config = {"tree_max_depth": 64, "ascii_grid": {"width": 72, "height": 24}}
    about = {"platform": "Linux", "adapter": "StrangerAdapter", "version": "0.1", "protocol_version": 2}
    return success(**about, supports=supports, config=config)


@app.get("/api/windows")
def list_windows():
    first = 1 if FAULT == "counts windows from 1" else 0
    listed = [
        {
            "index": at + first,
            "handle": str(1000 + at),
            "title": one["title"],
            "process": one.get("process", ""),
            "pid": str(one.get("pid", 1)) if FAULT == "writes pids as text" else one.get("pid", 1),
            "bounds": one["bounds"],
            "focused": at == 0 or FAULT == "focuses every window",
            "window_uid": one["uid"],
        }
        for at, one in enumerate(windows())
    ]
    count = len(listed) + 1 if FAULT == "counts one window too many" else len(listed)
    return success(count=count, is_mock=True, windows=listed)


@app.get("/api/structure")
def structure(request: Request):
    window = choose(request.query_params)
    tree = shown(window)
    count = sum(1 for _ in walk(tree))
    total = 17 if FAULT == "always counts seventeen elements" else count
    more = {"tree_hash": digest(tree), "tree_token": None, "truncated": False, "next_cursor": None}
    about = {"window": window["title"], "window_uid": window["uid"], "element_count": total, "node_count": count}
    return success(**about, tree=tree, **more)


@app.get("/api/find_element")
def find_element(request: Request):
    window = choose(request.query_params)
    found = find(shown(window), request.query_params)
    listed = [{"element_id": one["id"], **{key: one[key] for key in ("bounds", "name", "role")}} for one in found]
    about = {"window_uid": window["uid"], "selector": request.query_params.get("selector") or found[0]["role"]}
    count = len(found) + 1 if FAULT == "counts one match too many" else len(found)
    bounds = window["bounds"] if FAULT == "places every match at its window" else found[0]["bounds"]
    return success(**about, element_id=found[0]["id"], bounds=bounds, ambiguous_matches=count, all_matches=listed)


@app.post("/api/element/{act}")
async def element(act: str, request: Request):
    begun = time.monotonic()
    if act not in "click focus invoke set_value select right_click double_click key clear_text".split():
        return JSONResponse({"error": "there is no such action"}, 404)
    body = await body_of(request)
    window = choose(body)
    tree = shown(window)
    target = find(tree, body)[0]
    if not target.get("enabled", True):
        raise Refused("ElementDisabled", f"{target['name']} is disabled")
    before, uids = digest(tree), {one["uid"] for one in windows()}
    dry_run = bool(body.get("dry_run")) and FAULT != "acts in a dry run"
    desk.steps += 1
    if not dry_run:
        if FAULT != "focuses nothing":
            desk.focus = target["id"]
        if act == "set_value":
            desk.values[target["key"] or target["id"]] = body.get("value")
        else:
            react("click_element", target["key"])
    front = [one for one in windows() if one["uid"] == window["uid"]] or windows()[:1]
    after = digest(shown(front[0]))
    changed = True if FAULT == "always reports a change" else before != after and not dry_run
    dialogs = [{"window_uid": one["uid"], "title": one["title"]} for one in windows() if one["uid"] not in uids]
    side = {"focused_selector": target["role"]}
    place = {"window_uid": window["uid"], "element_id": target["id"], "selector": target["role"]}
    return success(
        step_id=desk.steps,
        caused_by_step_id=desk.steps,
        action={"set_value": "set_value", "focus": "focus_element"}.get(act, "click_element"),
        dry_run=bool(body.get("dry_run")),
        target={**place, "bounds": target["bounds"]},
        before={"tree_hash": before, **side},
        after={"tree_hash": after, **side},
        changed=changed,
        new_dialogs=dialogs,
        duration_ms=(time.monotonic() - begun) * 1000,
    )


@app.post("/api/action")
async def action(request: Request):
    body = await body_of(request)
    act = body.get("action")
    if act not in ("click_at", "type", "key", "scroll"):
        raise Refused("BadRequest", f"there is no action {act}")
    desk.steps += 1
    if act == "type" and desk.focus:
        text = str(body.get("value", ""))
        text = text[:-1] if FAULT == "types all but the last letter" else text
        for window in windows():
            for one in walk(shown(window)):
                if one["id"] == desk.focus:
                    react("type_text", one["key"], text)
    return success(action=act)


@app.get("/api/description")
def description(request: Request):
    window = choose(request.query_params)
    nodes = list(walk(shown(window)))
    lines = [f"Application: {window.get('process', '')}", f"Window: {window['title']}"]
    lines += [f'{one["role"]} "{one["name"]}" {one["value"] or ""}' for one in nodes]
    text = "\n".join([*lines, f"[{len(nodes)} elements total]"])
    more = {} if FAULT == "has no description" else {"description": text}
    mode = "accessibility" if FAULT == "describes in another mode" else "combined"
    return {"mode": mode, "effective_mode": "combined", "accessibility": text, **more}


@app.post("/api/scenario/load")
async def load_scenario(request: Request):
    body = await body_of(request)
    if FAULT == "loads a scenario once" and desk.scenario.get("name") == "desk" and "desk" in str(body.get("path")):
        return success(scenario="desk", state=desk.state, states=list(desk.scenario["states"]))
    load(str(body.get("path")))
    return success(scenario=desk.scenario.get("name", ""), state=desk.state, states=list(desk.scenario["states"]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--scenario", required=True)
    given = parser.parse_args()
    load(given.scenario)
    uvicorn.run(app, port=given.port, log_level="error")
