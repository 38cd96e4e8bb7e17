"""Generates ``src/backlot/_tools.py`` from the OpenAPI document of the observer.

Run ``python generate.py`` after ``npm run reference``. A test compares the file with what this script generates.
"""

from __future__ import annotations

import json
import keyword
import textwrap
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DOCUMENT = HERE / "../../docs/reference/observer.openapi.json"
TARGET = HERE / "src/backlot/_tools.py"

Schema = dict[str, Any]

HEADER = '''"""The tools of a desktop as typed methods. Do not edit: ``generate.py`` writes this file."""

from __future__ import annotations

import builtins
from abc import ABC, abstractmethod
from typing import Any, Literal, NotRequired, TypedDict, cast

from backlot.errors import ToolError
'''


def camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.replace("-", "_").split("_"))


class Types:
    """The TypedDicts of one document. Equal shapes share one."""

    def __init__(self, named: dict[str, Schema]) -> None:
        self.named = named
        self.by_shape: dict[str, str] = {}
        self.definitions: dict[str, str] = {}

    def of(self, schema: Schema, name: str, owner: str) -> str:
        """The Python type of a schema. A new TypedDict is called ``name``, or if that is taken ``owner + name``."""
        if "$ref" in schema:
            target = schema["$ref"].split("/")[-1]
            return self.typed_dict(self.named[target], target.rstrip("0123456789"), owner)
        if "const" in schema:
            return f"Literal[{json_literal(schema['const'])}]"
        if "enum" in schema:
            return f"Literal[{', '.join(json_literal(value) for value in schema['enum'])}]"
        for union in ("anyOf", "oneOf"):
            if union in schema:
                return unite([self.of(each, variant_name(each, name), owner) for each in schema[union]])
        kind = schema.get("type")
        if isinstance(kind, list):
            return unite([self.of({**schema, "type": each}, name, owner) for each in kind])
        if kind == "array":
            items = schema.get("items")
            return f"list[{self.of(items, singular(name), owner) if isinstance(items, dict) and items else 'Any'}]"
        if kind == "object":
            if schema.get("properties"):
                return self.typed_dict(schema, name, owner)
            values = schema.get("additionalProperties")
            return f"dict[str, {self.of(values, name, owner) if isinstance(values, dict) and values else 'Any'}]"
        simple = {"string": "str", "boolean": "bool", "integer": "int", "number": "float", "null": "None"}
        return simple.get(str(kind), "Any")

    def typed_dict(self, schema: Schema, name: str, owner: str) -> str:
        shape = json.dumps(schema, sort_keys=True)
        if shape in self.by_shape:
            return self.by_shape[shape]
        name = "Place" if name == "From" else name
        free = name if name not in self.definitions else f"{owner}{name}"
        number = 2
        while free in self.definitions:
            free, number = f"{owner}{name}{number}", number + 1
        self.by_shape[shape] = free
        self.definitions[free] = ""
        required = set(schema.get("required", ()))
        properties: dict[str, Schema] = schema["properties"]
        rows = []
        for key, value in properties.items():
            type_ = self.of(value, camel(key), owner)
            rows.append((key, type_ if key in required else f"NotRequired[{type_}]", value.get("description")))
        if all(key.isidentifier() and not keyword.iskeyword(key) for key in properties):
            body = []
            for key, type_, about in rows:
                body.append(f"    {key}: {type_}")
                if about:
                    body += docstring(about, "    ")
            lines = [f"class {free}(TypedDict):", *body]
        else:
            fields = ", ".join(f"{json_literal(key)}: {json_literal(type_)}" for key, type_, _ in rows)
            lines = [f"{free} = TypedDict({json_literal(free)}, {{{fields}}})"]
        self.definitions[free] = "\n".join(lines)
        return free


def identifier(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def variant_name(schema: Schema, name: str) -> str:
    """The name of a member of a union: by its kind, if it says so."""
    properties = schema.get("properties", {})
    kind = properties.get("kind", properties.get("type", {})).get("const")
    return camel(kind) if isinstance(kind, str) else name


def singular(name: str) -> str:
    if name.endswith("ches"):
        return name[:-2]
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") and name != "Bounds" else name


def unite(types: list[str]) -> str:
    return " | ".join(dict.fromkeys(types))


def json_literal(value: Any) -> str:
    return repr(value) if not isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def docstring(text: str, indent: str, more: list[str] | None = None) -> list[str]:
    quoted = text.replace("\\", "\\\\")
    lines = textwrap.wrap(quoted, 112 - len(indent))
    if not more and len(lines) == 1:
        closing = ' """' if lines[0].endswith('"') else '"""'
        return [f'{indent}"""{lines[0]}{closing}']
    first = f'{indent}"""{lines[0]}'
    rest = [f"{indent}{line}" for line in lines[1:]]
    return [first, *rest, *(f"{indent}{line}".rstrip() for line in more or []), f'{indent}"""']


def sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def limits(schema: Schema) -> str:
    parts = [f"at least {schema['minimum']}"] if "minimum" in schema else []
    parts += [f"at most {schema['maximum']}"] if "maximum" in schema else []
    parts += [f"at least {schema['minItems']} items"] if "minItems" in schema else []
    parts += [f"at most {schema['maxItems']} items"] if "maxItems" in schema else []
    parts += [f"default {json.dumps(schema['default'], ensure_ascii=False)}"] if "default" in schema else []
    return f" ({', '.join(parts)})" if parts else ""


class Tool:
    """An operation of the document that calls one tool."""

    def __init__(self, operation: Schema, types: Types) -> None:
        self.name: str = operation["operationId"]
        self.summary: str = operation["summary"]
        self.is_for_harness = operation["tags"] == ["harness"]
        self.codes = [
            code
            for status, answer in operation["responses"].items()
            if not status.startswith("2")
            for code in answer["description"].removeprefix("The request is refused: ").rstrip(".").split(", ")
        ]
        owner = camel(self.name)
        body = operation.get("requestBody")
        schema: Schema = body["content"]["application/json"]["schema"] if body else parameters(operation)
        required = schema.get("required", [])
        self.arguments = [
            (name, types.of(value, camel(name), owner), name in required, value)
            for name, value in schema.get("properties", {}).items()
        ]
        self.arguments.sort(key=lambda argument: not argument[2])
        answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
        self.output = types.of(answer, f"{owner}Result", "")

    def method(self, is_async: bool) -> str:
        needed = [f"{identifier(name)}: {type_}" for name, type_, required, _ in self.arguments if required]
        optional = [
            f"{identifier(name)}: {unite([type_, 'None'])} = None"
            for name, type_, required, _ in self.arguments
            if not required
        ]
        given = ["self", *needed, *(["*", *optional] if optional else [])]
        prefix, wait = ("async def", "await ") if is_async else ("def", "")
        head = f"    {prefix} {self.name}({', '.join(given)}) -> {self.output}:"
        if len(head) > 120:
            head = "\n".join(
                [f"    {prefix} {self.name}(", *(f"        {one}," for one in given), f"    ) -> {self.output}:"]
            )
        sent = ", ".join(f"{json_literal(name)}: {identifier(name)}" for name, _, _, _ in self.arguments)
        call = f'        return cast({self.output}, {wait}self.call("{self.name}", {{{sent}}}))'
        if len(call) > 120:
            pairs = [f"            {json_literal(name)}: {identifier(name)}," for name, _, _, _ in self.arguments]
            call = "\n".join(
                [
                    "        args = {",
                    *pairs,
                    "        }",
                    f'        return cast({self.output}, {wait}self.call("{self.name}", args))',
                ]
            )
        return "\n".join([head, *docstring(self.summary, "        ", self.details()), call])

    def details(self) -> list[str]:
        lines: list[str] = []
        if self.is_for_harness:
            lines += ["", "For the harness: the program that runs and judges the agent."]
        if self.arguments:
            lines += ["", "Args:"]
            for name, _, _, schema in self.arguments:
                about = f"{schema.get('description', '').rstrip('.')}{limits(schema)}".strip() or "See the type"
                wrapped = textwrap.wrap(f"{identifier(name)}: {sentence(about)}".replace("\\", "\\\\"), 96)
                lines += [f"    {wrapped[0]}", *(f"        {line}" for line in wrapped[1:])]
        lines += ["", "Raises:"]
        lines += textwrap.wrap(
            f"ToolError: {', '.join(self.codes)}.", 100, initial_indent="    ", subsequent_indent="        "
        )
        return lines


def parameters(operation: Schema) -> Schema:
    """The parameters of a GET or DELETE as the schema of an object."""
    given = operation.get("parameters", [])
    properties = {
        each["name"]: {
            **(each.get("schema") or each["content"]["application/json"]["schema"]),
            **({"description": each["description"]} if "description" in each else {}),
        }
        for each in given
    }
    return {"properties": properties, "required": [each["name"] for each in given if each.get("required")]}


def render(document: dict[str, Any]) -> str:
    """The text of the generated module."""
    schemas = document["components"]["schemas"]
    types = Types(schemas)
    operations = [each for path in document["paths"].values() for each in path.values() if "operationId" in each]
    tools = [Tool(each, types) for each in sorted(operations, key=lambda each: str(each["operationId"]))]
    codes: list[str] = schemas["Problem"]["properties"]["code"]["enum"]
    errors = [error_class(code) for code in codes]
    table = "\n".join(f'    "{code}": {code}Error,' for code in codes)
    parts = [
        HEADER,
        *errors,
        f"ERRORS: dict[str, type[ToolError]] = {{\n{table}\n}}",
        *types.definitions.values(),
        tool_class("Tools", tools, is_async=False),
        tool_class("AsyncTools", tools, is_async=True),
        "TOOLS = (\n" + "\n".join(f'    "{tool.name}",' for tool in tools) + "\n)",
    ]
    return "\n\n\n".join(part.strip("\n") for part in parts) + "\n"


def error_class(code: str) -> str:
    # So that ``except TimeoutError`` catches it with or without an import.
    bases = "ToolError, builtins.TimeoutError" if code == "Timeout" else "ToolError"
    return f'class {code}Error({bases}):\n    """The error with the code ``{code}``."""'


def tool_class(name: str, tools: list[Tool], *, is_async: bool) -> str:
    prefix = "async def" if is_async else "def"
    about = "Every tool as a coroutine." if is_async else "Every tool as a method."
    call = "\n".join(
        [
            "    @abstractmethod",
            f"    {prefix} call(self, tool: str, args: dict[str, Any] | None = None) -> dict[str, Any]:",
            '        """Calls a tool by its name."""',
        ]
    )
    methods = "\n\n".join([call, *(tool.method(is_async) for tool in tools)])
    return f'class {name}(ABC):\n    """{about} Arguments that are None are not sent."""\n\n{methods}'


if __name__ == "__main__":
    TARGET.write_text(render(json.loads(DOCUMENT.read_text())))
