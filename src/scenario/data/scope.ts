import { LruCache } from '../../base/lru-cache.ts'
import { ANY, type DataType, type DataValue, mapFields, typeOf } from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import {
  CompilerCache,
  type Expression,
  type ExpressionCompiler,
  type ExpressionProblem,
} from '../expression/expression.ts'
import type { KeyPath } from '../load/source.ts'
import { LIVE_TYPES } from './live-names.ts'
import type { RunData } from './run-data.ts'

/** The names of the live expressions of a scenario, and their compiled forms. */
export interface LiveScope {
  /** The variables and their types, which changes keep. */
  readonly vars: NameTypes
  /** The parameters: names with a constant value. */
  readonly constants: Readonly<Record<string, DataValue>>
  /** The variables at the start. */
  readonly initial: RunData
  /**
   * Compiles an expression, once per text.
   * @param locals Names of one place, such as `row`, beside those of the scenario.
   */
  compile(text: string, locals?: NameTypes): Expression | ExpressionProblem
  /** The names of a place that looks at one record of a variable: `row`. Undefined when the variable does not hold records. */
  rowOf(variable: string): NameTypes | undefined
}

/** An expression of a scenario, and where it is. */
export interface ExpressionUse {
  readonly path: KeyPath
  readonly expression: Expression
}

/** What the names of a scenario hold. */
export interface ScopeOptions {
  readonly initial: RunData
  /** The types of the variables, by default as their values show. */
  readonly vars?: NameTypes
  readonly constants?: Readonly<Record<string, DataValue>>
  /** The names that calls of `happened` may have. Any by default. */
  readonly happenings?: readonly string[] | undefined
  /** Where compiled expressions are kept. */
  readonly compilers?: CompilerCache
}

const NO_LOCALS: NameTypes = {}
const MAX_COMPILERS = 50

/** Creates the scope of the live expressions of a scenario. */
export function createScope({
  initial,
  vars = mapFields(initial, typeOf),
  constants = {},
  happenings,
  compilers = new CompilerCache(),
}: ScopeOptions): LiveScope {
  const names: NameTypes = {
    ...mapFields(constants, typeOf),
    ...vars,
    ...LIVE_TYPES,
    initial: { kind: 'record', fields: vars },
  }
  const rows = new Map<string, NameTypes | undefined>()
  const compilersHere = new LruCache<string, ExpressionCompiler>(MAX_COMPILERS)
  const known = new WeakMap<NameTypes, string>()
  const keyOf = (locals: NameTypes) => {
    const key = known.get(locals) ?? JSON.stringify(locals)
    known.set(locals, key)
    return key
  }
  return {
    vars,
    constants,
    initial,
    compile(text, locals = NO_LOCALS) {
      const key = keyOf(locals)
      const known =
        compilersHere.get(key) ?? compilersHere.keep(key, compilers.compilerFor({ ...names, ...locals }, happenings))
      return known.compile(text)
    },
    rowOf(variable) {
      if (!rows.has(variable)) {
        const items = recordsType(typeAt(vars, variable))
        rows.set(variable, items && { row: items })
      }
      return rows.get(variable)
    },
  }
}

/** The type of the records of a list. `any` for an empty list, undefined for what is not a list of records. */
export function recordsType(type: DataType | undefined): DataType | undefined {
  if (type?.kind === 'any') return ANY
  if (type?.kind !== 'list') return undefined
  return type.items.kind === 'record' || type.items.kind === 'any' ? type.items : undefined
}

/** The type of a variable or of a field in it, such as `form.amount`. Undefined if there is none. */
export function typeAt(vars: NameTypes, path: string): DataType | undefined {
  const [name = '', ...fields] = path.split('.')
  let type = Object.hasOwn(vars, name) ? vars[name] : undefined
  for (const field of fields) {
    if (type?.kind === 'any') return ANY
    type = type?.kind === 'record' && Object.hasOwn(type.fields, field) ? type.fields[field] : undefined
  }
  return type
}
