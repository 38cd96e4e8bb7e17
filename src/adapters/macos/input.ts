import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../base/fault.ts'
import type { Button, Modifier } from '../../desktop/input/action.ts'
import { parseChord } from '../../desktop/input/keys.ts'
import type { Point } from '../../desktop/model/geometry.ts'
import type { PointerState } from '../computer.ts'
import { inputStopped } from '../real-input.ts'
import type { CfRef, MacFunctions, MacObjects } from './native.ts'

/** The event types and the number of a button: pressed, released, dragged. */
const BUTTONS: Readonly<Record<Button, readonly [down: number, up: number, drag: number, button: number]>> = {
  left: [1, 2, 6, 0],
  right: [3, 4, 7, 1],
  middle: [25, 26, 27, 2],
  back: [25, 26, 27, 3],
  forward: [25, 26, 27, 4],
}
const MOVED = 5
const FLAGS: Readonly<Record<Modifier, number>> = { shift: 0x20000, ctrl: 0x40000, alt: 0x80000, meta: 0x100000 }
const HARDWARE = 0
const CLICK_COUNT_FIELD = 1
const WHEEL_LINES = 1
/** An event carries at most this many UTF-16 units of text. */
const MAX_UNITS = 20
const DRAG_STEPS = 12
/** Programs count clicks by their distance in time. */
const HOLD_MS = 20

/** Pointer and keyboard. Events are posted where those of the hardware arrive. */
export type MacInput = ReturnType<typeof macInput>

/** Creates the input of a desktop, with places in pixels of which `scale` are a point. `signal` stops it. */
export function macInput(c: MacFunctions, objects: MacObjects, signal: AbortSignal, scale: () => number) {
  const buttons: Button[] = []
  const keys: string[] = []

  const assertRunning = () => {
    if (signal.aborted) throw inputStopped()
  }
  const pause = async (ms: number) => {
    assertRunning()
    if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {})
    assertRunning()
  }
  const flagsOf = (modifiers: readonly string[]): number =>
    [...new Set([...modifiers, ...keys])].reduce((flags, name) => flags | (FLAGS[name as Modifier] ?? 0), 0)

  const post = (event: CfRef, flags: number) => {
    c.setFlags(event, flags)
    c.post(HARDWARE, event)
  }
  const mouse = (kind: number, at: Point, button: number, count: number, modifiers: readonly Modifier[] = []) =>
    objects.scope((owner) => {
      const perPoint = scale()
      const point = { x: at.x / perPoint, y: at.y / perPoint }
      const event = owner.own(c.createMouseEvent(null, kind, point, button) as CfRef)
      c.setField(event, CLICK_COUNT_FIELD, count)
      post(event, flagsOf(modifiers))
    })
  const key = (name: string, isDown: boolean, modifiers: readonly Modifier[]) =>
    objects.scope((owner) => {
      const code = KEY_CODES.get(name.toLowerCase())
      if (code === undefined)
        throw new Fault('PlatformUnsupported', `the keyboard has no key ${name}; type_text types its character`)
      const shifted = name !== name.toLowerCase() ? (['shift'] as const) : []
      post(owner.own(c.createKeyEvent(null, code, isDown) as CfRef), flagsOf([...modifiers, ...shifted]))
    })
  const move = (at: Point) => {
    const [held] = buttons
    if (held) mouse(BUTTONS[held][2], at, BUTTONS[held][3], 1)
    else mouse(MOVED, at, 0, 0)
  }

  return {
    state(): PointerState {
      return objects.scope((owner) => {
        const { x, y } = c.locationOf(owner.own(c.createEvent(null) as CfRef))
        const perPoint = scale()
        const at = { x: Math.round(x * perPoint), y: Math.round(y * perPoint) }
        return { at, buttons: [...buttons], keys: [...keys] }
      })
    },
    pause,
    move(at: Point) {
      assertRunning()
      move(at)
    },
    press(button: Button, at: Point, modifiers: readonly Modifier[] = [], count = 1) {
      assertRunning()
      if (!buttons.includes(button)) buttons.push(button)
      mouse(BUTTONS[button][0], at, BUTTONS[button][3], count, modifiers)
    },
    /** Returns false if the button is not held. */
    release(button: Button, at: Point, modifiers: readonly Modifier[] = [], count = 1): boolean {
      if (!buttons.includes(button)) return false
      buttons.splice(buttons.indexOf(button), 1)
      mouse(BUTTONS[button][1], at, BUTTONS[button][3], count, modifiers)
      return true
    },
    async click(button: Button, at: Point, count: number, modifiers: readonly Modifier[]) {
      move(at)
      for (let number = 1; number <= count; number++) {
        this.press(button, at, modifiers, number)
        await pause(HOLD_MS).finally(() => this.release(button, at, modifiers, number))
      }
    },
    async drag(path: readonly Point[], button: Button, modifiers: readonly Modifier[], durationMs: number) {
      const [from, ...rest] = path as [Point, ...Point[]]
      move(from)
      this.press(button, from, modifiers)
      let last = from
      try {
        for (const to of rest) {
          for (let step = 1; step <= DRAG_STEPS; step++) {
            const part = step / DRAG_STEPS
            move({ x: Math.round(last.x + (to.x - last.x) * part), y: Math.round(last.y + (to.y - last.y) * part) })
            await pause(durationMs / rest.length / DRAG_STEPS)
          }
          last = to
        }
      } finally {
        this.release(button, last, modifiers)
      }
    },
    wheel(clicks: number, across: number, at: Point | undefined, modifiers: readonly Modifier[]) {
      assertRunning()
      if (at) move(at)
      const whole = (value: number) => (value === 0 ? 0 : Math.sign(value) * Math.max(1, Math.round(Math.abs(value))))
      objects.scope((owner) =>
        // macOS counts to the left and up.
        post(
          owner.own(c.createWheelEvent(null, WHEEL_LINES, 2, whole(clicks), whole(-across), 0) as CfRef),
          flagsOf(modifiers),
        ),
      )
    },
    /** `assertKeyboard` is called before each part, with the number of characters typed so far. */
    async type(text: string, assertKeyboard: (typed: number) => void) {
      let typed = 0
      for (const units of partsOf(text)) {
        assertKeyboard(typed)
        for (const isDown of [true, false]) {
          assertRunning()
          objects.scope((owner) => {
            const event = owner.own(c.createKeyEvent(null, 0, isDown) as CfRef)
            c.setText(event, units.length, units)
            post(event, 0)
          })
        }
        typed += units.length
        await pause(0)
      }
    },
    async chord(text: string, forMs = 0) {
      const { modifiers, key: name } = parseChord(text)
      assertRunning()
      key(name, true, modifiers)
      await pause(forMs).finally(() => key(name, false, modifiers))
    },
    keyDown(name: string) {
      assertRunning()
      key(name, true, [])
      if (!keys.includes(name)) keys.push(name)
    },
    /** Returns false if the key is not held. */
    keyUp(name: string): boolean {
      if (!keys.includes(name)) return false
      keys.splice(keys.indexOf(name), 1)
      key(name, false, [])
      return true
    },
    releaseAll() {
      const { at } = this.state()
      for (const button of [...buttons]) this.release(button, at)
      for (const name of [...keys]) this.keyUp(name)
    },
  }
}

/** Text in parts that one event carries. Surrogate pairs stay together. */
function* partsOf(text: string): Generator<Uint16Array> {
  let part = ''
  const unitsOf = (characters: string) =>
    Uint16Array.from({ length: characters.length }, (_, index) => characters.charCodeAt(index))
  for (const character of text) {
    if (part.length + character.length > MAX_UNITS) {
      yield unitsOf(part)
      part = ''
    }
    part += character
  }
  if (part !== '') yield unitsOf(part)
}

/** The names of the key codes 0 to 53 of a US keyboard in order (`kVK_…` of HIToolbox). Null where no key here has the code. */
const FIRST: readonly (string | null)[] = [
  ...[...'asdfhgzxcv'],
  null,
  ...[...'bqweryt123465=97-80]ou[ip'],
  'enter',
  ...[..."lj'k;\\,/nm."],
  'tab',
  'space',
  '`',
  'backspace',
  null,
  'escape',
]

/** The codes of F1 to F12. */
const FUNCTION_KEYS = [122, 120, 99, 118, 96, 97, 98, 100, 101, 109, 103, 111]

/** Key codes by the names of `parseChord`. */
const KEY_CODES: ReadonlyMap<string, number> = new Map<string, number>([
  ...FIRST.flatMap((key, code): [string, number][] => (key === null ? [] : [[key, code]])),
  ...FUNCTION_KEYS.map((code, index): [string, number] => [`f${index + 1}`, code]),
  ['meta', 55],
  ['shift', 56],
  ['capslock', 57],
  ['alt', 58],
  ['ctrl', 59],
  ['home', 115],
  ['pageup', 116],
  ['delete', 117],
  ['end', 119],
  ['pagedown', 121],
  ['left', 123],
  ['right', 124],
  ['down', 125],
  ['up', 126],
])
