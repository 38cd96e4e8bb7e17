import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runWithMachine } from '../../../../test/support/protocols/osworld-machine.ts'

// Rules such as [PY5] are stated in README.md beside this file.

const MODULES = [
  ...['os', 'sys', 'subprocess', 'shutil', 'socket', 'ctypes', 'pathlib', 'importlib', 'builtins', 'io', 'pickle'],
  ...['requests', 'urllib.request', 'http.client', 'threading', 'multiprocessing', 'asyncio', 'signal', 'tempfile'],
  ...['glob', 're', 'json', 'random', 'inspect', 'code', 'pty', 'sqlite3', 'webbrowser', 'Xlib', 'gi', 'PIL', 'numpy'],
]
const FUNCTIONS = [
  ...['eval("1")', 'exec("1")', 'compile("1", "", "exec")', 'open("/etc/passwd")', '__import__("os")', 'input()'],
  ...['globals()', 'locals()', 'vars()', 'dir()', 'getattr(time, "sleep")', 'setattr(time, "sleep", 1)', 'type(1)'],
  ...['breakpoint()', 'exit()', 'quit()', 'help()', 'memoryview("a")', 'object()', 'super()', 'hash("a")', 'id(1)'],
  ...['iter([1])', 'map(print, [1])', 'sorted([1])', 'print.__self__', 'print.__globals__', '"".__class__'],
  ...['().__class__.__bases__[0].__subclasses__()', 'time.__dict__', 'time.__loader__', 'pyautogui.__builtins__'],
  ...[
    'pyautogui.sys',
    'pyautogui.subprocess',
    'pyautogui.os.system("ls")',
    'time.sleep.__globals__',
    '"{0.__class__}".format(1)',
  ],
  ...[
    '"a".constructor',
    '[].constructor',
    'time.constructor',
    '(1).toString()',
    '"a".__proto__',
    'toString',
    'constructor()',
  ],
  ...['hasOwnProperty("x")', '__proto__', 'process', 'require("fs")', 'globalThis', 'this', 'Function("1")'],
]
const STATEMENTS = [
  ...['def f(*a): pass', 'class A: pass', 'for i in [1]: x', 'while True: pass', 'if True: x', 'try: pass'],
  ...['with open("x") as f: pass', 'raise ValueError', 'assert False', 'del x', 'global x', 'return 1', 'yield 1'],
  ...['lambda: 1', '[i for i in x]', '{i for i in x}', '(i for i in x)', '(x := 1)', '@a', 'async def f(): pass'],
  ...[
    'await x',
    'x: int = 1',
    'a[0] = 1',
    'time.sleep = print',
    'pyautogui.click = print',
    'print = 1; print(2)',
    '!ls',
  ],
  ...[
    '`ls`',
    'import os; os.system("ls")',
    'from os import system',
    'exec "ls"',
    'print "a"',
    '$(ls)',
    '\u0000',
    'x = b"é"',
    'try: import os\nexcept ValueError: pass',
    'try: x\nexcept: import os',
    'try: import os\nexcept ImportError: os.system("ls")',
    'try: pass\nexcept* ValueError: pass',
    'ValueError.__subclasses__()',
    'try: x\nexcept NameError as e: e.__traceback__',
    'b"a".constructor',
    '{}.constructor',
    'ValueError("a").error',
  ],
]
const BOMBS = [
  '"a" * 10**9',
  '[0] * 10**9',
  '10 ** 400',
  'range(10**12)',
  `${'('.repeat(100_000)}`,
  `${'['.repeat(500)}${']'.repeat(500)}`,
  `${'-'.repeat(100_000)}1`,
  `${'not '.repeat(50_000)}1`,
  `x${'.a'.repeat(50_000)}`,
  `print${'()'.repeat(50_000)}`,
  `${'1+'.repeat(100_000)}x`,
  `a = [1]\n${'a = [a, a]\n'.repeat(200)}print(a)`,
  `a = [1]\nb = [1]\n${'a = [a, a]; b = [b, b]\n'.repeat(60)}a == b`,
  `a = "x" * 1000\n${'a = a + a\n'.repeat(60)}`,
  `print("x" * 900000)\n`.repeat(5),
  // Values that share parts, which are compared, copied or kept.
  'c = [0] * 49999 + [1]; c in [[0] * 50000] * 2000',
  'min([[0] * 49999 + [1], [0] * 50000] * 1000)',
  '"X" * 999999 + "A" in [("x" * 999999 + "b").upper()] * 10000',
  'max(["x" * 999999 + "a", "x" * 999999 + "b"] * 40000)',
  `a = [1]\nb = [1]\n${'a = [a]; b = [b]\n'.repeat(4000)}a == b`,
  `a = [1]\nb = [1]\n${'a = [a]; b = [b]\n'.repeat(4000)}a < b`,
  `b = "x" * 1000000\na = [${'b.upper(),'.repeat(8000)}]`,
  `b = "x" * 1000000\na = [${'list(b),'.repeat(8000)}]`,
  `b = "x " * 500000\na = [${'b.split(),'.repeat(8000)}]`,
  'while True:\n  try:\n    while True: pass\n  except: pass',
  `${'if 1:\n'.repeat(3)}x`,
  `${Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}if 1:\n`).join('')}${' '.repeat(200)}x`,
  `if 0: pass\n${'elif 0: pass\n'.repeat(5000)}`,
  '[0 for a in range(100000) for b in range(100000)]',
  'time.sleep(10**9)',
  'pyautogui.press("a", presses=10**9)',
  'pyautogui.click(1, 2, clicks=10**9)',
  'pyautogui.moveTo(1e999, 0)',
  `'${'\\x'.repeat(10)}'`,
  `f'${'{'.repeat(1001)}'`,
  `f"${'{f'.repeat(80)}'a'${'}'.repeat(80)}"`,
  'x'.repeat(1_000_000),
]

const REFUSED = [...MODULES.map((name) => `import ${name}`), ...FUNCTIONS, ...STATEMENTS, ...BOMBS]

describe('[PY5] [PY6] hostile programs', () => {
  it.each(REFUSED.map((source) => [source.slice(0, 60), source] as const))('refuses %j', async (_, source) => {
    const { result, calls } = await runWithMachine(source, 'import pyautogui, time, pyperclip\n')
    expect(result.returnCode).toBe(1)
    expect(result.error).toMatch(/\n[\w]+(: [^\n]*)?\n$/)
    expect(calls).toEqual([])
  })

  it('counts at least 100 programs', () => {
    expect(REFUSED.length).toBeGreaterThanOrEqual(100)
  })

  it('reaches nothing but the machine, and always ends with a result', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...FUNCTIONS,
        ...STATEMENTS,
        'pyautogui',
        '.click',
        '(1, 2)',
        '"',
        "'",
        '\n',
        ';',
        '=',
        '*',
        '{',
        '}',
      ),
      fc.string({ maxLength: 8 }),
    )
    const allowed = /^(move|down|up|click|drag|scroll|keydown|keyup|press|hotkey|type|wait|copy)\b/
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const { result, calls } = await runWithMachine(pieces.join(' '))
        expect(result.returnCode === 0).toBe(result.error === '')
        expect(calls.filter((call) => !allowed.test(call))).toEqual([])
      }),
      { numRuns: 1000, seed: 1 },
    )
  })
})
