import { KEY_NAMES } from '../../../desktop/input/keys.ts'
import type { Point } from '../../../desktop/model/geometry.ts'
import {
  MAX_SLEEP_SECONDS,
  nativeFunction,
  nativeModule,
  optionalNumber,
  type Parameter,
  type PointerButton,
  type ProgramMachine,
  requiredNumber,
  requireString,
} from './native.ts'
import {
  bool,
  exceptionClass,
  float,
  type GivenArguments,
  int,
  isTrue,
  iterableItems,
  type Module,
  type NamedTuple,
  NONE,
  numberOf,
  PythonError,
  repr,
  str,
  tuple,
  typeName,
  type Value,
} from './value.ts'

const POINT: NamedTuple = { type: 'Point', fields: ['x', 'y'] }
const SIZE: NamedTuple = { type: 'Size', fields: ['width', 'height'] }

const optional = (name: string, otherwise: Value = NONE): Parameter => ({ name, default: otherwise })
const COMMON = [optional('logScreenshot'), optional('_pause', bool(true))]
const XY = [optional('x'), optional('y')]
const MOVE = [optional('duration', float(0)), optional('tween')]
const INTERVAL = optional('interval', float(0))
const BUTTON = optional('button', str('primary'))

/** Names of pyautogui's constants that programs set. Only `PAUSE` has an effect here. */
const ASSIGNABLE = ['FAILSAFE', 'PAUSE', 'MINIMUM_DURATION', 'MINIMUM_SLEEP', 'LOG_SCREENSHOTS', 'DARWIN_CATCH_UP_TIME']

/** Functions of pyautogui that need pictures, windows or dialogs of the machine that runs Python. */
const UNSUPPORTED = [
  ...['screenshot', 'locateOnScreen', 'locateCenterOnScreen', 'locateAllOnScreen', 'locate', 'center', 'pixel'],
  ...['pixelMatchesColor', 'alert', 'confirm', 'prompt', 'password', 'getActiveWindow', 'getAllWindows'],
  ...['getWindowsWithTitle', 'getActiveWindowTitle', 'getAllTitles', 'displayMousePosition', 'mouseInfo', 'run'],
]

const TWEENS = [
  'linear',
  ...['Quad', 'Cubic', 'Quart', 'Quint', 'Sine', 'Expo', 'Circ', 'Elastic', 'Back', 'Bounce'].flatMap((curve) => [
    `easeIn${curve}`,
    `easeOut${curve}`,
    `easeInOut${curve}`,
  ]),
]

/**
 * The module `pyautogui` 0.9.54 over a machine. Durations and intervals pass in the time of the desktop. The pause after
 * each call is 0 until the program sets `PAUSE`. As in the original, unknown keys and characters without a key are skipped.
 */
export function createPyautogui(machine: ProgramMachine): readonly [string, Module] {
  let pauseMs = 0
  const settings = new Map<string, Value>(ASSIGNABLE.map((name) => [name, float(0)]))

  /** An acting function. Ends with the pause. */
  const action = (
    names: readonly string[],
    parameters: readonly Parameter[],
    run: (bound: ReadonlyMap<string, Value>) => Promise<void>,
  ) =>
    names.map((name) =>
      nativeFunction(name, [...parameters, ...COMMON], async (bound) => {
        await run(bound)
        if (isTrue(bound.get('_pause')!)) await wait(pauseMs)
        return undefined
      }),
    )

  const wait = async (ms: number): Promise<void> => {
    if (ms > 0) await machine.wait(ms)
  }

  const pointIn = async (bound: ReadonlyMap<string, Value>): Promise<Point | undefined> => {
    const point = coordinatesOf(bound)
    if (point.x === undefined && point.y === undefined) return undefined
    const pointer = await machine.position()
    return onScreen({ x: point.x ?? pointer.x, y: point.y ?? pointer.y })
  }

  /** Like X, which keeps the pointer on the screen. */
  const onScreen = async ({ x, y }: Point): Promise<Point> => {
    const { width, height } = await machine.size()
    return { x: clamp(Math.trunc(x), width - 1), y: clamp(Math.trunc(y), height - 1) }
  }

  const offsetFrom = async (bound: ReadonlyMap<string, Value>): Promise<Point> => {
    const { x = 0, y = 0 } = coordinatesOf(bound, 'xOffset', 'yOffset')
    const pointer = await machine.position()
    return onScreen({ x: pointer.x + x, y: pointer.y + y })
  }

  const clicks = (names: readonly string[], parameters: readonly Parameter[], fixed: FixedClick) =>
    action(names, [...XY, ...parameters, ...MOVE], async (bound) => {
      const at = await pointIn(bound)
      const button = fixed.button ?? buttonOf(bound)
      const count = fixed.count ?? repeatCount(bound, 'clicks')
      const intervalMs = durationMsOf(bound, 'interval')
      await wait(durationMsOf(bound, 'duration'))
      if (count === 0) {
        if (at) await machine.move(at)
        return
      }
      await clickRepeatedly(machine, { at, button, count, intervalMs })
    })

  const drag = async (to: Point, bound: ReadonlyMap<string, Value>): Promise<void> => {
    const durationMs = durationMsOf(bound, 'duration')
    if (isTrue(bound.get('mouseDownUp')!)) return machine.drag(to, buttonOf(bound), durationMs)
    await wait(durationMs)
    await machine.move(to)
  }

  const scroll = (names: readonly string[], isHorizontal: boolean) =>
    action(names, [{ name: 'clicks' }, ...XY], async (bound) => {
      const amount = Math.trunc(requiredNumber(bound, 'clicks'))
      await machine.scroll(isHorizontal ? amount : 0, isHorizontal ? 0 : -amount, await pointIn(bound))
    })

  const key = (name: string, run: (key: string) => Promise<void>) =>
    action([name], [{ name: 'key' }], async (bound) => {
      const wanted = pressableKey(requireString(bound.get('key'), 'key'))
      if (wanted !== undefined) await run(wanted)
    })

  const dragging = [...MOVE, BUTTON]
  const mouseDownUp = optional('mouseDownUp', bool(true))

  return nativeModule(
    'pyautogui',
    new Map<string, Value>([
      ...settings,
      ...TWEENS.map((name) => [name, { kind: 'object', text: `<function ${name}>` }] as const),
      ['LEFT', str('left')],
      ['MIDDLE', str('middle')],
      ['RIGHT', str('right')],
      ['PRIMARY', str('primary')],
      ['SECONDARY', str('secondary')],
      ...['PyAutoGUIException', 'FailSafeException', 'ImageNotFoundException'].map(
        (name) => [name, exceptionClass(name)] as const,
      ),
      nativeFunction('position', XY, async () => {
        const { x, y } = await machine.position()
        return tuple([int(x), int(y)], POINT)
      }),
      nativeFunction('size', [], async () => {
        const { width, height } = await machine.size()
        return tuple([int(width), int(height)], SIZE)
      }),
      nativeFunction('onScreen', [{ name: 'x' }, optional('y')], async (bound) => {
        const { x, y } = coordinatesOf(bound)
        const { width, height } = await machine.size()
        return bool(x !== undefined && y !== undefined && x >= 0 && x < width && y >= 0 && y < height)
      }),
      ...action(['moveTo'], [...XY, ...MOVE], async (bound) => {
        const to = await pointIn(bound)
        await wait(durationMsOf(bound, 'duration'))
        if (to) await machine.move(to)
      }),
      ...action(['moveRel', 'move'], [optional('xOffset'), optional('yOffset'), ...MOVE], async (bound) => {
        const to = await offsetFrom(bound)
        await wait(durationMsOf(bound, 'duration'))
        await machine.move(to)
      }),
      ...clicks(['click'], [optional('clicks', int(1)), INTERVAL, BUTTON], {}),
      ...clicks(['leftClick'], [INTERVAL], { button: 'left', count: 1 }),
      ...clicks(['rightClick'], [INTERVAL], { button: 'right', count: 1 }),
      ...clicks(['middleClick'], [INTERVAL], { button: 'middle', count: 1 }),
      ...clicks(['doubleClick'], [INTERVAL, BUTTON], { count: 2 }),
      ...clicks(['tripleClick'], [INTERVAL, BUTTON], { count: 3 }),
      ...action(['mouseDown'], [...XY, BUTTON, ...MOVE], async (bound) => {
        const at = await pointIn(bound)
        await wait(durationMsOf(bound, 'duration'))
        await machine.mouseDown(buttonOf(bound), at)
      }),
      ...action(['mouseUp'], [...XY, BUTTON, ...MOVE], async (bound) => {
        const at = await pointIn(bound)
        await wait(durationMsOf(bound, 'duration'))
        await machine.mouseUp(buttonOf(bound), at)
      }),
      ...action(['dragTo'], [...XY, ...dragging, mouseDownUp], async (bound) => {
        const to = await pointIn(bound)
        if (to) await drag(to, bound)
      }),
      ...action(
        ['dragRel', 'drag'],
        [optional('xOffset', int(0)), optional('yOffset', int(0)), ...dragging, mouseDownUp],
        async (bound) => drag(await offsetFrom(bound), bound),
      ),
      ...scroll(['scroll', 'vscroll'], false),
      ...scroll(['hscroll'], true),
      ...key('keyDown', (name) => machine.keyDown(name)),
      ...key('keyUp', (name) => machine.keyUp(name)),
      nativeFunction('hold', [{ name: 'keys' }, ...COMMON], (bound) => {
        const keys = keyNamesOf(bound.get('keys')!).flatMap((name) => pressableKey(name) ?? [])
        const each = async (run: (key: string) => Promise<void>) => {
          for (const name of keys) await run(name)
          if (isTrue(bound.get('_pause')!)) await wait(pauseMs)
        }
        const manager = {
          enter: () => each((name) => machine.keyDown(name)),
          exit: () => each((name) => machine.keyUp(name)),
        }
        return { kind: 'object', text: '<pyautogui.hold>', manager }
      }),
      ...action(['press'], [{ name: 'keys' }, optional('presses', int(1)), INTERVAL], async (bound) => {
        const keys = keyNamesOf(bound.get('keys')!).flatMap((name) => pressableKey(name) ?? [])
        const times = repeatCount(bound, 'presses')
        const intervalMs = durationMsOf(bound, 'interval')
        if (keys.length === 1 && intervalMs === 0) {
          if (times > 0) await machine.press(keys[0]!, times)
          return
        }
        for (let time = 0; time < times; time++) {
          for (const name of keys) await machine.press(name, 1)
          await wait(intervalMs)
        }
      }),
      ...action(['typewrite', 'write'], [{ name: 'message' }, INTERVAL], async (bound) =>
        writeKeys(machine, bound.get('message')!, durationMsOf(bound, 'interval')),
      ),
      [
        'hotkey',
        {
          kind: 'function',
          name: 'hotkey',
          call: async (given) => {
            const keys = hotkeyNames(given)
            if (keys.length > 0) await machine.hotkey(keys)
            await wait(pauseMs)
            return NONE
          },
        },
      ],
      nativeFunction('sleep', [{ name: 'seconds' }], async (bound) => {
        await wait(durationSeconds(requiredNumber(bound, 'seconds')) * 1000)
        return undefined
      }),
      ...UNSUPPORTED.map((name) =>
        nativeFunction(name, [], () => {
          throw new PythonError('NotImplementedError', `pyautogui.${name} is not supported by this desktop`)
        }),
      ),
    ]),
    (name, value) => {
      if (!settings.has(name))
        throw new PythonError('AttributeError', `pyautogui.${name} cannot be assigned; ${ASSIGNABLE.join(', ')} can`)
      if (name !== 'PAUSE') return
      const number = numberOf(value)
      if (number === undefined) throw new PythonError('TypeError', `PAUSE must be a number, not ${typeName(value)}`)
      pauseMs = durationSeconds(number) * 1000
    },
  )
}

interface FixedClick {
  readonly button?: PointerButton
  readonly count?: number
}

const clamp = (value: number, max: number): number => Math.max(0, Math.min(max, value))

interface Clicks {
  readonly at: Point | undefined
  readonly button: PointerButton
  readonly count: number
  readonly intervalMs: number
}

/** Up to three clicks without an interval are one gesture: a double or triple click. */
async function clickRepeatedly(machine: ProgramMachine, { at, button, count, intervalMs }: Clicks): Promise<void> {
  if (intervalMs === 0 || count === 1) {
    for (let left = count; left > 0; left -= MAX_TOGETHER) await machine.click(button, Math.min(MAX_TOGETHER, left), at)
    if (intervalMs > 0) await machine.wait(intervalMs)
    return
  }
  // The desktop counts presses that follow each other quickly, so that these may be a double click or not.
  for (let done = 0; done < count; done++) {
    await machine.mouseDown(button, at)
    await machine.mouseUp(button, at)
    await machine.wait(intervalMs)
  }
}

/** Clicks of one call that count as a triple click at most. */
const MAX_TOGETHER = 3

/** The longest duration, and the longest pause between characters, of one call that types. */
const MAX_TYPING_MS = 60_000
const MAX_PAUSE_MS = 10_000

/** Types a string, or presses the keys of a list of names. */
async function writeKeys(machine: ProgramMachine, message: Value, intervalMs: number): Promise<void> {
  const keys = message.kind === 'str' ? [...message.value] : keyNamesOf(message).map((name) => pressableKey(name) ?? '')
  const pauseMs = Math.round(intervalMs)
  const most = pauseMs > 0 ? Math.max(1, Math.floor(MAX_TYPING_MS / pauseMs)) : Number.POSITIVE_INFINITY
  // A pause that is too long for one call passes after each character.
  const isOneCall = pauseMs <= MAX_PAUSE_MS
  let text = ''
  const flush = async () => {
    if (text !== '') await machine.type(text, isOneCall ? pauseMs : 0)
    if (text !== '' && !isOneCall) await machine.wait(intervalMs)
    text = ''
  }
  for (const key of keys) {
    if (!isKey(key)) continue
    if (key.length > 1 || CONTROL.has(key)) {
      await flush()
      await machine.press(key, 1)
      if (intervalMs > 0) await machine.wait(intervalMs)
    } else text += key
    if (!isOneCall || [...text].length >= most) await flush()
  }
  await flush()
}

const CONTROL: ReadonlySet<string> = new Set(['\n', '\r', '\t'])

const MAX_REPEATS = 1_000

/** The coordinates of a call: two numbers, or both as a sequence in place of the first. */
function coordinatesOf(
  bound: ReadonlyMap<string, Value>,
  xName = 'x',
  yName = 'y',
): { readonly x: number | undefined; readonly y: number | undefined } {
  const first = bound.get(xName)!
  if (first.kind === 'str')
    throw new PythonError('NotImplementedError', 'images are not searched on this screen; give x and y in pixels')
  const items = iterableItems(first)
  if (!items) return { x: optionalNumber(bound, xName), y: optionalNumber(bound, yName) }
  if (items.length !== 2 && items.length !== 4)
    throw new PythonError('PyAutoGUIException', `a point has 2 numbers, not ${items.length}: ${repr(first)}`)
  const [left, top, width = 0, height = 0] = items.map((item) => {
    const number = numberOf(item)
    if (number === undefined || !Number.isFinite(number))
      throw new PythonError('TypeError', `a coordinate must be a number, not ${typeName(item)}`)
    return number
  }) as [number, number, number?, number?]
  return { x: left + width / 2, y: top + height / 2 }
}

const BUTTONS: Readonly<Record<string, PointerButton | undefined>> = Object.assign(Object.create(null), {
  left: 'left',
  primary: 'left',
  '1': 'left',
  middle: 'middle',
  '2': 'middle',
  right: 'right',
  secondary: 'right',
  '3': 'right',
} satisfies Record<string, PointerButton>)

function buttonOf(bound: ReadonlyMap<string, Value>): PointerButton {
  const value = bound.get('button')!
  const name = value.kind === 'str' ? value.value.toLowerCase() : value.kind === 'int' ? String(value.value) : ''
  const button = BUTTONS[name]
  if (button) return button
  throw new PythonError(
    'PyAutoGUIException',
    `button argument must be one of ('left', 'middle', 'right', 'primary', 'secondary', 1, 2, 3), not ${repr(value)}`,
  )
}

function durationSeconds(value: number): number {
  if (!(value >= 0)) throw new PythonError('ValueError', 'a duration must not be negative')
  if (value > MAX_SLEEP_SECONDS)
    throw new PythonError('ValueError', `a duration is at most ${MAX_SLEEP_SECONDS} seconds on this desktop`)
  return value
}

const durationMsOf = (bound: ReadonlyMap<string, Value>, name: string): number =>
  Math.round(durationSeconds(optionalNumber(bound, name) ?? 0) * 1000)

function repeatCount(bound: ReadonlyMap<string, Value>, name: string): number {
  const count = Math.trunc(requiredNumber(bound, name))
  if (count > MAX_REPEATS) throw new PythonError('ValueError', `${name} is at most ${MAX_REPEATS} on this desktop`)
  return Math.max(0, count)
}

/** A key's name as pyautogui compares it: long names in lower case. Undefined for a name that it does not know. */
function pressableKey(text: string): string | undefined {
  const name = [...text].length > 1 ? text.toLowerCase() : text
  return isKey(name) ? name : undefined
}

function keyNamesOf(value: Value): readonly string[] {
  if (value.kind === 'str') return [value.value]
  const items = iterableItems(value)
  if (!items) throw new PythonError('TypeError', `keys must be a string or a list of strings, not ${typeName(value)}`)
  if (items.length > MAX_REPEATS) throw new PythonError('ValueError', `at most ${MAX_REPEATS} keys in one call`)
  return items.map((item) => requireString(item, 'a key'))
}

function hotkeyNames({ positional, keywords }: GivenArguments): readonly string[] {
  for (const keyword of keywords.keys())
    if (!['interval', 'logScreenshot', '_pause'].includes(keyword))
      throw new PythonError('TypeError', `hotkey() got an unexpected keyword argument '${keyword}'`)
  const keys =
    positional.length === 1 ? keyNamesOf(positional[0]!) : positional.map((value) => requireString(value, 'a key'))
  return keys.flatMap((name) => pressableKey(name) ?? [])
}

const NAMES: ReadonlySet<string> = new Set([...KEY_NAMES.values()].flatMap(({ pyautogui }) => pyautogui))

/** Whether pyautogui can press the key on a US keyboard: a printable ASCII character, a line end, a tab, or a named key. */
const isKey = (name: string): boolean =>
  name.length === 1 ? (name >= ' ' && name <= '~') || '\t\n\r'.includes(name) : NAMES.has(name)
