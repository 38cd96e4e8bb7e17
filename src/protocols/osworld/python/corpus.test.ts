import { describe, expect, it } from 'vitest'
import { runWithMachine } from '../../../../test/support/protocols/osworld-machine.ts'

// Rules such as [PY1] are stated in README.md beside this file.

/** A program and the calls of the machine that it makes, without `pyautogui.` and in one line. */
const CALLS: readonly (readonly [source: string, calls: string])[] = [
  // The pointer
  ['pyautogui.moveTo(100, 200)', 'move 100,200'],
  ['pyautogui.moveTo(x=100, y=200)', 'move 100,200'],
  ['pyautogui.moveTo((100, 200))', 'move 100,200'],
  ['pyautogui.moveTo([100, 200])', 'move 100,200'],
  ['pyautogui.moveTo(100.9, 200.1)', 'move 100,200'],
  ['pyautogui.moveTo(100, 200, duration=0.5)', 'wait 500; move 100,200'],
  ['pyautogui.moveTo(100, 200, 0.5, pyautogui.easeInOutQuad)', 'wait 500; move 100,200'],
  ['pyautogui.moveTo(100, 200, 1, pyautogui.easeInQuad)', 'wait 1000; move 100,200'],
  ['pyautogui.moveTo(100, 200, tween=pyautogui.easeOutQuad, duration=2)', 'wait 2000; move 100,200'],
  ['pyautogui.moveTo(100, 200, _pause=False)', 'move 100,200'],
  ['pyautogui.moveTo(100, 200, logScreenshot=False)', 'move 100,200'],
  ['pyautogui.moveTo(None, 200)', 'move 10,200'],
  ['pyautogui.moveTo(100)', 'move 100,20'],
  ['pyautogui.moveTo()', ''],
  ['pyautogui.moveTo(-5, 5000)', 'move 0,799'],
  ['pyautogui.moveTo(9999, -1)', 'move 1279,0'],
  ['pyautogui.moveRel(5, -5)', 'move 15,15'],
  ['pyautogui.move(5, 5)', 'move 15,25'],
  ['pyautogui.move(xOffset=5)', 'move 15,20'],
  ['pyautogui.moveRel((5, 5), duration=0.25)', 'wait 250; move 15,25'],
  ['pyautogui.moveTo(2*50, 400/2)', 'move 100,200'],
  ['x, y = 100, 200\npyautogui.moveTo(x, y)', 'move 100,200'],
  ['pos = pyautogui.position()\npyautogui.moveTo(pos.x + 1, pos[1])', 'move 11,20'],
  ['x, y = pyautogui.position()\npyautogui.moveTo(x, y + 5)', 'move 10,25'],
  ['w, h = pyautogui.size()\npyautogui.moveTo(w / 2, h / 2)', 'move 640,400'],
  ['s = pyautogui.size(); pyautogui.moveTo(s.width // 2, s.height // 2)', 'move 640,400'],
  // Clicks
  ['pyautogui.click()', 'click left 1'],
  ['pyautogui.click(100, 200)', 'click left 1 100,200'],
  ['pyautogui.click(x=100, y=200)', 'click left 1 100,200'],
  ['pyautogui.click((100, 200))', 'click left 1 100,200'],
  ['pyautogui.click((90, 190, 20, 20))', 'click left 1 100,200'],
  ["pyautogui.click(100, 200, button='right')", 'click right 1 100,200'],
  ['pyautogui.click(100, 200, button="middle")', 'click middle 1 100,200'],
  ["pyautogui.click(button='primary', x=1, y=2)", 'click left 1 1,2'],
  ["pyautogui.click(100, 200, button='secondary')", 'click right 1 100,200'],
  ["pyautogui.click(100, 200, button='LEFT')", 'click left 1 100,200'],
  ['pyautogui.click(100, 200, button=3)', 'click right 1 100,200'],
  ['pyautogui.click(100, 200, button=pyautogui.RIGHT)', 'click right 1 100,200'],
  ['pyautogui.click(100, 200, clicks=2)', 'click left 2 100,200'],
  ['pyautogui.click(100, 200, 3)', 'click left 3 100,200'],
  ['pyautogui.click(100, 200, clicks=0)', 'move 100,200'],
  ['pyautogui.click(100, 200, clicks=5)', 'click left 3 100,200; click left 2 100,200'],
  [
    'pyautogui.click(100, 200, clicks=2, interval=0.25)',
    'down left 100,200; up left 100,200; wait 250; down left 100,200; up left 100,200; wait 250',
  ],
  ['pyautogui.click(100, 200, 2, 0, "left")', 'click left 2 100,200'],
  ['pyautogui.click(100, 200, duration=1.5)', 'wait 1500; click left 1 100,200'],
  ['pyautogui.leftClick(100, 200)', 'click left 1 100,200'],
  ['pyautogui.rightClick(100, 200)', 'click right 1 100,200'],
  ['pyautogui.rightClick()', 'click right 1'],
  ['pyautogui.middleClick(x=100, y=200)', 'click middle 1 100,200'],
  ['pyautogui.doubleClick(100, 200)', 'click left 2 100,200'],
  ['pyautogui.doubleClick(100, 200, button="right")', 'click right 2 100,200'],
  ['pyautogui.doubleClick()', 'click left 2'],
  ['pyautogui.tripleClick(100, 200)', 'click left 3 100,200'],
  ['tag_1=(100, 200)\npyautogui.click(tag_1)', 'click left 1 100,200'],
  ['tag_1, tag_2 = (1, 2), (3, 4)\npyautogui.click(tag_2)', 'click left 1 3,4'],
  ['tag_1=(100,200);tag_2=(300,400)\npyautogui.click(*tag_2)', 'click left 1 300,400'],
  ['tag_1=(100,200)\npyautogui.click(tag_1[0], tag_1[1])', 'click left 1 100,200'],
  ['pyautogui.mouseDown()', 'down left'],
  ['pyautogui.mouseDown(100, 200)', 'down left 100,200'],
  ["pyautogui.mouseDown(button='right')", 'down right'],
  ['pyautogui.mouseUp()', 'up left'],
  ['pyautogui.mouseUp(x=100, y=200, button="middle")', 'up middle 100,200'],
  ['pyautogui.mouseDown(1, 2); pyautogui.moveTo(3, 4); pyautogui.mouseUp()', 'down left 1,2; move 3,4; up left'],
  // Drags
  ['pyautogui.dragTo(100, 200)', 'drag left 100,200 0'],
  ["pyautogui.dragTo(100, 200, duration=1.0, button='left', mouseDownUp=True)", 'drag left 100,200 1000'],
  ['pyautogui.dragTo(100, 200, 2, button="right")', 'drag right 100,200 2000'],
  ['pyautogui.dragTo(100, 200, mouseDownUp=False)', 'move 100,200'],
  ['pyautogui.dragRel(30, 0, duration=0.5)', 'drag left 40,20 500'],
  ['pyautogui.drag(0, 30)', 'drag left 10,50 0'],
  ['pyautogui.moveTo(1, 2)\npyautogui.dragTo(3, 4)', 'move 1,2; drag left 3,4 0'],
  // The wheel: positive is up and right.
  ['pyautogui.scroll(10)', 'scroll 0,-10'],
  ['pyautogui.scroll(-10)', 'scroll 0,10'],
  ['pyautogui.scroll(5, 100, 200)', 'scroll 0,-5 100,200'],
  ['pyautogui.scroll(-5, x=100, y=200)', 'scroll 0,5 100,200'],
  ['pyautogui.scroll(clicks=-3)', 'scroll 0,3'],
  ['pyautogui.vscroll(3)', 'scroll 0,-3'],
  ['pyautogui.hscroll(3)', 'scroll 3,0'],
  ['pyautogui.hscroll(-3, 100, 200)', 'scroll -3,0 100,200'],
  ['pyautogui.scroll(2.7)', 'scroll 0,-2'],
  // Keys
  ["pyautogui.press('enter')", 'press enter 1'],
  ['pyautogui.press("Enter")', 'press enter 1'],
  ["pyautogui.press('a')", 'press a 1'],
  ["pyautogui.press('tab', presses=3)", 'press tab 3'],
  ["pyautogui.press('tab', 3)", 'press tab 3'],
  ["pyautogui.press('tab', presses=2, interval=0.5)", 'press tab 1; wait 500; press tab 1; wait 500'],
  ["pyautogui.press(['left', 'left', 'a'])", 'press left 1; press left 1; press a 1'],
  ["pyautogui.press(['tab'] * 3)", 'press tab 1; press tab 1; press tab 1'],
  ["pyautogui.press(['down'], presses=2)", 'press down 2'],
  ["pyautogui.press('no such key')", ''],
  ["pyautogui.press('f5')", 'press f5 1'],
  ["pyautogui.press('\\n')", 'press \n 1'],
  ["pyautogui.keyDown('shift')", 'keydown shift'],
  ["pyautogui.keyUp('shift')", 'keyup shift'],
  ["pyautogui.keyDown('ctrl'); pyautogui.press('c'); pyautogui.keyUp('ctrl')", 'keydown ctrl; press c 1; keyup ctrl'],
  ["pyautogui.keyDown('nothing')", ''],
  ["pyautogui.hotkey('ctrl', 'c')", 'hotkey ctrl+c'],
  ["pyautogui.hotkey('ctrl', 'shift', 't')", 'hotkey ctrl+shift+t'],
  ["pyautogui.hotkey(['ctrl', 'v'])", 'hotkey ctrl+v'],
  ["pyautogui.hotkey('CTRL', 'S')", 'hotkey ctrl+S'],
  ["pyautogui.hotkey('alt', 'f4', interval=0.1)", 'hotkey alt+f4'],
  ['pyautogui.hotkey("shift", ",")', 'hotkey shift+,'],
  ["pyautogui.hotkey('enter')", 'hotkey enter'],
  ['keys = ["ctrl", "a"]\npyautogui.hotkey(*keys)', 'hotkey ctrl+a'],
  // Text
  ["pyautogui.write('Hello')", 'type Hello'],
  ["pyautogui.typewrite('Hello World!')", 'type Hello World!'],
  ["pyautogui.typewrite(message='Hello')", 'type Hello'],
  ['pyautogui.write("it\'s")', "type it's"],
  ["pyautogui.write('''a'b\"c''')", 'type a\'b"c'],
  ["pyautogui.write('a\\nb')", 'type a; press \n 1; type b'],
  ["pyautogui.write('a\\tb')", 'type a; press \t 1; type b'],
  ['pyautogui.write("""a\nb""")', 'type a; press \n 1; type b'],
  ["pyautogui.write(r'C:\\new')", 'type C:\\new'],
  ["pyautogui.write('naïve €')", 'type nave '],
  ["pyautogui.write(['a', 'left', 'b'])", 'type a; press left 1; type b'],
  ["pyautogui.write('ab', interval=0.1)", 'type ab every 100'],
  ["pyautogui.typewrite('ab\\tc', 0.1)", 'type ab every 100; press \t 1; wait 100; type c every 100'],
  ["pyautogui.write('abc', interval=6)", 'type abc every 6000'],
  ["pyautogui.write('ab', interval=20)", 'type a; wait 20000; type b; wait 20000'],
  ["pyautogui.write('')", ''],
  ["pyautogui.write('a' 'b')", 'type ab'],
  ["pyautogui.write('a' + 'b')", 'type ab'],
  ["pyautogui.write('ab' * 2)", 'type abab'],
  ["name = 'x'\npyautogui.write(f'{name}.txt')", 'type x.txt'],
  ["pyautogui.write('%s=%d' % ('a', 3))", 'type a=3'],
  ['pyautogui.write(str(42))', 'type 42'],
  ["pyautogui.write('-'.join(['a', 'b']))", 'type a-b'],
  ["pyautogui.write('A'.lower())", 'type a'],
  // Time
  ['time.sleep(1)', 'wait 1000'],
  ['time.sleep(0.5)', 'wait 500'],
  ['time.sleep(0)', ''],
  ['pyautogui.sleep(2)', 'wait 2000'],
  ['import time; time.sleep(3)', 'wait 3000'],
  ['from time import sleep\nsleep(1)', 'wait 1000'],
  ['import time as t\nt.sleep(1)', 'wait 1000'],
  ['pyautogui.PAUSE = 0.5\npyautogui.click(1, 2)', 'click left 1 1,2; wait 500'],
  ['pyautogui.PAUSE = 0.5\npyautogui.click(1, 2, _pause=False)', 'click left 1 1,2'],
  ['pyautogui.FAILSAFE = False\npyautogui.click(1, 2)', 'click left 1 1,2'],
  // The clipboard
  ["pyperclip.copy('text')", 'copy text'],
  ['pyperclip.copy(12)', 'copy 12'],
  ["pyperclip.copy('a'); pyautogui.hotkey('ctrl', 'v')", 'copy a; hotkey ctrl+v'],
  ['pyautogui.write(pyperclip.paste())', 'type clip'],
  // Shapes of programs
  ['', ''],
  ['# nothing to do', ''],
  ['pass', ''],
  ['WAIT', ''],
  ['DONE', ''],
  ['FAIL', ''],
  ['pyautogui.click(1, 2)  # the button', 'click left 1 1,2'],
  ['pyautogui.click(1, 2);', 'click left 1 1,2'],
  ['pyautogui.click(1, 2); pyautogui.click(3, 4)', 'click left 1 1,2; click left 1 3,4'],
  ['\n\npyautogui.click(1, 2)\n\n', 'click left 1 1,2'],
  ['pyautogui.click(\n  1,\n  2,\n)', 'click left 1 1,2'],
  ['pyautogui.click(1, \\\n  2)', 'click left 1 1,2'],
  ['pyautogui.click(1, 2)\r\npyautogui.click(3, 4)\r\n', 'click left 1 1,2; click left 1 3,4'],
  ['import pyautogui as pg\npg.click(1, 2)', 'click left 1 1,2'],
  ['from pyautogui import click\nclick(1, 2)', 'click left 1 1,2'],
  ['from pyautogui import *\nclick(1, 2); press("a")', 'click left 1 1,2; press a 1'],
  ['from pyautogui import (click, press as p,)\np("a")', 'press a 1'],
  ['import pyautogui, time\npyautogui.click(1, 2)\ntime.sleep(1)', 'click left 1 1,2; wait 1000'],
  ['x = 1\nx += 1\npyautogui.click(x, x * 2)', 'click left 1 2,4'],
  ['a = b = 5\npyautogui.click(a, b)', 'click left 1 5,5'],
  ['[a, (b, c)] = [1, (2, 3)]\npyautogui.click(a, c)', 'click left 1 1,3'],
  ['d = {"x": 1, "y": 2}\npyautogui.click(d["x"], d["y"])', 'click left 1 1,2'],
  ['pyautogui.click(1 if True else 5, 2)', 'click left 1 1,2'],
  ['pyautogui.click(max(1, 2), min([3, 4]))', 'click left 1 2,3'],
  ['pyautogui.click(int(1.9), round(2.5))', 'click left 1 1,2'],
  ['pyautogui.click(0x10, 1_0)', 'click left 1 16,10'],
  ['pyautogui.click(len("abc"), abs(-4))', 'click left 1 3,4'],
  ['f = pyautogui.click\nf(1, 2)', 'click left 1 1,2'],
  ['pyautogui.click(**{}) if False else pyautogui.press("a")', 'refused NotImplementedError'],
]

/** Programs with functions, and with what is managed, and their calls. */
const FUNCTIONS: readonly (readonly [source: string, calls: string])[] = [
  ['def tap(x, y=5):\n    pyautogui.click(x, y)\ntap(1)\ntap(2, y=3)', 'click left 1 1,5; click left 1 2,3'],
  [
    'def middle(a: int, b: int = 4) -> float:\n  "The middle."\n  return (a + b) / 2\npyautogui.click(middle(2), middle(2, 6))',
    'click left 1 3,4',
  ],
  [
    'def first(items):\n  for item in items:\n    if item > 1: return item\n  return 0\npyautogui.click(first([1, 5]), first([]))',
    'click left 1 5,0',
  ],
  ['x = 1\ndef other():\n  x = 2\n  return x\npyautogui.click(other(), x)', 'click left 1 2,1'],
  ['def fact(n): return 1 if n < 2 else n * fact(n - 1)\npyautogui.click(fact(4), 1)', 'click left 1 24,1'],
  ['def later(): return early()\ndef early(): return 7\npyautogui.click(later(), 1)', 'click left 1 7,1'],
  ['def two():\n  return 3, 4\nx, y = two()\npyautogui.click(x, y)', 'click left 1 3,4'],
  [
    'def safe():\n  try:\n    return 1 / 0\n  except ZeroDivisionError:\n    return 9\npyautogui.click(safe(), 1)',
    'click left 1 9,1',
  ],
  ['def main():\n  pyautogui.click(1, 2)\nif __name__ == "__main__":\n  main()', 'click left 1 1,2'],
  ['def forget(): pass\npyautogui.click(1 if forget() is None else 2, 1)', 'click left 1 1,1'],
]

const REFUSED: readonly (readonly [source: string, error: string, line?: number])[] = [
  [
    'def f():\n  print(x)\n  x = 1\nx = 0\nf()',
    "UnboundLocalError: cannot access local variable 'x' where it is not associated with a value",
    2,
  ],
  ['def f(): return f()\nf()', 'RecursionError: functions call each other at most 50 deep on this desktop'],
  [
    'def f(n): return 0 if n == 0 else f(n - 1) + f(n - 1)\nf(40)',
    'RuntimeError: the loops of a program have at most 100000 rounds on this desktop',
  ],
  ['def f(a): pass\nf()', "TypeError: f() missing 1 required positional argument: 'a'", 2],
  ['def f(*all): pass', "NotImplementedError: '*' in parameters is not supported by this desktop"],
  ['def f():\n  def g(): pass', 'NotImplementedError: functions in functions are not supported by this desktop', 2],
  [
    'class A: pass',
    "NotImplementedError: 'class' statements are not supported by this desktop; use imports, assignments, calls, plain functions",
  ],
  ['return 1', "SyntaxError: 'return' outside function"],
  ['for i in [1]:\n  def f(): break', "SyntaxError: 'break' outside loop", 2],
  ['def f(a, a): pass', "SyntaxError: duplicate argument 'a' in function definition"],
  ['with 5: pass', "TypeError: 'int' object does not support the context manager protocol"],
  ['with open("x") as f: pass', "NameError: name 'open' is not defined"],
]

/** A program and what it prints. */
const PRINTS: readonly (readonly [source: string, output: string])[] = [
  ['print("hello")', 'hello\n'],
  ['print("a", 1, 2.0, None, True)', 'a 1 2.0 None True\n'],
  ['print("a", "b", sep="-", end="!")', 'a-b!'],
  ['print()', '\n'],
  ['print([1, "a", (2,)], {"k": 1.5})', "[1, 'a', (2,)] {'k': 1.5}\n"],
  ['print("it\'s", ["it\'s"])', 'it\'s ["it\'s"]\n'],
  ['print(["a\\n\\t\\\\"])', "['a\\n\\t\\\\']\n"],
  ['print(1 / 2, 7 // 2, -7 // 2, -7 % 3, 2 ** 10)', '0.5 3 -4 2 1024\n'],
  ['print(0.1 + 0.2, 1e16, 1e-5, 1.0, 100000.0)', '0.30000000000000004 1e+16 1e-05 1.0 100000.0\n'],
  ['print(pyautogui.position())', 'Point(x=10, y=20)\n'],
  ['print(pyautogui.size())', 'Size(width=1280, height=800)\n'],
  ['print(pyautogui.position().x)', '10\n'],
  ['print(pyautogui.onScreen(5, 5), pyautogui.onScreen(-1, 5))', 'True False\n'],
  ['import platform; print(platform.system())', 'Linux\n'],
  ['import time; print(time.time())', '1710252000.0\n'],
  ['print(f"{1/3:.2f} {5:d} {\'a\'!r}")', "0.33 5 'a'\n"],
  ['print("%d %i %r %s %.1f" % (2.9, True, "a", "b", 1))', "2 1 'a' b 1.0\n"],
  [
    "print(f\"{5:3d}|{5:03d}|{-5:03d}|{1.5:6.2f}|{'a':3}|{'a':3s}|{7:3}|{1.5:5}|{1:5f}\")",
    '  5|005|-05|  1.50|a  |a  |  7|  1.5|1.000000\n',
  ],
  ['print("%3d|%03d|%6.2f|%3s|%4r" % (5, 5, 1.5, "a", "b"))', "  5|005|  1.50|  a| 'b'\n"],
  ['print("a,b".split(","), " x ".strip(), "abc"[1:], "abc"[-1])', "['a', 'b'] x bc c\n"],
  ['print(1 < 2, "a" in "abc", 3 not in [1, 2], not True, None is None)', 'True True True False True\n'],
  ['print(True and 0, 0 or "x", 1 and 2)', '0 x 2\n'],
  ['print(list(range(3)), tuple([1]), str(1.5) + "s", float("2"), bool(""))', '[0, 1, 2] (1,) 1.5s 2.0 False\n'],
  ['print("ab" < "b", [1, 2] < [1, 3], (1,) == (1,))', 'True True True\n'],
  ['print(repr("x"), "x".upper(), "aXa".replace("a", "b"), "abc".find("c"))', "'x' X bXb 2\n"],
]

/** A program, the last line of its traceback, and the line of the program that the traceback names. */
const ERRORS: readonly (readonly [source: string, error: string, line?: number])[] = [
  ['nothing', "NameError: name 'nothing' is not defined"],
  ['print(1)\nnothing()', "NameError: name 'nothing' is not defined", 2],
  ['pyautogui.clik(1, 2)', "AttributeError: module 'pyautogui' has no attribute 'clik'"],
  ['pyautogui.click(1, 2, colour="red")', "TypeError: click() got an unexpected keyword argument 'colour'"],
  ['pyautogui.click(1, x=2)', "TypeError: click() got multiple values for argument 'x'"],
  ['pyautogui.press()', "TypeError: press() missing 1 required positional argument: 'keys'"],
  ['pyautogui.moveTo("a.png")', 'NotImplementedError: images are not searched on this screen; give x and y in pixels'],
  ['pyautogui.click(1, 2, button="up")', /^PyAutoGUIException: button argument must be one of/.source],
  ['pyautogui.press(5)', 'TypeError: keys must be a string or a list of strings, not int'],
  ['pyautogui.click("a" + 1)', 'TypeError: can only concatenate str (not "int") to str'],
  ['1 / 0', 'ZeroDivisionError: division by zero'],
  ['[1][5]', 'IndexError: list index out of range'],
  ['{"a": 1}["b"]', "KeyError: 'b'"],
  ['a, b = 1, 2, 3', 'ValueError: too many values to unpack (expected 2)'],
  ['a, b = 5', 'TypeError: cannot unpack non-iterable int object'],
  ['int("x")', "ValueError: invalid literal for int() with base 10: 'x'"],
  ['{[1]: 2}', "TypeError: unhashable type: 'list'"],
  ['f"{2.5:d}"', "ValueError: Unknown format code 'd' for object of type 'float'"],
  ['"%d" % "a"', 'TypeError: %d format: a real number is required, not str'],
  ['time.sleep(-1)', 'ValueError: sleep length must be non-negative'],
  ['print(', "SyntaxError: '(' was never closed"],
  ['print("a', 'SyntaxError: unterminated string literal (detected at line 1)'],
  ['x = 1\n  y = 2', 'IndentationError: unexpected indent', 2],
  ['click 5', 'SyntaxError: invalid syntax'],
  ['print(1))', "SyntaxError: unmatched ')'"],
]

const LAST_LINE = /([^\n]*)\n$/

describe('[PY1] [PY2] [PY3] [PY4] programs', () => {
  it.each(CALLS)('runs %j', async (source, calls) => {
    const { result, calls: made } = await runWithMachine(source)
    const error = LAST_LINE.exec(result.error)?.[1]?.split(':')[0]
    expect(error === undefined ? made.join('; ') : `refused ${error}`).toBe(calls)
  })

  it.each(FUNCTIONS)('[PY10] calls functions of %j', async (source, calls) => {
    const { result, calls: made } = await runWithMachine(`\n${source}`)
    expect(result.error || made.join('; ')).toBe(calls)
  })

  it.each([
    ['with pyautogui.hold("shift"):\n  pyautogui.press("left")', 'keydown shift; press left 1; keyup shift'],
    [
      'with pyautogui.hold(["ctrl", "shift"]): pyautogui.press("s")',
      'keydown ctrl; keydown shift; press s 1; keyup ctrl; keyup shift',
    ],
    [
      'with pyautogui.hold("shift"), pyautogui.hold("alt") as held:\n  pass',
      'keydown shift; keydown alt; keyup alt; keyup shift',
    ],
    ['def pick():\n  with pyautogui.hold("ctrl"):\n    return 1\npick()', 'keydown ctrl; keyup ctrl'],
    [
      'try:\n  with pyautogui.hold("ctrl"):\n    1 / 0\nexcept ZeroDivisionError:\n  pyautogui.press("a")',
      'keydown ctrl; keyup ctrl; press a 1',
    ],
  ])('[PY11] holds keys in %j', async (source, held) => {
    const { result, calls } = await runWithMachine(`\n${source}`)
    expect(result.error || calls.join('; ')).toBe(held)
  })

  it.each(REFUSED.map(([source, error, line = 1]) => [source, error, line] as const))(
    '[PY10] reports the line and the error of %j',
    async (source, error, line) => {
      const { result } = await runWithMachine(`\n${source}`)
      expect(LAST_LINE.exec(result.error)?.[1]).toContain(error)
      expect(result.error).toContain(`line ${line + 1}`)
    },
  )

  it.each(PRINTS)('prints as Python does: %j', async (source, output) => {
    expect((await runWithMachine(source)).result).toEqual({ output, error: '', returnCode: 0 })
  })

  it.each(ERRORS.map(([source, error, line = 1]) => [source, error, line] as const))(
    'reports the line and the error of %j',
    async (source, error, line) => {
      const { result } = await runWithMachine(source)
      expect(result.returnCode).toBe(1)
      expect(LAST_LINE.exec(result.error)?.[1]).toMatch(error.startsWith('^') ? new RegExp(error) : error)
      expect(result.error).toContain(`File "<string>", line ${line}`)
    },
  )

  it.each([
    ['print(1)\nf"{int(\'x\')}"', 2],
    ['print(1)\n\nx = f"a {nothing()}"', 3],
    ['f"""a\n{int(\'x\')}"""', 2],
    ['x = 1\ry = 2\rnothing', 3],
    ['x = 1\r\nnothing', 2],
  ] as const)('[PY7] names the line of the exception of %j', async (source, line) => {
    const { result } = await runWithMachine(source)
    expect(result.error).toContain(`File "<string>", line ${line}, in <module>`)
  })

  it('[PY7] shows the line of a syntax error with any ends of lines', async () => {
    const { result } = await runWithMachine('x = 1\rclick 5\ry = 2')
    expect(result.error).toBe('  File "<string>", line 2\n    click 5\n          ^\nSyntaxError: invalid syntax\n')
  })

  it('counts at least 200 programs', () => {
    expect(CALLS.length + PRINTS.length + ERRORS.length).toBeGreaterThanOrEqual(200)
  })
})
