import { shortened } from '../../base/text/to-text.ts'
import { type ExpressionUse, type LiveScope, recordsType, typeAt } from '../data/scope.ts'
import { notOneOf } from '../load/problem.ts'
import type { WrittenScenario } from '../schema/scenario.ts'
import type { Trigger } from '../schema/trigger.ts'
import { forEachElement } from '../schema/visit.ts'
import type { CheckContext } from './context.ts'
import { checkId, checkSelector, checkStates, checkWindow } from './names.ts'
import { isGeneratedFrom } from './windows.ts'

/** Functions of the screen whose argument is no id. */
const NOT_BY_ID: ReadonlySet<string> = new Set(['happened', 'count'])

/** Checks the ids, the selectors and the fields of rows in expressions. */
export function checkExpressions(
  known: CheckContext,
  scenario: WrittenScenario,
  uses: readonly ExpressionUse[],
  scope: LiveScope | undefined,
): void {
  const rows = rowsIn(scenario)
  for (const { path, expression } of uses) {
    const { reads, fields, comparisons } = expression
    const where = `in ${shortened(expression.text.trim())}: `
    for (const { function: name, argument } of reads) {
      if (name === 'count') checkSelector(known, path, argument, where)
      else if (!NOT_BY_ID.has(name)) checkId(known, path, argument, where)
    }
    for (const { path: compared, text: wanted } of comparisons) {
      if (compared === 'state') checkStates(known, path, wanted, where)
      if (path[0] === 'oracles' || wanted === '') continue
      if (compared === 'event.target' || compared === 'event.from') checkId(known, path, wanted, where)
      if (compared === 'event.window' && !isGeneratedFrom(known.ids, wanted)) checkWindow(known, path, wanted, where)
    }
    for (const field of path[0] === 'oracles' ? [] : fields) {
      const [, row, name] = /^event\.(row|from_row)\.([^.]+)$/.exec(field) ?? []
      if (name !== undefined) checkRowField(row === 'row' ? 'target_id' : 'from_id', name)
    }

    function checkRowField(key: 'target_id' | 'from_id', field: string): void {
      const own = rows.filter(({ id }) => id === triggerOf(scenario, path)?.[key])
      const shown = own.length > 0 ? own : rows
      const types = shown.map(({ variable }) => scope && recordsType(typeAt(scope.vars, variable)))
      const names = types.flatMap((type) => (type?.kind === 'record' ? Object.keys(type.fields) : []))
      if (names.length === 0 || types.some((type) => type?.kind !== 'record') || names.includes(field)) return
      const variables = [...new Set(shown.map(({ variable }) => variable))].join(', ')
      const wrong = `${where}records of ${variables} have no field ${JSON.stringify(field)}`
      const all = [...new Set(names)]
      known.report(path, notOneOf(wrong, field, all, `they have ${all.join(', ')}`))
    }
  }
}

interface Rows {
  readonly id: string | undefined
  readonly variable: string
}

/** The tables and lists that show records. */
function rowsIn(scenario: WrittenScenario): readonly Rows[] {
  const found: Rows[] = []
  forEachElement(scenario, ({ id, rows }) => {
    if (typeof rows === 'string') found.push({ id, variable: rows })
  })
  return found
}

/** The trigger of the reaction or timer that an expression is part of. */
function triggerOf(
  { reactions, timers }: WrittenScenario,
  [section, index]: readonly (string | number)[],
): Trigger | undefined {
  const list = section === 'reactions' ? reactions : section === 'timers' ? timers : undefined
  return list?.[Number(index)]?.on
}
