import { PythonError } from '../python-error.ts'
import { optionalNumber, requiredNumber, requireString } from '../signature.ts'
import { type GivenArguments, iterableItems, numberOf, repr, typeName, type Value } from '../value.ts'
import type { PointerButton } from './machine.ts'
import { MAX_SLEEP_SECONDS } from './module.ts'
import { isKey } from './pyautogui-keys.ts'

const MAX_REPEATS = 1_000

/** The coordinates of a call: two numbers, or both as a sequence in place of the first. */
export function coordinatesOf(
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

export function buttonOf(bound: ReadonlyMap<string, Value>): PointerButton {
  const value = bound.get('button')!
  const name = value.kind === 'str' ? value.value.toLowerCase() : value.kind === 'int' ? String(value.value) : ''
  const button = BUTTONS[name]
  if (button) return button
  throw new PythonError(
    'PyAutoGUIException',
    `button argument must be one of ('left', 'middle', 'right', 'primary', 'secondary', 1, 2, 3), not ${repr(value)}`,
  )
}

export function durationSeconds(value: number): number {
  if (!(value >= 0)) throw new PythonError('ValueError', 'a duration must not be negative')
  if (value > MAX_SLEEP_SECONDS)
    throw new PythonError('ValueError', `a duration is at most ${MAX_SLEEP_SECONDS} seconds on this desktop`)
  return value
}

export const durationMsOf = (bound: ReadonlyMap<string, Value>, name: string): number =>
  Math.round(durationSeconds(optionalNumber(bound, name) ?? 0) * 1000)

export function repeatCount(bound: ReadonlyMap<string, Value>, name: string): number {
  const count = Math.trunc(requiredNumber(bound, name))
  if (count > MAX_REPEATS) throw new PythonError('ValueError', `${name} is at most ${MAX_REPEATS} on this desktop`)
  return Math.max(0, count)
}

/** A key's name as pyautogui compares it: long names in lower case. Undefined for a name that it does not know. */
export function pressableKey(text: string): string | undefined {
  const name = [...text].length > 1 ? text.toLowerCase() : text
  return isKey(name) ? name : undefined
}

export function keyNamesOf(value: Value): readonly string[] {
  if (value.kind === 'str') return [value.value]
  const items = iterableItems(value)
  if (!items) throw new PythonError('TypeError', `keys must be a string or a list of strings, not ${typeName(value)}`)
  if (items.length > MAX_REPEATS) throw new PythonError('ValueError', `at most ${MAX_REPEATS} keys in one call`)
  return items.map((item) => requireString(item, 'a key'))
}

export function hotkeyNames({ positional, keywords }: GivenArguments): readonly string[] {
  for (const keyword of keywords.keys())
    if (!['interval', 'logScreenshot', '_pause'].includes(keyword))
      throw new PythonError('TypeError', `hotkey() got an unexpected keyword argument '${keyword}'`)
  const keys =
    positional.length === 1 ? keyNamesOf(positional[0]!) : positional.map((value) => requireString(value, 'a key'))
  return keys.flatMap((name) => pressableKey(name) ?? [])
}
