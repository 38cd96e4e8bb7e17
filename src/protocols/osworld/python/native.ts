import type { Point } from '../../../desktop/model/geometry.ts'
import { type GivenArguments, type Module, NONE, numberOf, PythonError, typeName, type Value } from './value.ts'

/** A parameter of a native function. Without a default it is required. */
export interface Parameter {
  readonly name: string
  readonly default?: Value
}

/**
 * Matches arguments with parameters as a call of Python does.
 *
 * @returns The value of each parameter by name.
 * @throws {PythonError} `TypeError` for an unknown keyword, a parameter that is given twice or not at all, and too many
 *   arguments.
 */
export function matchArguments(
  name: string,
  parameters: readonly Parameter[],
  { positional, keywords }: GivenArguments,
): ReadonlyMap<string, Value> {
  if (positional.length > parameters.length) {
    const takes = parameters.length === 0 ? '0' : `from 0 to ${parameters.length}`
    throw new PythonError(
      'TypeError',
      `${name}() takes ${takes} positional arguments but ${positional.length} were given`,
    )
  }
  const bound = new Map<string, Value>()
  for (const [index, value] of positional.entries()) bound.set(parameters[index]!.name, value)
  for (const [keyword, value] of keywords) {
    if (!parameters.some((parameter) => parameter.name === keyword))
      throw new PythonError('TypeError', `${name}() got an unexpected keyword argument '${keyword}'`)
    if (bound.has(keyword))
      throw new PythonError('TypeError', `${name}() got multiple values for argument '${keyword}'`)
    bound.set(keyword, value)
  }
  for (const parameter of parameters) {
    if (bound.has(parameter.name)) continue
    if (!parameter.default)
      throw new PythonError('TypeError', `${name}() missing 1 required positional argument: '${parameter.name}'`)
    bound.set(parameter.name, parameter.default)
  }
  return bound
}

/** The value of a parameter that is a number or None. Throws `TypeError` for any other, and for NaN and infinity. */
export function optionalNumber(bound: ReadonlyMap<string, Value>, name: string): number | undefined {
  const value = bound.get(name) ?? NONE
  if (value.kind === 'none') return undefined
  const number = numberOf(value)
  if (number === undefined) throw new PythonError('TypeError', `${name} must be a number, not ${typeName(value)}`)
  if (!Number.isFinite(number)) throw new PythonError('ValueError', `${name} must be finite`)
  return number
}

export function requiredNumber(bound: ReadonlyMap<string, Value>, name: string): number {
  const number = optionalNumber(bound, name)
  if (number === undefined) throw new PythonError('TypeError', `${name} must be a number, not NoneType`)
  return number
}

/** Throws `TypeError` for a value that is not a string. */
export function requireString(value: Value | undefined, what: string): string {
  if (value?.kind === 'str') return value.value
  throw new PythonError('TypeError', `${what} must be a string, not ${typeName(value ?? NONE)}`)
}

type Run = (bound: ReadonlyMap<string, Value>) => Value | undefined | Promise<Value | undefined>

/** A function of a module. One that returns undefined returns None. */
export const nativeFunction = (name: string, parameters: readonly Parameter[], run: Run): readonly [string, Value] => [
  name,
  { kind: 'function', name, call: async (given) => (await run(matchArguments(name, parameters, given))) ?? NONE },
]

export const nativeModule = (
  name: string,
  attributes: Iterable<readonly [string, Value]>,
  assign?: Module['assign'],
): readonly [string, Module] => [
  name,
  { kind: 'module', name, attributes: new Map(attributes), ...(assign && { assign }) },
]

export const MAX_SLEEP_SECONDS = 3_600

export type PointerButton = 'left' | 'middle' | 'right'

/** The desktop as programs use it. Points are screen pixels; without one, the pointer stays where it is. */
export interface ProgramMachine {
  position(): Promise<Point>
  size(): Promise<{ readonly width: number; readonly height: number }>
  move(to: Point): Promise<void>
  mouseDown(button: PointerButton, at?: Point): Promise<void>
  mouseUp(button: PointerButton, at?: Point): Promise<void>
  click(button: PointerButton, count: number, at?: Point): Promise<void>
  /** Drags from the pointer. */
  drag(to: Point, button: PointerButton, durationMs: number): Promise<void>
  /** Wheel clicks, positive down and right. */
  scroll(deltaX: number, deltaY: number, at?: Point): Promise<void>
  /** Keys have pyautogui's names. */
  keyDown(key: string): Promise<void>
  keyUp(key: string): Promise<void>
  press(key: string, times: number): Promise<void>
  /** Holds all keys in their order, then releases them. */
  hotkey(keys: readonly string[]): Promise<void>
  /** Types text without line ends or tabs, with a pause after each character, in milliseconds. */
  type(text: string, intervalMs?: number): Promise<void>
  wait(durationMs: number): Promise<void>
  readClipboard(): Promise<string>
  writeClipboard(text: string): Promise<void>
  /** Milliseconds since the epoch on the clock of the desktop. */
  now(): Promise<number>
  /** The name that `platform.system()` returns: `Linux`, `Windows` or `Darwin`. */
  readonly platform: string
}
