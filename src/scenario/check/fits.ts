import { didYouMean } from '../../base/strings.ts'
import { valueAt } from '../data/data-change.ts'
import { evaluateLive, type LiveContext, type LiveScope } from '../data/scope.ts'
import { type DataValue, isList, textOfValue } from '../expression/data-type.ts'
import { isProblem } from '../expression/expression.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import type { DataDifference, FileDifference, Oracle } from '../schema/oracles.ts'
import type { UnlocatedProblem } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'

/** Longer lists are not looked through when a file is loaded. */
const MAX_RECORDS = 10_000
const MAX_SHOWN = 10

/** A condition about the records at the start: by its place, the list and its text. */
interface StartCondition {
  readonly path: KeyPath
  readonly variable: string
  readonly condition: string
}

/**
 * Reports conditions of `changes` that fit no record at the start, so that the oracle can never hold. Only conditions about
 * the record and parameters are decided. With parameters, which differ by seed, none that another seed may be meant for.
 */
export function checkFits({ oracles }: AuthoredScenario, scope: LiveScope): readonly UnlocatedProblem[] {
  const isSeeded = Object.keys(scope.constants).length > 0
  if (!oracles || (isSeeded && oracles.infeasible)) return []
  const lists = isSeeded ? (['success'] as const) : (['success', 'failure', 'harm', 'attack'] as const)
  return lists.flatMap((list) =>
    (oracles[list] ?? []).flatMap((oracle, index) =>
      conditionsIn(oracle, ['oracles', list, index], isSeeded).flatMap((found) => problemOf(found, scope) ?? []),
    ),
  )
}

function conditionsIn(oracle: Oracle, path: KeyPath, isSeeded: boolean): readonly StartCondition[] {
  if (oracle.kind === 'changes') return conditionsOf(oracle.exactly, [...path, 'exactly'])
  const isDecided = oracle.kind === 'all' || ((oracle.kind === 'any' || oracle.kind === 'not') && !isSeeded)
  if (!isDecided) return []
  return oracle.of.flatMap((part, index) => conditionsIn(part, [...path, 'of', index], isSeeded))
}

/** The first condition about each list: later ones look at what the entries before them make of it. */
function conditionsOf(entries: readonly (DataDifference | FileDifference)[], path: KeyPath): readonly StartCondition[] {
  const known = new Set<string>()
  return entries.flatMap((entry, index) => {
    if (!('var' in entry)) return []
    const root = entry.var.split('.')[0]!
    const isFirst = !known.has(root)
    known.add(root)
    const key = entry.removed === undefined ? 'where' : 'removed'
    const condition = entry[key]
    return isFirst && condition !== undefined ? [{ path: [...path, index, key], variable: entry.var, condition }] : []
  })
}

const AT_START: Omit<LiveContext, 'data'> = { state: '', nowMs: 0, startMs: 0, screen: undefined }

function problemOf({ path, variable, condition }: StartCondition, scope: LiveScope): UnlocatedProblem | undefined {
  const types = scope.rowOf(variable)
  const expression = scope.compile(condition, types)
  if (isProblem(expression) || expression.reads.length > 0) return undefined
  const isConstant = (name: string) => name === 'row' || name === 'initial' || Object.hasOwn(scope.constants, name)
  if (![...expression.names].every(isConstant)) return undefined
  const records = valueAt(scope.initial, variable)
  if (records === null || !isList(records) || records.length > MAX_RECORDS) return undefined
  const context = { ...AT_START, data: scope.initial }
  for (const row of records) {
    const result = evaluateLive(scope, condition, context, types && { types, values: { row } })
    if ('message' in result || result.value === true) return undefined
  }
  const asked = expression.equalities.find(({ name }) => name === 'row')
  const wanted = asked && evaluateLive(scope, asked.value, context)
  const values = asked ? [...new Set(records.map((row) => fieldText(row, asked.field)))] : []
  const near = wanted && 'value' in wanted && typeof wanted.value === 'string' ? didYouMean(wanted.value, values) : ''
  const shown = values.slice(0, MAX_SHOWN).join(', ')
  const more = values.length > MAX_SHOWN ? ' …' : ''
  const listed = near !== '' || !asked || shown === '' ? near : `; ${asked.field} is one of ${shown}${more}`
  return { path, message: `no record of ${variable} fits ${condition} at the start${listed}` }
}

const fieldText = (row: DataValue, field: string): string =>
  textOfValue((row as Readonly<Record<string, DataValue>>)[field] ?? '')
