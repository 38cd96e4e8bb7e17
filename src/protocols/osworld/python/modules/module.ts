import { matchArguments, type Parameter } from '../signature.ts'
import { type Module, NONE, type Value } from '../value.ts'

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
