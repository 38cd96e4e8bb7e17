import { Fault } from '../../base/fault.ts'
import { LruCache } from '../../base/lru-cache.ts'
import type { Random } from '../../base/random.ts'
import { type DataType, type DataValue, typeOf } from '../expression/data-type.ts'
import { createCompiler, type Evaluated, type ExpressionCompiler, isProblem } from '../expression/expression.ts'

/** The names that templates may use while a scenario is composed, and their values. */
export interface Names {
  readonly values: ReadonlyMap<string, DataValue>
  /** Names that stand for an expression, whose value only the running scenario knows. */
  readonly expressions?: ReadonlyMap<string, string>
}

export const NO_NAMES: Names = { values: new Map() }

/** Names with others over them. */
export const withNames = (names: Names, values: Iterable<readonly [string, DataValue]>): Names => ({
  ...names,
  values: new Map([...names.values, ...values]),
})

/** Names with others over them that stand for expressions. */
export const withExpressions = (names: Names, expressions: Iterable<readonly [string, string]>): Names => ({
  ...names,
  expressions: new Map([...(names.expressions ?? []), ...expressions]),
})

/** Whether a name has a meaning. */
export const hasName = ({ values, expressions }: Names, name: string): boolean =>
  values.has(name) || (expressions?.has(name) ?? false)

/** A compiler per set of types: the same expressions run for each row of a `repeat`. */
const MAX_COMPILERS = 50

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

/** The most compiled expressions that are kept for one set of types. */
const MAX_EXPRESSIONS = 1000

/** Compiles each text once, since a `repeat` fills the same texts for each value. */
function compileOnce(compiler: ExpressionCompiler): ExpressionCompiler {
  const known = new LruCache<string, ReturnType<ExpressionCompiler['compile']>>(MAX_EXPRESSIONS)
  return { compile: (text) => known.keep(text, known.get(text) ?? compiler.compile(text)) }
}

export function createEvaluator(): Evaluator {
  const compilers = new Map<string, ExpressionCompiler>()
  const types = new WeakMap<Names, { readonly key: string; readonly types: Readonly<Record<string, DataType>> }>()
  // A list of many records is looked at once, not for each value of a `repeat`.
  const known = new WeakMap<object, DataType>()
  const typeOfValue = (value: DataValue): DataType => {
    if (typeof value !== 'object' || value === null) return typeOf(value)
    const found = known.get(value) ?? typeOf(value)
    known.set(value, found)
    return found
  }
  const typesOf = (names: Names) => {
    const known = types.get(names)
    if (known) return known
    const found = Object.fromEntries([...names.values].map(([name, value]) => [name, typeOfValue(value)]))
    const made = { key: JSON.stringify(found), types: found }
    types.set(names, made)
    return made
  }
  const compilerFor = (names: Names) => {
    const { key, types } = typesOf(names)
    const known = compilers.get(key)
    if (known) return known
    if (compilers.size >= MAX_COMPILERS) compilers.clear()
    const made = compileOnce(createCompiler(types))
    compilers.set(key, made)
    return made
  }
  return {
    evaluate(text, names, random) {
      const expression = compilerFor(names).compile(text)
      if (isProblem(expression)) return { message: expression.message, start: expression.start }
      try {
        const needed = [...expression.names].map((name) => [name, names.values.get(name) ?? null] as const)
        const result = expression.evaluate(Object.fromEntries(needed), random)
        return { ...result, isDecimal: expression.type.kind === 'double' }
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        return { message: error.message, start: 0 }
      }
    },
  }
}
