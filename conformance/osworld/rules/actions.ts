import assert from 'node:assert/strict'
import { defineRules } from '../../suite/rules.ts'
import { sources } from '../document.ts'
import { act, pythonText } from '../driver.ts'
import { assertReplacedFromStart, fillField } from '../field.ts'
import {
  assertDrags,
  assertEdits,
  assertOpensMenu,
  assertPointer,
  assertPresses,
  assertSelectsWord,
  edits,
  leftEdge,
  type Moved,
  otherPoint,
  scrollBy,
  TYPE_X,
} from '../input-driver.ts'
import { changeProgram, IDLE, replaceAction, replaceInProgram } from '../sabotage.ts'
import { centreOf } from '../tree-driver.ts'

const NEEDED = [
  ...['tree:tuples', 'tree:names', 'program:prefix', 'tree:well-formed'],
  ...['pointer:position', 'input:click', 'input:typewrite'],
]

/** The actions of computer_13. */
export const actionRules = defineRules('action', NEEDED, {
  'move-to': {
    level: 'MUST',
    text: 'MOVE_TO moves the pointer, with a duration and a tween.',
    source: sources.client,
    basis: {
      states:
        'The client translates the action to moveTo with x, y, a duration below one second and one of five tweens.',
    },
    covers: ['OW-A1', 'OW-F3'],
    check: async (context) => {
      for (const tween of ['easeInQuad', 'easeOutQuad', 'easeInOutQuad', 'easeInBounce', 'easeInElastic']) {
        const { x, y } = await otherPoint(context)
        await act(context, `pyautogui.moveTo(${x}, ${y}, 0.5${context.random.int(10, 99)}, pyautogui.${tween})`)
        await assertPointer(context, { x, y })
      }
    },
    sabotage: {
      'moves elsewhere with a tween': replaceInProgram(
        /moveTo\(\d+, \d+, [\d.]+, pyautogui\.ease/,
        'moveTo(1, 1, 0.5, pyautogui.ease',
      ),
    },
  },

  click: {
    level: 'MUST',
    text: 'CLICK with keywords presses what is there.',
    source: sources.client,
    basis: { states: 'The client translates the action to click with the keywords button, x, y and clicks.' },
    covers: ['OW-A2', 'OW-F4'],
    check: (context) =>
      assertPresses(context, ({ x, y }) => [`pyautogui.click(button='left', x=${x}, y=${y}, clicks=1)`]),
    sabotage: {
      'only moves for CLICK': replaceInProgram(/click\(button='left', x=(\d+), y=(\d+), clicks=1\)/, 'moveTo($1, $2)'),
    },
  },

  'click-bare': {
    level: 'MUST',
    text: 'CLICK without parameters presses what is below the pointer.',
    source: sources.client,
    basis: { states: 'The client translates the action to click() when it has no parameters.' },
    covers: ['OW-A2', 'OW-F4'],
    check: (context) => assertPresses(context, ({ x, y }) => [`pyautogui.moveTo(${x}, ${y})`, 'pyautogui.click()']),
    sabotage: {
      'ignores CLICK without parameters': replaceAction('pyautogui.click()', IDLE),
    },
  },

  'mouse-down': {
    level: 'MUST',
    text: 'MOUSE_DOWN begins a drag.',
    source: sources.client,
    basis: { states: 'The client translates the action to mouseDown, with or without button.' },
    covers: ['OW-A3', 'OW-F11'],
    needs: ['input:held-button'],
    check: async (context) => {
      for (const button of ['', "button='left'"])
        await assertDrags(context, (from, to) => [
          `pyautogui.moveTo(${from.x}, ${from.y})`,
          `pyautogui.mouseDown(${button})`,
          `pyautogui.moveTo(${to.x}, ${to.y})`,
          'pyautogui.mouseUp()',
        ])
    },
    sabotage: {
      'ignores MOUSE_DOWN': replaceAction("pyautogui.mouseDown(button='left')", IDLE),
    },
  },

  'mouse-up': {
    level: 'MUST',
    text: 'MOUSE_UP ends a drag.',
    source: sources.client,
    basis: { states: 'The client translates the action to mouseUp, with or without button.' },
    covers: ['OW-A4', 'OW-F11'],
    needs: ['input:held-button'],
    check: async (context) => {
      for (const button of ['', "button='left'"]) {
        const box = await fillField(context, 'harbour')
        const [from, to] = [centreOf(box), leftEdge(box)]
        // After the release the pointer moves back without changing the selection.
        await act(
          context,
          ...[`pyautogui.moveTo(${from.x}, ${from.y})`, 'pyautogui.mouseDown()', `pyautogui.moveTo(${to.x}, ${to.y})`],
          ...[`pyautogui.mouseUp(${button})`, `pyautogui.moveTo(${from.x}, ${from.y})`, "pyautogui.typewrite('u')"],
        )
        await assertReplacedFromStart(context, 'harbour', 'u', 'the button was not released')
      }
    },
    sabotage: {
      'clicks for MOUSE_UP': replaceAction(
        "pyautogui.mouseUp(button='left')",
        'pyautogui.mouseUp(); pyautogui.click()',
      ),
    },
  },

  'right-click': {
    level: 'MUST',
    text: 'RIGHT_CLICK opens the menu of a field.',
    source: sources.client,
    basis: { states: 'The client translates the action to rightClick with the keywords x and y.' },
    covers: ['OW-A5', 'OW-F12'],
    check: (context) => assertOpensMenu(context, ({ x, y }) => `pyautogui.rightClick(x=${x}, y=${y})`),
    sabotage: {
      'clicks left for RIGHT_CLICK': replaceInProgram('rightClick(x=', 'click(x='),
    },
  },

  'double-click': {
    level: 'MUST',
    text: 'DOUBLE_CLICK selects a word.',
    source: sources.client,
    basis: { states: 'The client translates the action to doubleClick with the keywords x and y.' },
    covers: ['OW-A6', 'OW-F9'],
    check: (context) => assertSelectsWord(context, ({ x, y }) => `pyautogui.doubleClick(x=${x}, y=${y})`),
    sabotage: {
      'clicks once for DOUBLE_CLICK': replaceInProgram('doubleClick(x=', 'click(x='),
    },
  },

  'drag-to': {
    level: 'MUST',
    text: 'DRAG_TO drags from where the pointer is.',
    source: sources.client,
    basis: {
      states: 'The client translates the action to dragTo with x, y, duration=1.0, button="left" and mouseDownUp=True.',
    },
    covers: ['OW-A7', 'OW-F6'],
    check: (context) =>
      assertDrags(context, (from, to) => [
        `pyautogui.moveTo(${from.x}, ${from.y})`,
        `pyautogui.dragTo(${to.x}, ${to.y}, duration=1.0, button='left', mouseDownUp=True)`,
      ]),
    sabotage: {
      'only moves for DRAG_TO': replaceInProgram(
        /dragTo\((\d+), (\d+), duration=1\.0, button='left', mouseDownUp=True\)/,
        'moveTo($1, $2)',
      ),
    },
  },

  scroll: {
    level: 'MUST',
    text: 'SCROLL scrolls on both axes by two requests.',
    source: sources.client,
    basis: { states: 'The client translates the action to hscroll and vscroll, as two requests.' },
    covers: ['OW-A8', 'OW-F13', 'OW-F14'],
    check: async (context) => {
      const isBoth = ({ left, up }: Moved) => left > 0 && up > 0
      const moved = await scrollBy(context, isBoth, 'pyautogui.hscroll(1)', 'pyautogui.vscroll(-1)')
      assert.ok(isBoth(moved), `the content moved by ${moved.up} up and ${moved.left} to the left`)
    },
    sabotage: {
      'scrolls one axis for SCROLL': replaceAction('pyautogui.hscroll(1)', IDLE),
    },
  },

  typing: {
    level: 'MUST',
    text: 'TYPING types a text with quotes and backslashes.',
    source: sources.client,
    basis: { states: 'The client translates the action to typewrite with the repr of the text.' },
    covers: ['OW-A9', 'OW-F10', 'OW-P6'],
    check: async (context) => {
      const text = `it's "C:\\new" \\ ${context.random.word(6)}`
      await assertEdits(context, '', [`pyautogui.typewrite(${pythonText(text)})`], text)
    },
    sabotage: {
      'types slashes for backslashes': changeProgram((code) => code.replaceAll('\\\\', '/')),
    },
  },

  press: {
    level: 'MUST',
    text: 'PRESS presses a key.',
    source: sources.client,
    basis: { states: 'The client translates the action to press with the name of the key.' },
    covers: ['OW-A10', 'OW-F2'],
    check: edits('abcd', ["pyautogui.press('backspace')"], 'abc'),
    sabotage: {
      'ignores PRESS': replaceAction("pyautogui.press('backspace')", IDLE),
    },
  },

  'key-down': {
    level: 'MUST',
    text: 'KEY_DOWN holds a key for the following actions.',
    source: sources.client,
    basis: { states: 'The client translates the action to keyDown with the name of the key.' },
    covers: ['OW-A11', 'OW-F8'],
    needs: ['input:held-key'],
    check: edits(
      'abcd',
      ["pyautogui.keyDown('shift')", "pyautogui.press('home')", "pyautogui.keyUp('shift')", TYPE_X],
      'x',
    ),
    sabotage: {
      'presses for KEY_DOWN': replaceAction("pyautogui.keyDown('shift')", "pyautogui.press('shift')"),
    },
  },

  'key-up': {
    level: 'MUST',
    text: 'KEY_UP releases a held key.',
    source: sources.client,
    basis: { states: 'The client translates the action to keyUp with the name of the key.' },
    covers: ['OW-A12', 'OW-F8'],
    needs: ['input:held-key'],
    check: edits(
      'abcd',
      ["pyautogui.keyDown('shift')", "pyautogui.keyUp('shift')", "pyautogui.press('left')", TYPE_X],
      'abcxd',
    ),
    sabotage: {
      'presses once more for KEY_UP': replaceAction(
        "pyautogui.keyUp('shift')",
        "pyautogui.press('home'); pyautogui.keyUp('shift')",
      ),
    },
  },

  hotkey: {
    level: 'MUST',
    text: 'HOTKEY presses keys together.',
    source: sources.client,
    basis: { states: 'The client translates the action to hotkey with the names of the keys.' },
    covers: ['OW-A13', 'OW-F1'],
    check: edits('abc', ["pyautogui.hotkey('shift', 'home')", "pyautogui.typewrite('y')"], 'y'),
    sabotage: {
      'presses the last key of HOTKEY': replaceInProgram("hotkey('shift', 'home')", "press('home')"),
    },
  },
})
