import { changeData, type DataChange } from '../../data/data-change.ts'
import { conditionHolds, evaluateLive, type LiveContext, type LocalNames } from '../../data/evaluate.ts'
import type { LiveProgram } from '../../data/live-program.ts'
import { resolveLive } from '../../data/resolve-live.ts'
import { type DataValue, textOfValue } from '../../expression/data-type.ts'
import type { NameTypes } from '../../expression/environment.ts'
import { isProblem } from '../../expression/expression.ts'
import type { VariableChange } from '../../schema/change.ts'
import { liveContext } from '../live-context.ts'
import { runWith } from '../scenario-run.ts'
import { type ApplyEffect, skipEffect } from './context.ts'

type DataRecord = Readonly<Record<string, DataValue>>

/** Changes a variable. A change that its type or the bounds refuse is skipped and logged. */
export const applyVariableChange: ApplyEffect<VariableChange> = (run, change, { event, near }) => {
  const { program } = run.scenario
  if (!program) return run
  const context = liveContext(run, event, near)
  const resolved = dataChangeOf(change, program, context)
  const result = 'message' in resolved ? resolved : changeData(program.scope, run.data, resolved)
  if ('message' in result) return skipEffect(run, 'var', result.message)
  return result.data === run.data ? run : runWith(run, { data: result.data })
}

function dataChangeOf(
  change: VariableChange,
  program: LiveProgram,
  context: LiveContext,
): DataChange | { readonly message: string } {
  const { var: name, to, append, where, change: fields, sort_by: sortBy, descending = false } = change
  if (to !== undefined) return withStored(to, program, context, (value) => ({ var: name, to: value }))
  if (append !== undefined) return withStored(append, program, context, (value) => ({ var: name, append: value }))
  if (sortBy !== undefined) return { var: name, sortBy, descending }
  const types = program.scope.rowOf(name)
  const localsOf = (row: DataRecord): LocalNames | undefined => types && { types, values: { row } }
  const isMeant = (row: DataRecord) =>
    where === undefined || conditionHolds(program.scope, where, context, localsOf(row))
  const among = where === undefined ? undefined : amongOf(where, types, program, context)
  if (!fields) return { var: name, where: isMeant, among, remove: true }
  return {
    var: name,
    where: isMeant,
    among,
    change: (row) => {
      const resolved = resolveLive(program, fields as DataRecord, context, localsOf(row))
      // A record whose new values cannot be computed stays as it is.
      return 'message' in resolved ? {} : resolved.value
    },
  }
}

/** A field and its text that a condition about `row` asks for, so that other records need not be looked at. */
function amongOf(
  where: string,
  types: NameTypes | undefined,
  { scope }: LiveProgram,
  context: LiveContext,
): { readonly field: string; readonly text: string } | undefined {
  const expression = scope.compile(where, types)
  const asked = isProblem(expression) ? undefined : expression.equalities.find(({ name }) => name === 'row')
  const result = asked && evaluateLive(scope, asked.value, context)
  if (!result || 'message' in result || (typeof result.value === 'object' && result.value !== null)) return undefined
  return { field: asked.field, text: textOfValue(result.value) }
}

function withStored(
  written: unknown,
  program: LiveProgram,
  context: LiveContext,
  make: (value: DataValue) => DataChange,
): DataChange | { readonly message: string } {
  const resolved = resolveLive(program, written as DataValue, context)
  return 'message' in resolved ? resolved : make(resolved.value)
}
