import assert from 'node:assert/strict'
import { defineRules } from '../../suite/rules.ts'
import { sources } from '../document.ts'
import { act, printed, pythonText, runAction } from '../driver.ts'
import { assertField, fillField, textStart } from '../field.ts'
import {
  assertDrags,
  assertEdits,
  assertOpensMenu,
  assertPointer,
  assertPresses,
  assertSelectsWord,
  edits,
  type Moved,
  otherPoint,
  rewind,
  scrollBy,
  TYPE_X,
} from '../input-driver.ts'
import { changeProgram, changeResult, replaceAction, replaceInProgram } from '../sabotage.ts'
import { centreOf, controlThat, isChecked, readControl } from '../tree-driver.ts'

const TEXT = 'Quay 7, Pier-B: 50% off!'
/** Long enough that a letter lost now and then is missing. */
const LONG_TEXT = TEXT.repeat(4)

const CLICK = '; pyautogui.click()'
/** A check box changes when one of an even number of clicks is lost. */
const EVEN_CLICKS = 50

const isUp = ({ left, up }: Moved): boolean => up > 0 && left === 0

const isLeft = ({ left, up }: Moved): boolean => left > 0 && up === 0

/** Removes a part of the programs that have another part too. */
const without = (part: string, beside: string) =>
  changeProgram((code) => (code.includes(beside) ? code.replace(part, '') : code))

/** What a check needs to fill the field and to read it. */
const FIELD = ['tree:tuples', 'tree:names', 'program:prefix', 'input:click', 'input:typewrite']

/** The functions of pyautogui. */
export const inputRules = defineRules('input', ['tree:well-formed'], {
  'move-to': {
    level: 'MUST',
    text: 'moveTo moves the pointer, also with a duration.',
    source: sources.agents,
    basis: { states: 'Agents use this function of pyautogui.' },
    covers: ['OW-F3'],
    needs: ['pointer:position'],
    check: async (context) => {
      for (const more of ['', ', duration=0.2']) {
        const { x, y } = await otherPoint(context)
        await act(context, `pyautogui.moveTo(${x}, ${y}${more})`)
        await assertPointer(context, { x, y })
      }
    },
    sabotage: {
      'moves elsewhere when it takes time': replaceInProgram(/moveTo\(\d+, \d+, duration=[\d.]+\)/, 'moveTo(1, 1)'),
    },
  },

  click: {
    level: 'MUST',
    text: 'click with a point presses what is there.',
    source: sources.agents,
    basis: { states: 'Agents use this function of pyautogui.' },
    covers: ['OW-F4'],
    check: (context) => assertPresses(context, ({ x, y }) => [`pyautogui.click(${x}, ${y})`]),
    sabotage: {
      'clicks elsewhere': replaceInProgram(/click\(\d+, \d+\)/, 'click(3, 3)'),
    },
  },

  'click-here': {
    level: 'MUST',
    text: 'click without a point presses what is below the pointer.',
    source: sources.agents,
    basis: { states: 'click without a point clicks where the pointer is.' },
    covers: ['OW-F4'],
    needs: FIELD,
    check: (context) => assertPresses(context, ({ x, y }) => [`pyautogui.moveTo(${x}, ${y}); pyautogui.click()`]),
    sabotage: {
      'only moves for a click here': without('; pyautogui.click()', 'moveTo'),
    },
  },

  'every-click': {
    level: 'SHOULD',
    text: 'Each of 50 clicks in a row presses what is below the pointer.',
    source: sources.expected,
    basis: { because: 'The document does not cover clicks that follow each other at once.' },
    covers: ['OW-F4'],
    needs: [...FIELD, 'input:click-here'],
    check: async (context) => {
      const before = await readControl(context, 'toggle')
      const { x, y } = centreOf(before.box)
      await act(context, `pyautogui.moveTo(${x}, ${y})${CLICK.repeat(EVEN_CLICKS)}`)
      const after = await controlThat(context, 'toggle', (now) => isChecked(now) === isChecked(before))
      assert.equal(isChecked(after), isChecked(before), 'one of an even number of clicks is lost')
    },
    sabotage: {
      'loses a click now and then': changeProgram((code) =>
        code.includes(CLICK.repeat(EVEN_CLICKS)) ? code.replace(CLICK, '') : code,
      ),
    },
  },

  'click-times': {
    level: 'MUST',
    text: 'click with clicks=2 is a double click.',
    source: sources.agents,
    basis: { states: 'click takes x, y, clicks, interval and button.' },
    covers: ['OW-F4'],
    needs: FIELD,
    check: (context) =>
      assertSelectsWord(context, ({ x, y }) => `pyautogui.click(${x}, ${y}, clicks=2, interval=0.05)`),
    sabotage: {
      'clicks once for two clicks': replaceInProgram('clicks=2', 'clicks=1'),
    },
  },

  'click-button': {
    level: 'MUST',
    text: 'click with button="right" is a right click.',
    source: sources.agents,
    basis: { states: 'click takes x, y, clicks, interval and button.' },
    covers: ['OW-F4'],
    needs: FIELD,
    check: (context) => assertOpensMenu(context, ({ x, y }) => `pyautogui.click(${x}, ${y}, button='right')`),
    sabotage: {
      'has one button': replaceInProgram("button='right'", "button='left'"),
    },
  },

  'right-click': {
    level: 'MUST',
    text: 'rightClick opens the menu of a field.',
    source: sources.agents,
    basis: { states: 'Agents use this function of pyautogui.' },
    covers: ['OW-F12'],
    needs: FIELD,
    check: (context) => assertOpensMenu(context, ({ x, y }) => `pyautogui.rightClick(${x}, ${y})`),
    sabotage: {
      'clicks left for rightClick': replaceInProgram('rightClick(', 'click('),
    },
  },

  'middle-click': {
    level: 'MUST',
    text: 'middleClick presses what is below the pointer.',
    source: sources.agents,
    basis: { states: 'Agents use this function of pyautogui.' },
    covers: ['OW-F15'],
    needs: FIELD,
    check: async (context) => {
      const field = centreOf(await fillField(context, 'harbour'))
      const toggle = centreOf((await readControl(context, 'toggle')).box)
      await act(context, `pyautogui.click(${toggle.x}, ${toggle.y})`)
      await act(context, `pyautogui.middleClick(${field.x}, ${field.y})`, "pyautogui.typewrite('m')")
      // Toolkits paste the selection too, if there is one.
      const after = await controlThat(context, 'field', ({ element }) => element.text.includes('m'))
      assert.match(after.element.text, /m/, 'a letter that follows does not arrive in the field')
    },
    sabotage: {
      'only moves for middleClick': replaceInProgram('middleClick(', 'moveTo('),
    },
  },

  'double-click': {
    level: 'MUST',
    text: 'doubleClick selects a word.',
    source: sources.agents,
    basis: { states: 'Agents use this function of pyautogui.' },
    covers: ['OW-F9'],
    needs: FIELD,
    check: (context) => assertSelectsWord(context, ({ x, y }) => `pyautogui.doubleClick(${x}, ${y})`),
    sabotage: {
      'clicks once for doubleClick': replaceInProgram('doubleClick(', 'click('),
    },
  },

  'triple-click': {
    level: 'MUST',
    text: 'tripleClick selects a line.',
    source: sources.agents,
    basis: { states: 'Agents use this function of pyautogui.' },
    covers: ['OW-F16'],
    needs: FIELD,
    check: async (context) => {
      const { x, y } = textStart(await fillField(context, 'north harbour'))
      await act(context, `pyautogui.tripleClick(${x}, ${y})`, "pyautogui.typewrite('s')")
      await assertField(context, 's', 'the line was not selected')
    },
    sabotage: {
      'clicks twice for tripleClick': replaceInProgram('tripleClick(', 'doubleClick('),
    },
  },

  'mouse-down': {
    level: 'MUST',
    text: 'mouseDown and mouseUp around moves drag, in one program.',
    source: sources.agents,
    basis: { states: 'Agents use this function of pyautogui.' },
    covers: ['OW-F11'],
    needs: FIELD,
    check: (context) =>
      assertDrags(context, (from, to) => [
        `pyautogui.moveTo(${from.x}, ${from.y}); pyautogui.mouseDown(); pyautogui.moveTo(${to.x}, ${to.y}); pyautogui.mouseUp()`,
      ]),
    sabotage: {
      'ignores mouseDown': without('pyautogui.mouseDown(); ', 'mouseUp'),
    },
  },

  'held-button': {
    level: 'MUST',
    text: 'A button that one program pressed stays pressed until another releases it.',
    source: sources.client,
    basis: { states: 'MOUSE_DOWN and MOUSE_UP are programs of their own.' },
    covers: ['OW-F11', 'OW-A3', 'OW-A4'],
    needs: FIELD,
    check: (context) =>
      assertDrags(context, (from, to) => [
        `pyautogui.moveTo(${from.x}, ${from.y}); pyautogui.mouseDown()`,
        `pyautogui.moveTo(${to.x}, ${to.y}); pyautogui.mouseUp()`,
      ]),
    sabotage: {
      'releases buttons after each program': replaceInProgram(
        /pyautogui\.mouseDown\(\)$/,
        'pyautogui.mouseDown(); pyautogui.mouseUp()',
      ),
    },
  },

  'drag-to': {
    level: 'MUST',
    text: 'dragTo drags from where the pointer is.',
    source: sources.agents,
    basis: { states: 'dragTo begins at the present position of the pointer.' },
    covers: ['OW-F6'],
    needs: FIELD,
    check: (context) =>
      assertDrags(context, (from, to) => [
        `pyautogui.moveTo(${from.x}, ${from.y}); pyautogui.dragTo(${to.x}, ${to.y}, duration=0.3)`,
      ]),
    sabotage: {
      'only moves for dragTo': replaceInProgram(/dragTo\((\d+), (\d+), duration=[\d.]+\)/, 'moveTo($1, $2)'),
    },
  },

  'scroll-down': {
    level: 'MUST',
    text: 'scroll with a negative number shows what is further down.',
    source: sources.agents,
    basis: { states: 'scroll is positive up and negative down.' },
    covers: ['OW-F5'],
    needs: FIELD,
    check: async (context) => {
      const moved = await scrollBy(context, isUp, 'pyautogui.scroll(-1)')
      assert.ok(isUp(moved), `the content moved ${moved.up} up and ${moved.left} to the left`)
    },
    sabotage: {
      'scrolls up for down': replaceInProgram('pyautogui.scroll(-', 'pyautogui.scroll('),
    },
  },

  'scroll-up': {
    level: 'MUST',
    text: 'scroll with a positive number shows what is further up.',
    source: sources.agents,
    basis: { states: 'scroll is positive up and negative down.' },
    covers: ['OW-F5'],
    needs: FIELD,
    check: async (context) => {
      const start = await rewind(context)
      await act(context, 'pyautogui.vscroll(-1)')
      const down = await controlThat(context, 'scrolled', ({ box }) => box.y < start.y)
      assert.ok(down.box.y < start.y, 'prerequisite: the content does not move up')
      await act(context, 'pyautogui.scroll(1)')
      const again = await controlThat(context, 'scrolled', ({ box }) => box.y === start.y)
      assert.equal(again.box.y, start.y, 'the content does not move back')
    },
    sabotage: {
      'scrolls down for up': replaceInProgram('pyautogui.scroll(1', 'pyautogui.scroll(-1'),
    },
  },

  vscroll: {
    level: 'MUST',
    text: 'vscroll scrolls like scroll.',
    source: sources.agents,
    basis: { states: 'Agents use this function of pyautogui.' },
    covers: ['OW-F14'],
    needs: FIELD,
    check: async (context) => {
      const moved = await scrollBy(context, isUp, 'pyautogui.vscroll(-1)')
      assert.ok(isUp(moved), `the content moved ${moved.up} up and ${moved.left} to the left`)
    },
    sabotage: {
      'turns vscroll around': replaceInProgram('vscroll(-1)', 'vscroll(1)'),
    },
  },

  hscroll: {
    level: 'MUST',
    text: 'hscroll with a positive number shows what is further right.',
    source: sources.agents,
    basis: { states: 'hscroll is positive right.' },
    covers: ['OW-F13'],
    needs: FIELD,
    check: async (context) => {
      const moved = await scrollBy(context, isLeft, 'pyautogui.hscroll(1)')
      assert.ok(isLeft(moved), `the content moved ${moved.up} up and ${moved.left} to the left`)
    },
    sabotage: {
      'turns hscroll around': replaceInProgram('hscroll(1)', 'hscroll(-1)'),
    },
  },

  write: {
    level: 'MUST',
    text: 'write types a text with capitals, digits, blanks and signs.',
    source: sources.agents,
    basis: { states: 'Agents use this function of pyautogui.' },
    covers: ['OW-F7'],
    needs: FIELD,
    check: edits('', [`pyautogui.write('${TEXT}')`], TEXT),
    sabotage: {
      'types no capitals': changeProgram((code) => code.replace(/\.write\('([^']*)'\)/, (call) => call.toLowerCase())),
    },
  },

  'write-interval': {
    level: 'MUST',
    text: 'write with an interval types the same text.',
    source: sources.agents,
    basis: { states: 'write takes interval.' },
    covers: ['OW-F7'],
    needs: FIELD,
    check: edits('', ["pyautogui.write('tide', interval=0.05)"], 'tide'),
    sabotage: {
      'types half of a text with an interval': replaceInProgram("write('tide', ", "write('ti', "),
    },
  },

  typewrite: {
    level: 'MUST',
    text: 'typewrite types every character of a text, as write does.',
    source: sources.agents,
    basis: { states: 'Agents use this function of pyautogui.' },
    covers: ['OW-F10'],
    needs: ['input:click'],
    check: edits('Lock ', [`pyautogui.typewrite("${LONG_TEXT}")`], `Lock ${LONG_TEXT}`),
    sabotage: {
      'replaces the text by typewrite': replaceInProgram(
        'pyautogui.typewrite("',
        'pyautogui.hotkey("ctrl", "a"); pyautogui.typewrite("',
      ),
    },
  },

  press: {
    level: 'MUST',
    text: 'press presses a key by its name.',
    source: sources.agents,
    basis: { states: 'Agents use this function of pyautogui.' },
    covers: ['OW-F2'],
    needs: FIELD,
    check: edits('abc', ["pyautogui.press('backspace')"], 'ab'),
    sabotage: {
      'presses another key': replaceAction("pyautogui.press('backspace')", "pyautogui.press('left')"),
    },
  },

  'press-list': {
    level: 'MUST',
    text: 'press presses the keys of a list in turn.',
    source: sources.agents,
    basis: { states: 'press takes a key or a list of keys.' },
    covers: ['OW-F2'],
    needs: FIELD,
    check: edits('abc', ["pyautogui.press(['left', 'left', 'x'])"], 'axbc'),
    sabotage: {
      'presses the last key of a list': replaceInProgram("press(['left', 'left', 'x'])", "press('x')"),
    },
  },

  'press-times': {
    level: 'MUST',
    text: 'press with presses=3 presses the key three times.',
    source: sources.agents,
    basis: { states: 'press takes presses.' },
    covers: ['OW-F2'],
    needs: FIELD,
    check: edits('abcd', ["pyautogui.press('backspace', presses=3)"], 'a'),
    sabotage: {
      'presses a key once': replaceInProgram('presses=3', 'presses=1'),
    },
  },

  hotkey: {
    level: 'MUST',
    text: 'hotkey presses keys together.',
    source: sources.agents,
    basis: { states: 'Agents use this function of pyautogui.' },
    covers: ['OW-F1'],
    needs: FIELD,
    check: edits('abc', ["pyautogui.hotkey('ctrl', 'a'); pyautogui.press('x')"], 'x'),
    sabotage: {
      'presses the last key of a hotkey': replaceInProgram(
        "hotkey('ctrl', 'a'); pyautogui.press('x')",
        "press('a'); pyautogui.press('x')",
      ),
    },
  },

  'key-down': {
    level: 'MUST',
    text: 'A key that is held with keyDown modifies the keys until keyUp.',
    source: sources.agents,
    basis: { states: 'Agents use this function of pyautogui.' },
    covers: ['OW-F8'],
    needs: FIELD,
    check: edits(
      'abc',
      [
        "pyautogui.keyDown('shift'); pyautogui.press('left'); pyautogui.press('left'); pyautogui.keyUp('shift')",
        TYPE_X,
      ],
      'ax',
    ),
    sabotage: {
      'ignores keyDown': without("pyautogui.keyDown('shift'); ", 'keyUp'),
    },
  },

  'held-key': {
    level: 'MUST',
    text: 'A key that one program holds is held for the next, until it is released.',
    source: sources.client,
    basis: { states: 'KEY_DOWN and KEY_UP are programs of their own.' },
    covers: ['OW-F8', 'OW-A11', 'OW-A12'],
    needs: FIELD,
    check: edits(
      'abc',
      [
        "pyautogui.keyDown('shift')",
        "pyautogui.press('left')",
        "pyautogui.press('left')",
        "pyautogui.keyUp('shift')",
        TYPE_X,
      ],
      'ax',
    ),
    sabotage: {
      'releases keys after each program': replaceAction(
        "pyautogui.keyDown('shift')",
        "pyautogui.keyDown('shift'); pyautogui.keyUp('shift')",
      ),
    },
  },

  'less-than': {
    level: 'MUST',
    text: 'hotkey("shift", ",") types the character <.',
    source: sources.client,
    basis: { states: 'The client rewrites < to hotkey("shift", ",").' },
    covers: ['OW-C4', 'OW-F1'],
    needs: FIELD,
    check: edits('', ["pyautogui.typewrite('a ');pyautogui.hotkey(\"shift\", ',');pyautogui.typewrite(' b')"], 'a < b'),
    sabotage: {
      'types a comma for <': replaceInProgram('hotkey("shift", \',\')', "press(',')"),
    },
  },

  clipboard: {
    level: 'MUST',
    text: 'What pyperclip copies is pasted by hotkey("ctrl", "v"), and returned by paste.',
    source: sources.agents,
    basis: { states: 'Programs use copy and paste of pyperclip.' },
    covers: ['OW-P8', 'OW-F1'],
    needs: FIELD,
    check: async (context) => {
      const text = `${context.random.word(6)} Ω`
      const copied = `import pyperclip\npyperclip.copy(${pythonText(text)})`
      await assertEdits(context, '', [copied, "pyautogui.hotkey('ctrl', 'v')"], text)
      assert.equal(await printed(context, 'import pyperclip; print(pyperclip.paste())'), `${text}\n`, 'the output')
    },
    sabotage: {
      'has another clipboard': replaceInProgram(/pyperclip\.copy\(.*\)/, "pyperclip.copy('other')"),
    },
  },

  corner: {
    level: 'MUST',
    text: 'Programs go on after the pointer was in a corner of the screen.',
    source: sources.client,
    basis: { states: 'The prefix switches the fail-safe of pyautogui off.' },
    covers: ['OW-P1'],
    check: async (context) => {
      await act(context, 'pyautogui.moveTo(0, 0)', "pyautogui.press('shift'); pyautogui.moveTo(5, 5)")
      const { x, y } = await otherPoint(context)
      await act(context, `pyautogui.moveTo(${x}, ${y})`)
    },
    sabotage: {
      'raises its fail-safe': changeResult("press('shift'); pyautogui.moveTo(5, 5)", (json) => {
        json.returncode = 1
        json.error = 'Traceback (most recent call last):\npyautogui.FailSafeException\n'
      }),
    },
  },

  pictures: {
    level: 'SHOULD',
    text: 'screenshot works or fails with a traceback.',
    source: sources.expected,
    basis: { because: 'Agents use it rarely; a server need not have pictures in programs.' },
    covers: ['OW-F17'],
    check: async (context) => {
      const { returncode, output, error } = await runAction(context, 'print(pyautogui.screenshot().size)')
      if (returncode === 0) assert.match(output, /^\(\d+, \d+\)\n$/)
      else assert.match(error, /Traceback/, 'the error has no traceback')
    },
    sabotage: {
      'says nothing about pictures': changeResult('pyautogui.screenshot()', (json) => {
        json.returncode = 1
        json.error = ''
      }),
    },
  },
})
