import { describe, expect, it } from 'vitest'
import { runWithMachine } from '../../../../test/support/protocols/osworld-machine.ts'

// Rules such as [PY8] are stated in README.md beside this file.

/** What OSWorld's client sends before the code of an agent. */
const CLIENT = 'import pyautogui; import time; pyautogui.FAILSAFE = False; '

const INSTALL_CLIPBOARD = `
try:
    import pyperclip
except ImportError:
    import subprocess
    subprocess.run('sudo -S apt-get install -y xclip', shell=True, check=True)
    subprocess.check_call([subprocess.sys.executable, '-m', 'pip', 'install', 'pyperclip'])
    import pyperclip
`

/** Programs in the shapes that the action parsers of agents write, and the calls of the machine that they make. */
const AGENTS: readonly (readonly [shape: string, source: string, calls: string])[] = [
  [
    'text through the clipboard, with an installation of pyperclip',
    `import pyautogui; ${INSTALL_CLIPBOARD}\npyautogui.click(5, 6); pyautogui.hotkey('ctrl', 'a'); pyautogui.press('backspace'); pyperclip.copy('naïve'); pyautogui.hotkey('ctrl', 'v'); `,
    'click left 1 5,6; hotkey ctrl+a; press backspace 1; copy naïve; hotkey ctrl+v',
  ],
  [
    'text in base64',
    "import base64\nimport pyperclip\npyperclip.copy(base64.b64decode('bmHDr3Zl4oKs').decode('utf-8'))\npyautogui.hotkey('ctrl', 'v')\ntime.sleep(0.5)",
    'copy naïve€; hotkey ctrl+v; wait 500',
  ],
  [
    'a fallback when a call fails',
    "try:\n    pyautogui.press(5)\nexcept Exception as e:\n    print(f'failed: {e}')\n    pyautogui.press('enter')",
    'press enter 1',
  ],
  [
    'a fallback for a missing module',
    "try:\n    import uno\n    import os\nexcept ModuleNotFoundError:\n    pyautogui.write('x')\nelse:\n    pyautogui.write('y')\nfinally:\n    pyautogui.press('esc')",
    'type x; press esc 1',
  ],
  ['keys in a loop', "for key in ['ctrl', 'shift']:\n    pyautogui.keyDown(key)", 'keydown ctrl; keydown shift'],
  ['keys in a comprehension', "[pyautogui.keyUp(k) for k in ['shift', 'ctrl']]", 'keyup shift; keyup ctrl'],
  [
    'points in a loop',
    'for x, y in [(1, 2), (3, 4)]:\n    pyautogui.click(x, y)\n    time.sleep(0.1)',
    'click left 1 1,2; wait 100; click left 1 3,4; wait 100',
  ],
  ['a repeated key', 'for _ in range(3): pyautogui.press("down")', 'press down 1; press down 1; press down 1'],
  [
    'a held modifier that is always released',
    "pyautogui.keyDown('shift')\ntry:\n    pyautogui.click(1, 2)\nfinally:\n    pyautogui.keyUp('shift')",
    'keydown shift; click left 1 1,2; keyup shift',
  ],
  [
    'a choice by the platform',
    "import platform\nif platform.system() == 'Darwin':\n    pyautogui.hotkey('command', 'v')\nelse:\n    pyautogui.hotkey('ctrl', 'v')",
    'hotkey ctrl+v',
  ],
  [
    'a choice by the screen',
    'w, h = pyautogui.size()\nx = 100\nif 0 <= x < w and not h < 10:\n    pyautogui.moveTo(x, h // 2)\nelif w == 0:\n    pass',
    'move 100,400',
  ],
  ['a guard of the main program', 'if __name__ == "__main__":\n\tpyautogui.click(1, 2)', 'click left 1 1,2'],
  ['thoughts before the code', "'''\nThought: press\n'''\npyautogui.press('a')", 'press a 1'],
]

describe('[PY8] [PY9] [PY12] programs of agents', () => {
  it.each(AGENTS)('run %s', async (_, source, calls) => {
    const { result, calls: made } = await runWithMachine(source, `${CLIENT}import pyperclip\n`)
    expect({ ...result, output: '' }).toEqual({ output: '', error: '', returnCode: 0 })
    expect(made.join('; ')).toBe(calls)
  })

  it('[PY8] name the module that is missing, unless they handle it', async () => {
    for (const module of ['subprocess', 'os', 'uno', 'sys']) {
      const source = `import ${module}; import difflib;\nfor line in ${module}.x:\n    break`
      const { result } = await runWithMachine(source, '')
      expect(result.error.split('\n').at(-2)).toMatch(new RegExp(`^ModuleNotFoundError: No module named '${module}'`))
    }
  })

  it.each([
    ['try:\n  1/0\nexcept ValueError:\n  print("v")', 'ZeroDivisionError: division by zero', 2],
    ['try:\n  1/0\nfinally:\n  print("f")', 'ZeroDivisionError: division by zero', 2],
    ['try:\n  1/0\nexcept Exception:\n  raise RuntimeError("again")', 'RuntimeError: again', 4],
    ['try:\n  {}["k"]\nexcept KeyError:\n  raise', "KeyError: 'k'", 2],
    ['raise ValueError', 'ValueError', 1],
    ['raise 5', 'TypeError: exceptions must derive from BaseException', 1],
    ['raise', 'RuntimeError: No active exception to reraise', 1],
    ['for x in 5: pass', "TypeError: 'int' object is not iterable", 1],
    ['try: x\nexcept 5: pass', 'TypeError: catching classes that do not inherit from BaseException', 1],
    ['import base64\nbase64.b64decode("abc")', 'binascii.Error: Incorrect padding', 2],
    ['b"\\xff".decode()', "UnicodeDecodeError: 'utf-8' codec can't decode the bytes", 1],
    ['try:\n  pass\nprint(1)', "SyntaxError: expected 'except' or 'finally' block", 3],
    ['if True:\nprint(1)', 'IndentationError: expected an indented block', 2],
    ['if True:\n    print(1)\n  print(2)', 'IndentationError: unindent does not match any outer indentation level', 3],
    ['if True:\n\tif True:\n        print(2)', 'TabError: inconsistent use of tabs and spaces in indentation', 3],
    ['break', "SyntaxError: 'break' outside loop", 1],
    ['else: pass', 'SyntaxError: invalid syntax', 1],
    ['try: pass\nexcept: pass\nexcept ValueError: pass', "SyntaxError: default 'except:' must be last", 3],
  ])('[PY9] end %j with the error and line of Python', async (source, error, line) => {
    const { result, calls } = await runWithMachine(source, '')
    expect(result.returnCode).toBe(1)
    expect(result.error.split('\n').at(-2)).toContain(error)
    expect(result.error).toContain(`File "<string>", line ${line}`)
    expect(calls).toEqual([])
  })

  it.each([
    ['for i in [1, 2, 3, 4]:\n  if i == 2: continue\n  if i == 4: break\n  print(i)\nelse: print("no")', '1\n3\n'],
    ['x = 0\nwhile x < 2:\n  x += 1\nelse:\n  print(x)', '2\n'],
    ['for i in [1, 2]:\n  try:\n    if i == 1: continue\n  finally:\n    print(i)', '1\n2\n'],
    [
      'try:\n  {}["k"]\nexcept (ValueError, LookupError) as e:\n  print(e, repr(e), e.args)',
      "'k' KeyError(\"'k'\") (\"'k'\",)\n",
    ],
    ['x = 9\nprint([x * y for x in [1, 2] if x > 1 for y in (3, 4)], x)', '[6, 8] 9\n'],
    [
      'print({k: v for k, v in {"a": 1, "b": 2}.items() if v > 1}, {1, 1}, list(enumerate("a")))',
      "{'b': 2} {1} [(0, 'a')]\n",
    ],
    [
      'print(1 < 2 < 3, 1 < 3 < 2, sum(x for x in [1, 2]), any([0]), list(zip("a", [1])))',
      "True False 3 False [('a', 1)]\n",
    ],
    ['import platform as p; print(p.system(), p.machine(), p.uname().machine)', 'Linux x86_64 x86_64\n'],
    ['import base64; print(base64.b64encode("é".encode()), base64.b64decode(b"Y W I=").decode())', "b'w6k=' ab\n"],
    [
      'print(b"a\\xff", b"ab"[0], b"ab"[1:], len(b"ab"), b"\\xffa".decode("utf-8", errors="ignore"))',
      "b'a\\xff' 97 b'b' 2 a\n",
    ],
  ])('[PY9] [PY12] print as Python does: %j', async (source, output) => {
    expect((await runWithMachine(source, '')).result).toEqual({ output, error: '', returnCode: 0 })
  })

  it.each([
    'while True: pass',
    'while True:\n  try:\n    while True: pass\n  except Exception: pass',
    'for a in range(100000):\n  for b in range(100000): pass',
    '[0 for a in range(1000) for b in range(1000)]',
    'x = ["a" * 1000000]\nfor i in range(100000):\n  x = x + [x[0] + ""]',
    'x = {}\nfor i in range(90000):\n  x = {**x}',
    'x = [1]\nfor i in range(90000): x = [x, x]\nprint(x)',
    'for i in range(90000):\n  x = {k: k for k in range(1000)}',
  ])('[PY6] bound %j', async (source) => {
    const { result, calls } = await runWithMachine(source, '')
    expect(result).toEqual({ output: '', error: expect.stringMatching(/Error: /), returnCode: 1 })
    expect(calls).toEqual([])
  })
})
