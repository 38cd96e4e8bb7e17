import { didYouMean, shortened } from '../../base/strings.ts'
import { type ExpressionUse, type LiveScope, recordsType, typeAt } from '../data/scope.ts'
import { notOneOf, type ReportProblem, type Suggest, type UnlocatedProblem } from '../load/problem.ts'
import type { KeyPath } from '../load/source.ts'
import type { Timer, Trigger } from '../schema/reaction.ts'
import { isCatalogueFault, type WrittenScenario } from '../schema/scenario.ts'
import { forEachElement, forEachOutcome } from '../schema/visit.ts'
import { forEachSolutionCall } from '../solution.ts'
import { AXES } from '../variants/axes.ts'
import { checkLooks, checkValidation } from './elements.ts'
import { checkWindows, isGeneratedFrom } from './ids.ts'
import {
  type CheckContext,
  checkArguments,
  checkFiles,
  checkId,
  checkSelector,
  checkStates,
  checkWindow,
} from './names.ts'
import { checkOracles } from './oracles.ts'
import { checkDelay, checkOutcome, checkTrigger } from './reactions.ts'

/** A larger monitor cannot be painted. */
const MAX_PIXELS = 100_000_000
/**
 * The limit for all patterns of a scenario together, in instructions. Compiling that many takes a third of a second.
 */
const MAX_PATTERNS = 50_000

/** Suggestions are searched for only this many names of a file, because each search compares with all names. */
const MAX_HINTS = 50

/**
 * Checks what the schema cannot: missing and duplicate names, patterns and selectors that do not compile. `uses` are the
 * expressions, which name elements and fields of rows.
 */
export function checkReferences(
  scenario: WrittenScenario,
  uses: readonly ExpressionUse[] = [],
  scope?: LiveScope,
): readonly UnlocatedProblem[] {
  const complaints: UnlocatedProblem[] = []
  let hints = MAX_HINTS
  const hint: Suggest = (written, choices) => (hints-- > 0 ? didYouMean(written, choices) : '')
  const complain: ReportProblem = (path, message, key = false) => {
    complaints.push({ path, message: typeof message === 'string' ? message : message(hint), key })
  }
  const known: CheckContext = {
    states: Object.keys(scenario.states),
    events: scenario.events ?? {},
    happenings: [...Object.keys(scenario.events ?? {}), ...idsOf(scenario)],
    ids: checkWindows(scenario, complain),
    patterns: { left: MAX_PATTERNS },
    report: complain,
  }
  checkFiles(scenario, complain)
  checkValidation(known, scenario)
  checkLooks(scenario, complain)
  const primary = scenario.monitors?.findIndex((monitor) => monitor.primary)
  scenario.monitors?.forEach(({ bounds: { width, height }, ...monitor }, index) => {
    if (width * height > MAX_PIXELS)
      complain(['monitors', index, 'bounds'], `has ${width * height} pixels; at most ${MAX_PIXELS} are allowed`)
    if (monitor.primary && index !== primary)
      complain(['monitors', index, 'primary'], `another monitor, monitors[${primary}], is the primary one`)
  })
  checkStates(known, ['initial_state'], scenario.initial_state)
  scenario.reactions?.forEach((reaction, index) => {
    const path = ['reactions', index]
    checkTrigger(known, [...path, 'on'], reaction.on)
    checkStates(known, [...path, 'in'], reaction.in)
  })
  scenario.timers?.forEach((timer, index) => {
    checkTimer(known, ['timers', index], timer)
  })
  checkIds(known, scenario)
  forEachOutcome(scenario, (outcome, path, on) => {
    checkOutcome(known, path, outcome, on)
  })
  scenario.faults?.forEach((fault, index) => {
    if (!isCatalogueFault(fault)) checkStates(known, ['faults', index, 'in'], fault.in)
  })
  checkOracles(known, scenario)
  forEachSolutionCall(scenario, (call, path) => {
    checkArguments(known, [...path, 'with'], call.with)
  })
  checkInvariant(scenario, complain)
  checkExpressions(known, scenario, uses, scope)
  return complaints
}

const idsOf = ({ reactions, timers }: WrittenScenario): readonly string[] =>
  [...(reactions ?? []), ...(timers ?? [])].flatMap(({ id }) => id ?? [])

/** Reports ids of reactions and timers that are the names of others, or of events. */
function checkIds({ events, report }: CheckContext, { reactions, timers }: WrittenScenario): void {
  const taken = new Set(Object.keys(events))
  for (const [list, entries] of [
    ['reactions', reactions],
    ['timers', timers],
  ] as const)
    entries?.forEach(({ id }, index) => {
      if (id === undefined) return
      if (taken.has(id)) report([list, index, 'id'], `another reaction, timer or event has the name "${id}"`)
      taken.add(id)
    })
}

function checkTimer(known: CheckContext, path: KeyPath, timer: Timer): void {
  const { on, after_ms, every_ms } = timer
  checkStates(known, [...path, 'in'], timer.in)
  if (on) checkTrigger(known, [...path, 'on'], on)
  if (on && every_ms !== undefined)
    known.report([...path, 'every_ms'], 'a timer with on goes off once; write after_ms', true)
  if ((after_ms === undefined) === (every_ms === undefined)) known.report(path, 'expected either after_ms or every_ms')
  checkDelay(known, path, after_ms)
}

/** Reports axes of variants that do not exist. */
function checkInvariant({ invariant = {} }: WrittenScenario, report: ReportProblem): void {
  const names = AXES.map(({ name }) => name)
  for (const name of Object.keys(invariant))
    if (!names.includes(name))
      report(
        ['invariant', name],
        (hint) =>
          `there is no axis ${JSON.stringify(name)}${hint(name, names) || `; the axes are ${names.join(', ')}`}`,
        true,
      )
}

/** Functions of the screen whose argument is no id. */
const NOT_BY_ID: ReadonlySet<string> = new Set(['happened', 'count'])

/** Checks the ids, the selectors and the fields of rows in expressions. */
function checkExpressions(
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
