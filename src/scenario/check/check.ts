import { didYouMean } from '../../base/text/suggest.ts'
import type { ExpressionUse, LiveScope } from '../data/scope.ts'
import type { ReportProblem, Suggest, UnlocatedProblem } from '../load/problem.ts'
import type { KeyPath } from '../load/source.ts'
import { isCatalogueFault } from '../schema/fault.ts'
import type { WrittenScenario } from '../schema/scenario.ts'
import type { Timer } from '../schema/timer.ts'
import { forEachOutcome } from '../schema/visit.ts'
import { forEachSolutionCall } from '../solution/solution.ts'
import type { CheckContext } from './context.ts'
import { checkDelay, checkOutcome } from './effects.ts'
import { checkExpressions } from './expressions.ts'
import { checkFiles } from './files.ts'
import { checkInvariant } from './invariant.ts'
import { checkLooks } from './looks.ts'
import { checkArguments, checkStates } from './names.ts'
import { checkOracles } from './oracles.ts'
import { checkTrigger } from './triggers.ts'
import { checkValidation } from './validation.ts'
import { checkWindows } from './windows.ts'

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
