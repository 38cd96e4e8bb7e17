import { Fault } from '../../../base/fault.ts'
import { type Chord, characterOf } from '../../../desktop/input/keys.ts'
import { keyboardTaken } from '../../real-input.ts'
import { assertReachable, type DesktopAccess } from '../desktop-access.ts'
import { hwndOf, type WindowFunctions, type WindowHandle } from '../native-windows.ts'
import {
  characterEvents,
  type InputEvent,
  keyEvent,
  type LayoutKey,
  VIRTUAL_KEYS,
  type VirtualKey,
} from './input-events.ts'

/** The keyboard as the window with the keyboard has it. */
export interface KeyboardLayout {
  keyOf(character: string): LayoutKey | undefined
  scanCode(code: number): number
}

/** The events of a chord in two halves. */
export interface KeyPlan {
  readonly press: readonly InputEvent[]
  readonly release: readonly InputEvent[]
}

const named = (name: string): VirtualKey => VIRTUAL_KEYS.get(name)!

/**
 * Plans a chord. Keys that are `held` already are neither pressed nor released. Throws `PlatformUnsupported` when the keyboard
 * does not have the key.
 */
export function planKeys(layout: KeyboardLayout, { modifiers, key }: Chord, held: readonly string[]): KeyPlan {
  const keys = keysOf(layout, key)
  if (!keys)
    throw new Fault(
      'PlatformUnsupported',
      `the keyboard of this desktop has no ${key} key; type_text types its character`,
    )
  const all = [...modifiers.map(named), ...keys]
  const isHeld = (code: number) => held.some((name) => VIRTUAL_KEYS.get(name)?.code === code)
  const pressed = all.filter(({ code }, at) => !isHeld(code) && all.findIndex((each) => each.code === code) === at)
  const events = (isDown: boolean) => pressed.map((each) => keyEvent(each, layout.scanCode(each.code), isDown))
  return { press: events(true), release: events(false).reverse() }
}

/** Plans a chord that is pressed and released. A character that the keyboard does not have is typed as text. */
export function planStroke(layout: KeyboardLayout, chord: Chord, held: readonly string[]): readonly InputEvent[] {
  const character = characterOf(chord)
  // Layouts of Wine name keys for characters of the third level that do not produce them.
  const isAscii = character !== undefined && character <= '~'
  if (character !== undefined && !(isAscii && keysOf(layout, chord.key)))
    return planWindowsText(layout, character).flat()
  const { press, release } = planKeys(layout, chord, held)
  return [...press, ...release]
}

/** Plans the strokes of a text, each a character. */
export const planWindowsText = (layout: KeyboardLayout, text: string): readonly (readonly InputEvent[])[] =>
  textStrokes(text, (name) => {
    const key = named(name)
    const scan = layout.scanCode(key.code)
    return [keyEvent(key, scan, true), keyEvent(key, scan, false)]
  })

/** The keys that produce a key of a chord, modifiers first. */
function keysOf(layout: KeyboardLayout, key: string): readonly VirtualKey[] | undefined {
  const known = VIRTUAL_KEYS.get(key)
  if (known) return [known]
  const found = layout.keyOf(key)
  return (
    found && [
      ...(found.altGr ? [named('ctrl'), named('alt')] : []),
      ...(found.shift ? [named('shift')] : []),
      { code: found.code },
    ]
  )
}

/** Creates the events that press and release a key by its name. */
export type PressKey = (name: 'enter' | 'tab' | 'backspace') => readonly InputEvent[]

const CONTROL_KEYS: Readonly<Record<string, Parameters<PressKey>[0]>> = {
  '\n': 'enter',
  '\r': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
}

/**
 * The events that type each character of a text, surrogate pairs together. Line ends and tabs are keys, because programs
 * ignore them as characters.
 */
export function textStrokes(text: string, press: PressKey): readonly (readonly InputEvent[])[] {
  return [...text.replaceAll('\r\n', '\n')].map((character) => {
    const key = CONTROL_KEYS[character]
    if (key) return press(key)
    return Array.from({ length: character.length }, (_, unit) => characterEvents(character.charCodeAt(unit))).flat()
  })
}

/** The window that gets keys. */
export interface KeyboardTarget {
  /** 0 when no window has the keyboard. */
  readonly hwnd: WindowHandle
  readonly threadId: number
  /** The control in it that has the keyboard now, or the window itself. */
  control(): WindowHandle
  /** Throws `WindowOccluded` when another window has got the keyboard meanwhile. `typed` characters were sent. */
  check(typed: number): void
}

/** The desktop and its bar take keys, but no text. */
const NO_TEXT: ReadonlySet<string> = new Set(['Progman', 'WorkerW', 'Shell_TrayWnd', '#32769', ''])

/**
 * Finds the window that gets keys. Text needs a window of a program; if the uid `into` is given, it must be that window. Throws
 * `WindowGone`, `WindowOccluded`, and `PlatformUnsupported` for a program that runs as administrator.
 */
export function findKeyboardTarget(
  windows: Pick<WindowFunctions, 'foreground' | 'className' | 'threadOf' | 'processName' | 'guiThread'>,
  access: DesktopAccess,
  into: string | undefined,
  isText: boolean,
): KeyboardTarget {
  const hwnd = windows.foreground()
  if (into !== undefined && hwndOf(into) !== hwnd) throw keyboardTaken(0)
  if (isText && (hwnd === 0 || NO_TEXT.has(windows.className(hwnd))))
    throw new Fault('WindowGone', 'no window has the keyboard; bring one to the foreground or click into it first')
  const { threadId, pid } = hwnd === 0 ? { threadId: 0, pid: 0 } : windows.threadOf(hwnd)
  if (hwnd !== 0) assertReachable(access, { pid, process: windows.processName(pid) })
  return {
    hwnd,
    threadId,
    control: () => keyboardControl(windows, hwnd),
    check(typed) {
      if (windows.foreground() !== hwnd) throw keyboardTaken(typed)
    },
  }
}

/** The control that has the keyboard in the thread of a window, or the window itself. */
export const keyboardControl = (
  windows: Pick<WindowFunctions, 'threadOf' | 'guiThread'>,
  hwnd: WindowHandle,
): WindowHandle => (hwnd === 0 ? 0 : windows.guiThread(windows.threadOf(hwnd).threadId)?.focus || hwnd)
