import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../base/fault.ts'
import type { Button, Modifier } from '../../../desktop/input/action.ts'
import { type Chord, characterOf, modifierOf } from '../../../desktop/input/keys.ts'
import { contains, type Point } from '../../../desktop/model/geometry.ts'
import type { PointerState } from '../../computer.ts'
import {
  DOUBLE_CLICK_PX,
  GAP_MS,
  HOLD_MS,
  inputStopped,
  MAX_HELD_KEYS_MS,
  MAX_STROKES_AT_ONCE,
  MAX_TYPING_PING_MS,
  MIN_DRAG_STEPS,
  type UserActivity,
} from '../../real-input.ts'
import type { WindowHandle } from '../native-windows.ts'
import {
  buttonEvent,
  type Drained,
  type InputEvent,
  type InputFunctions,
  keyEvent,
  MODIFIER_KEYS,
  moveEvent,
  VIRTUAL_KEYS,
  wheelAcrossEvent,
  wheelEvent,
} from './input-events.ts'
import { type KeyboardLayout, type KeyboardTarget, planKeys, planStroke, planWindowsText } from './keyboard.ts'

/** Pointer and keyboard through `SendInput`. */
export type WindowsInput = ReturnType<typeof windowsInput>

/** Creates pointer and keyboard. `signal` aborts the running action immediately, with no key or button left down. */
export function windowsInput(functions: InputFunctions, person: UserActivity, signal: AbortSignal) {
  const send = (events: readonly InputEvent[]) => {
    if (events.length === 0) return
    const accepted = functions.send(events)
    person.recordOwnInput()
    if (accepted < events.length)
      throw new Fault('PlatformUnsupported', 'Windows did not accept the input; another program blocks it')
  }
  const button = (each: Button, isDown: boolean) => buttonEvent(each, isDown, functions.hasSwappedButtons())
  const held = windowsHeldInput(send, button)
  signal.addEventListener('abort', held.releaseAll, { once: true })
  let last: { readonly at: Point; readonly button: Button; readonly atMs: number } | undefined

  const throwIfStopped = () => {
    if (signal.aborted) throw inputStopped()
  }
  const pause = async (ms: number) => {
    throwIfStopped()
    if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {})
    throwIfStopped()
  }
  const moveTo = (at: Point) => {
    const screen = functions.screen()
    if (!contains(screen, at))
      throw new Fault(
        'BadRequest',
        `the point ${at.x},${at.y} is not on the screen, which is ${screen.width}×${screen.height}`,
        { ...at },
      )
    throwIfStopped()
    send([moveEvent(at, screen)])
    const { x, y } = functions.pointer()
    if (x !== at.x || y !== at.y) functions.setPointer(at.x, at.y)
  }
  const modifierEvents = (modifiers: readonly string[], isDown: boolean) =>
    modifiers.map((name) => {
      const key = VIRTUAL_KEYS.get(name)!
      return keyEvent(key, functions.scanCode(key.code), isDown)
    })
  /** Presses held modifiers again that the system has released, as Wine does when the pointer moves. */
  const pressLostModifiers = () => {
    const lost = MODIFIER_KEYS.filter(
      (name) => held.keys.includes(name) && !functions.isDown(VIRTUAL_KEYS.get(name)!.code),
    )
    send(modifierEvents(lost, true))
  }
  /**
   * Moves the pointer and waits until the program below it knows, because one that was busy may still process an older
   * movement, which takes the pointer back.
   */
  const moveAndWait = async (at: Point) => {
    for (let attempt = 0; attempt < MAX_MOVES; attempt++) {
      moveTo(at)
      await functions.drain(functions.windowAt(at), MAX_MOVE_PING_MS)
      await pause(HOLD_MS)
      const { x, y } = functions.pointer()
      if (x === at.x && y === at.y) break
    }
    pressLostModifiers()
  }
  /** Moves in small steps, since programs start a drag only after several movements. */
  const moveInSteps = async (from: Point, to: Point, durationMs: number) => {
    const steps = Math.max(MIN_DRAG_STEPS, Math.round(durationMs / 16))
    let at = from
    for (let step = 1; step <= steps; step++) {
      const part = step / steps
      await person.requireIdle(at)
      at = { x: Math.round(from.x + (to.x - from.x) * part), y: Math.round(from.y + (to.y - from.y) * part) }
      moveTo(at)
      await pause(Math.max(HOLD_MS, durationMs / steps))
    }
  }
  /** Runs `act` while modifiers are down. Always releases them. */
  const withModifiers = async (modifiers: readonly Modifier[], act: () => Promise<void>) => {
    throwIfStopped()
    const pressed = modifiers.filter((name) => !held.keys.includes(name))
    send(modifierEvents(pressed, true))
    try {
      await act()
    } finally {
      send(modifierEvents([...pressed].reverse(), false))
    }
  }
  /** Starts an action with a press late enough not to form a double click with the previous press. */
  const spaced = async (at: Point, each: Button, press: () => Promise<void>) => {
    if (last) {
      const isNear = Math.abs(last.at.x - at.x) <= DOUBLE_CLICK_PX && Math.abs(last.at.y - at.y) <= DOUBLE_CLICK_PX
      const apartMs = last.button === each && isNear ? functions.doubleClickMs() + GAP_MS : GAP_MS
      await pause(last.atMs + apartMs - Date.now())
    }
    try {
      await press()
    } finally {
      last = { at, button: each, atMs: Date.now() }
    }
  }
  /** Waits until nobody else holds modifiers, which would turn text into commands. */
  const withoutForeignModifiers = async () => {
    const deadline = Date.now() + MAX_HELD_KEYS_MS
    const foreign = () =>
      MODIFIER_KEYS.filter((name) => !held.keys.includes(name) && functions.isDown(VIRTUAL_KEYS.get(name)!.code))
    for (let down = foreign(); down.length > 0; down = foreign()) {
      if (Date.now() > deadline)
        throw new Fault(
          'Timeout',
          `a person has held ${down.join(' and ')} for ${MAX_HELD_KEYS_MS} ms; nothing was typed`,
        )
      await pause(GAP_MS)
    }
  }
  /**
   * Waits until the program has taken the text so far, so that typing does not outrun it and can still be stopped. Returns false
   * for one that does not paint: from then on it only has to respond.
   */
  const requireTaken = async (target: KeyboardTarget, paints: boolean): Promise<boolean> => {
    const control = target.control()
    if (control === 0) return paints
    const drained = paints ? await functions.drain(control, MAX_TYPING_PING_MS) : await respondsOnly(control)
    if (drained === 'hangs')
      throw new Fault('Timeout', `the application has not processed typed text for ${MAX_TYPING_PING_MS} ms`)
    return drained === 'taken'
  }
  const respondsOnly = async (control: WindowHandle): Promise<Drained> =>
    (await functions.responds(control, MAX_TYPING_PING_MS)) ? 'pending' : 'hangs'
  const layoutFor = ({ threadId }: KeyboardTarget): KeyboardLayout => ({
    keyOf: (character) => functions.keyOf(character, threadId),
    scanCode: functions.scanCode,
  })
  const holdsCommand = () => held.keys.some((key) => modifierOf(key) !== undefined && key !== 'shift')

  return {
    pause,
    throwIfStopped,
    state: (): PointerState => ({ at: functions.pointer(), buttons: held.buttons, keys: held.keys }),
    async move(to: Point) {
      if (held.buttons.length > 0) await moveInSteps(functions.pointer(), to, MIN_DRAG_STEPS * HOLD_MS)
      else await moveAndWait(to)
    },
    async click(at: Point, each: Button, count: number, modifiers: readonly Modifier[] = []) {
      await spaced(at, each, async () => {
        await moveAndWait(at)
        await withModifiers(modifiers, async () => {
          // The press of a held button changes nothing, and the release ends the hold.
          if (held.releaseButton(each)) return
          const [down, up] = [button(each, true), button(each, false)]
          // Several clicks are sent at once, because a delay of this process would split a double click.
          if (count > 1) return send(Array.from({ length: count }, () => [down, up]).flat())
          send([down])
          try {
            await pause(HOLD_MS)
          } finally {
            send([up])
          }
        })
      })
    },
    /** Drags through all points of a path. */
    async drag(path: readonly Point[], each: Button, durationMs: number, modifiers: readonly Modifier[]) {
      const [first, ...others] = path as [Point, ...Point[]]
      await spaced(first, each, async () => {
        await moveAndWait(first)
        await withModifiers(modifiers, async () => {
          held.releaseButton(each)
          send([button(each, true)])
          try {
            await pause(GAP_MS)
            let from = first
            for (const to of others) {
              await moveInSteps(from, to, durationMs / others.length)
              from = to
            }
          } finally {
            send([button(each, false)])
          }
        })
      })
    },
    /** Turns the wheel by whole clicks. Positive ones scroll up, and `across` to the right. */
    async scroll(clicks: number, across = 0, modifiers: readonly Modifier[] = []) {
      await withModifiers(modifiers, async () => {
        for (const [total, event] of [
          [clicks, wheelEvent],
          [across, wheelAcrossEvent],
        ] as const)
          for (let click = 0; click < Math.abs(total); click++) {
            await person.waitUntilIdle()
            throwIfStopped()
            send([event(Math.sign(total))])
            await pause(HOLD_MS)
          }
      })
    },
    /** Presses a button and holds it. Returns false if it is down already. */
    async pressButton(at: Point, each: Button): Promise<boolean> {
      await moveAndWait(at)
      return held.pressButton(each)
    },
    /** Moves there and releases a button. Returns false if it is not down. */
    async releaseButton(at: Point, each: Button): Promise<boolean> {
      const from = functions.pointer()
      if (from.x !== at.x || from.y !== at.y) await moveInSteps(from, at, MIN_DRAG_STEPS * HOLD_MS)
      await pause(HOLD_MS)
      return held.releaseButton(each)
    },
    /** Whether keys that are held make a key a command. */
    holdsCommand,
    /** Presses a key and holds it. */
    pressKey(key: string, target: KeyboardTarget) {
      throwIfStopped()
      target.check(0)
      const { press, release } = planKeys(layoutFor(target), { modifiers: [], key }, held.keys)
      held.pressKey(key, press, release)
    },
    /** Returns false if the key is not down. */
    releaseKey: held.releaseKey,
    /** Holds a chord for a time, in which it repeats as the user has set it. */
    async hold(chord: Chord, forMs: number, target: KeyboardTarget) {
      throwIfStopped()
      const { press, release } = planKeys(layoutFor(target), chord, held.keys)
      target.check(0)
      send(press)
      try {
        const deadline = Date.now() + forMs
        await pause(Math.min(forMs, REPEAT_DELAY_MS))
        // The keyboard repeats its keys itself, but nobody repeats those that programs send.
        for (const repeated = press.slice(-1); Date.now() < deadline; ) {
          target.check(0)
          send(repeated)
          await pause(Math.min(REPEAT_MS, Math.max(0, deadline - Date.now())))
        }
      } finally {
        send(release)
      }
    },
    /** Presses and releases a chord. */
    async press(chord: Chord, target: KeyboardTarget) {
      throwIfStopped()
      await withoutForeignModifiers()
      target.check(0)
      send(planStroke(layoutFor(target), chord, held.keys))
    },
    /** Types a text into the window with the keyboard. Stops when another window gets it. */
    async type(text: string, target: KeyboardTarget) {
      throwIfStopped()
      await withoutForeignModifiers()
      const layout = layoutFor(target)
      const strokes = holdsCommand()
        ? [...text].map((character) => planStroke(layout, { modifiers: [], key: character }, held.keys))
        : planWindowsText(layout, text)
      let paints = true
      for (let at = 0; at < strokes.length; at += MAX_STROKES_AT_ONCE) {
        await person.waitUntilIdle()
        throwIfStopped()
        target.check(at)
        send(strokes.slice(at, at + MAX_STROKES_AT_ONCE).flat())
        if (strokes.length > MAX_STROKES_AT_ONCE) {
          paints = await requireTaken(target, paints)
          await pause(HOLD_MS)
        }
      }
    },
    releaseAll: held.releaseAll,
  }
}

const MAX_MOVES = 3
const MAX_MOVE_PING_MS = 200

/** The defaults of Windows. */
const REPEAT_DELAY_MS = 500
const REPEAT_MS = 33

/** Whether a chord only produces a character. */
export const isTextChord = (chord: Chord): boolean => characterOf(chord) !== undefined

/** The buttons and keys that stay down between actions. */
export interface WindowsHeldInput {
  readonly buttons: readonly Button[]
  readonly keys: readonly string[]
  /** Sends the events that press a button. Returns false if it is down already. */
  pressButton(button: Button): boolean
  /** Returns false if the button is not down. */
  releaseButton(button: Button): boolean
  /** Sends the events that press a key, and remembers those that release it. Returns false if it is down already. */
  pressKey(key: string, press: readonly InputEvent[], release: readonly InputEvent[]): boolean
  /** Returns false if the key is not down. */
  releaseKey(key: string): boolean
  releaseAll(): void
}

/** Creates held input on a desktop. `button` creates the event of a button. */
function windowsHeldInput(
  send: (events: readonly InputEvent[]) => void,
  button: (button: Button, isDown: boolean) => InputEvent,
): WindowsHeldInput {
  const buttons = new Set<Button>()
  const keys = new Map<string, readonly InputEvent[]>()
  const releaseButton = (each: Button): boolean => {
    if (!buttons.delete(each)) return false
    send([button(each, false)])
    return true
  }
  const releaseKey = (key: string): boolean => {
    const release = keys.get(key)
    if (!release) return false
    keys.delete(key)
    send(release)
    return true
  }
  return {
    get buttons() {
      return [...buttons]
    },
    get keys() {
      return [...keys.keys()]
    },
    pressButton(each) {
      if (buttons.has(each)) return false
      buttons.add(each)
      send([button(each, true)])
      return true
    },
    releaseButton,
    pressKey(key, press, release) {
      if (keys.has(key)) return false
      keys.set(key, release)
      send(press)
      return true
    },
    releaseKey,
    releaseAll() {
      for (const each of [...buttons]) releaseButton(each)
      for (const key of [...keys.keys()].reverse()) releaseKey(key)
    },
  }
}
