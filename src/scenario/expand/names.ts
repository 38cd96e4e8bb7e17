import { Fault } from '../../base/fault.ts'
import type { Random } from '../../base/random.ts'
import { type DataType, type DataValue, isList, typeOf } from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import { CompilerCache, type Evaluated, isProblem, type NumberedNames } from '../expression/expression.ts'

/** The names that templates may use while a scenario is composed, and their values. */
export interface Names {
  readonly values: ReadonlyMap<string, DataValue>
  /** Names that stand for an expression, whose value only the running scenario knows. */
  readonly expressions?: ReadonlyMap<string, string>
  /** What names of live items, and of what depends on them, stand for in reactions, where only the event knows the item. */
  readonly inEvents?: ReadonlyMap<string, string>
  /** The names that these extend, and what they add: a `repeat` has the same names for each value. */
  readonly extended?: { readonly base: Names; readonly added: readonly (readonly [string, DataValue])[] }
}

export const NO_NAMES: Names = { values: new Map() }

/** Names with others over them. */
export function withNames(names: Names, added: readonly (readonly [string, DataValue])[]): Names {
  const values = new Map(names.values)
  for (const [name, value] of added) values.set(name, value)
  return { ...names, values, extended: { base: names, added } }
}

/** Names with others over them that stand for expressions. */
export const withExpressions = (names: Names, added: readonly (readonly [string, string])[]): Names =>
  added.length === 0 ? names : { ...names, expressions: new Map([...(names.expressions ?? []), ...added]) }

/** Names with a live item over them, and its index. `unique` is the name of the item in the running scenario. */
export const withLiveItem = (names: Names, name: string, unique: string): Names => ({
  ...withExpressions(names, [
    [name, unique],
    [`${name}_index`, `${unique}_index`],
  ]),
  inEvents: new Map([...(names.inEvents ?? []), [name, `event.items.${name}`]]),
})

/** The names as reactions know them. */
export const namesInEvents = (names: Names): Names =>
  names.inEvents ? { ...names, expressions: new Map([...(names.expressions ?? []), ...names.inEvents]) } : names

/**
 * The path of a variable or item that a text such as `line.quantity` names. Its first name may stand for an expression,
 * which then replaces it. Undefined if this expression is more than a path, so that nothing can be written to it.
 */
export function pathIn(text: string, { expressions }: Names): string | undefined {
  const [root = '', ...fields] = text.split('.')
  const expression = expressions?.get(root)
  if (expression === undefined) return text
  let path = expression
  while (path.startsWith('(') && path.endsWith(')')) path = path.slice(1, -1).trim()
  return /^[\w.]+$/.test(path) ? [path, ...fields].join('.') : undefined
}

/** Whether a name has a meaning. */
export const hasName = ({ values, expressions }: Names, name: string): boolean =>
  values.has(name) || (expressions?.has(name) ?? false)

/** A value, and whether its type is a decimal number. */
export type EvaluatedName = Evaluated & { readonly isDecimal: boolean }

/** Evaluates the expressions of one scenario. */
export interface Evaluator {
  /** @returns The value, or why there is none, with an offset in the text. */
  evaluate(
    text: string,
    names: Names,
    random?: Random,
  ): EvaluatedName | { readonly message: string; readonly start: number }
}

/** Creates an evaluator, which may serve all seeds of a scenario: it keeps what it has compiled. */
export function createEvaluator(): Evaluator {
  const compilers = new CompilerCache()
  const known = new WeakMap<Names, NumberedNames>()
  // The rows of a `repeat` extend the same names, which are described once.
  const numbered = (names: Names): NumberedNames => {
    const found = known.get(names)
    if (found) return found
    const made = names.extended
      ? compilers.extended(numbered(names.extended.base), typesOf(names.extended.added))
      : compilers.names(typesOf(names.values))
    known.set(names, made)
    return made
  }
  return {
    evaluate(text, names, random) {
      const expression = compilers.compilerFor(numbered(names)).compile(text)
      if (isProblem(expression)) return { message: expression.message, start: expression.start }
      const isDecimal = expression.type.kind === 'double'
      const named = namedValue(text, names)
      if (named !== undefined) return { value: named, random, isDecimal }
      try {
        const needed: Record<string, DataValue> = {}
        for (const name of expression.names) needed[name] = names.values.get(name) ?? null
        const { value, random: next } = expression.evaluate(needed, random)
        return { value, random: next, isDecimal }
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        return { message: error.message, start: 0 }
      }
    },
  }
}

/** The value of an expression that is a name, or a field of one, as most of those in components are. */
function namedValue(text: string, { values }: Names): DataValue | undefined {
  const path = text.trim()
  const direct = values.get(path)
  if (direct !== undefined || !/^\w+(\.\w+)+$/.test(path)) return direct
  const [name, ...fields] = path.split('.')
  let value = values.get(name!)
  for (const field of fields) {
    if (typeof value !== 'object' || value === null || isList(value) || !Object.hasOwn(value, field)) return undefined
    value = (value as Readonly<Record<string, DataValue>>)[field]
  }
  return value
}

const typesOf = (values: Iterable<readonly [string, DataValue]>): NameTypes =>
  Object.fromEntries([...values].map(([name, value]) => [name, knownTypeOf(value)]))

const knownTypes = new WeakMap<object, DataType>()

/** The type of a value. A list of many records is looked at once. */
function knownTypeOf(value: DataValue): DataType {
  if (typeof value !== 'object' || value === null) return typeOf(value)
  const type = knownTypes.get(value) ?? typeOf(value)
  knownTypes.set(value, type)
  return type
}
