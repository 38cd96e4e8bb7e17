import { changeProgram, changeResult, IDLE, replaceAction, replaceInProgram } from '../../osworld/sabotage.ts'
import { defineSabotages } from '../behaviors.ts'

/** Removes a part of the programs that have another part too. */
const without = (part: string, beside: string) =>
  changeProgram((code) => (code.includes(beside) ? code.replace(part, '') : code))

/** Faults in pointer and keyboard: the programs arrive changed. */
export const osworldInputSabotages = defineSabotages('osworld', {
  'moves elsewhere when it takes time': [
    'input:move-to',
    replaceInProgram(/moveTo\(\d+, \d+, duration=[\d.]+\)/, 'moveTo(1, 1)'),
  ],
  'moves elsewhere with a tween': [
    'action:move-to',
    replaceInProgram(/moveTo\(\d+, \d+, [\d.]+, pyautogui\.ease/, 'moveTo(1, 1, 0.5, pyautogui.ease'),
  ],
  'clicks elsewhere': ['input:click', replaceInProgram(/click\(\d+, \d+\)/, 'click(3, 3)')],
  'only moves for a click here': ['input:click-here', without('; pyautogui.click()', 'moveTo')],
  'only moves for CLICK': [
    'action:click',
    replaceInProgram(/click\(button='left', x=(\d+), y=(\d+), clicks=1\)/, 'moveTo($1, $2)'),
  ],
  'ignores CLICK without parameters': ['action:click-bare', replaceAction('pyautogui.click()', IDLE)],
  'clicks once for two clicks': ['input:click-times', replaceInProgram('clicks=2', 'clicks=1')],
  'has one button': ['input:click-button', replaceInProgram("button='right'", "button='left'")],
  'clicks left for rightClick': ['input:right-click', replaceInProgram('rightClick(', 'click(')],
  'clicks left for RIGHT_CLICK': ['action:right-click', replaceInProgram('rightClick(x=', 'click(x=')],
  'only moves for middleClick': ['input:middle-click', replaceInProgram('middleClick(', 'moveTo(')],
  'clicks once for doubleClick': ['input:double-click', replaceInProgram('doubleClick(', 'click(')],
  'clicks once for DOUBLE_CLICK': ['action:double-click', replaceInProgram('doubleClick(x=', 'click(x=')],
  'clicks twice for tripleClick': ['input:triple-click', replaceInProgram('tripleClick(', 'doubleClick(')],
  'ignores mouseDown': ['input:mouse-down', without('pyautogui.mouseDown(); ', 'mouseUp')],
  'releases buttons after each program': [
    'input:held-button',
    replaceInProgram(/pyautogui\.mouseDown\(\)$/, 'pyautogui.mouseDown(); pyautogui.mouseUp()'),
  ],
  'ignores MOUSE_DOWN': ['action:mouse-down', replaceAction("pyautogui.mouseDown(button='left')", IDLE)],
  'clicks for MOUSE_UP': [
    'action:mouse-up',
    replaceAction("pyautogui.mouseUp(button='left')", 'pyautogui.mouseUp(); pyautogui.click()'),
  ],
  'only moves for dragTo': [
    'input:drag-to',
    replaceInProgram(/dragTo\((\d+), (\d+), duration=[\d.]+\)/, 'moveTo($1, $2)'),
  ],
  'only moves for DRAG_TO': [
    'action:drag-to',
    replaceInProgram(/dragTo\((\d+), (\d+), duration=1\.0, button='left', mouseDownUp=True\)/, 'moveTo($1, $2)'),
  ],
  'scrolls up for down': ['input:scroll-down', replaceInProgram('pyautogui.scroll(-', 'pyautogui.scroll(')],
  'scrolls down for up': ['input:scroll-up', replaceInProgram('pyautogui.scroll(1', 'pyautogui.scroll(-1')],
  'turns vscroll around': ['input:vscroll', replaceInProgram('vscroll(-1)', 'vscroll(1)')],
  'turns hscroll around': ['input:hscroll', replaceInProgram('hscroll(1)', 'hscroll(-1)')],
  'scrolls one axis for SCROLL': ['action:scroll', replaceAction('pyautogui.hscroll(1)', IDLE)],
  'types no capitals': [
    'input:write',
    changeProgram((code) => code.replace(/\.write\('([^']*)'\)/, (call) => call.toLowerCase())),
  ],
  'types half of a text with an interval': ['input:write-interval', replaceInProgram("write('tide', ", "write('ti', ")],
  'replaces the text by typewrite': [
    'input:typewrite',
    replaceInProgram('pyautogui.typewrite("', 'pyautogui.hotkey("ctrl", "a"); pyautogui.typewrite("'),
  ],
  'types slashes for backslashes': ['action:typing', changeProgram((code) => code.replaceAll('\\\\', '/'))],
  'presses another key': ['input:press', replaceAction("pyautogui.press('backspace')", "pyautogui.press('left')")],
  'ignores PRESS': ['action:press', replaceAction("pyautogui.press('backspace')", IDLE)],
  'presses the last key of a list': [
    'input:press-list',
    replaceInProgram("press(['left', 'left', 'x'])", "press('x')"),
  ],
  'presses a key once': ['input:press-times', replaceInProgram('presses=3', 'presses=1')],
  'presses the last key of a hotkey': [
    'input:hotkey',
    replaceInProgram("hotkey('ctrl', 'a'); pyautogui.press('x')", "press('a'); pyautogui.press('x')"),
  ],
  'presses the last key of HOTKEY': ['action:hotkey', replaceInProgram("hotkey('shift', 'home')", "press('home')")],
  'ignores keyDown': ['input:key-down', without("pyautogui.keyDown('shift'); ", 'keyUp')],
  'releases keys after each program': [
    'input:held-key',
    replaceAction("pyautogui.keyDown('shift')", "pyautogui.keyDown('shift'); pyautogui.keyUp('shift')"),
  ],
  'presses for KEY_DOWN': ['action:key-down', replaceAction("pyautogui.keyDown('shift')", "pyautogui.press('shift')")],
  'presses once more for KEY_UP': [
    'action:key-up',
    replaceAction("pyautogui.keyUp('shift')", "pyautogui.press('home'); pyautogui.keyUp('shift')"),
  ],
  'types a comma for <': ['input:less-than', replaceInProgram('hotkey("shift", \',\')', "press(',')")],
  'has another clipboard': ['input:clipboard', replaceInProgram(/pyperclip\.copy\(.*\)/, "pyperclip.copy('other')")],
  'raises its fail-safe': [
    'input:corner',
    changeResult("press('shift'); pyautogui.moveTo(5, 5)", (json) => {
      json.returncode = 1
      json.error = 'Traceback (most recent call last):\npyautogui.FailSafeException\n'
    }),
  ],
  'says nothing about pictures': [
    'input:pictures',
    changeResult('pyautogui.screenshot()', (json) => {
      json.returncode = 1
      json.error = ''
    }),
  ],
})
