import { Fault } from '../../base/fault.ts'
import { LruCache } from '../../base/lru-cache.ts'
import type { Random } from '../../base/random.ts'
import { type DataType, type DataValue, isList, typeOf } from '../expression/data-type.ts'
import {
  compileOnce,
  createCompiler,
  type Evaluated,
  type ExpressionCompiler,
  isProblem,
} from '../expression/expression.ts'

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

/** Limits of compilers, and of combinations of types that have a number. */
const MAX_COMPILERS = 200
const MAX_TYPINGS = 10_000

/** Creates an evaluator, which may serve all seeds of a scenario: it keeps what it has compiled. */
export function createEvaluator(): Evaluator {
  const compilers = new LruCache<number, ExpressionCompiler>(MAX_COMPILERS)
  // Each combination of names and types has a number, so that the long text of it is made once for all rows of a `repeat`.
  const typings = new Map<string, number>()
  let lastTyping = 0
  const typingOf = (text: string): number => {
    const known = typings.get(text)
    if (known !== undefined) return known
    if (typings.size >= MAX_TYPINGS) typings.clear()
    typings.set(text, ++lastTyping)
    return lastTyping
  }
  const known = new WeakMap<Names, number>()
  const numberOf = (names: Names): number => {
    const found = known.get(names)
    if (found !== undefined) return found
    const { base, added } = names.extended ?? { base: undefined, added: [...names.values] }
    let text = base ? String(numberOf(base)) : ''
    for (const [name, value] of added) text += ` ${name} ${typeTextOf(value)}`
    const made = typingOf(text)
    known.set(names, made)
    return made
  }
  const compilerFor = (names: Names): ExpressionCompiler => {
    const typing = numberOf(names)
    return compilers.get(typing) ?? compilers.keep(typing, compileOnce(createCompiler(typesOf(names))))
  }
  return {
    evaluate(text, names, random) {
      const expression = compilerFor(names).compile(text)
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

const typesOf = ({ values }: Names): Readonly<Record<string, DataType>> =>
  Object.fromEntries([...values].map(([name, value]) => [name, describeType(value).type]))

/** The type of a value, and the type as a text. A list of many records is looked at once. */
interface DescribedType {
  readonly type: DataType
  readonly text: string
}
const describedTypes = new WeakMap<object, DescribedType>()

const typeTextOf = (value: DataValue): string =>
  typeof value === 'object' && value !== null ? describeType(value).text : typeOf(value).kind

function describeType(value: DataValue): DescribedType {
  const known = typeof value === 'object' && value !== null ? describedTypes.get(value) : undefined
  if (known) return known
  const type = typeOf(value)
  const made = { type, text: JSON.stringify(type) }
  if (typeof value === 'object' && value !== null) describedTypes.set(value, made)
  return made
}
