import { compilePattern } from '../../base/pattern.ts'
import { type Desktop, filesOf } from '../../desktop/model/desktop.ts'
import { valueText } from '../../desktop/model/element.ts'
import { exists, type Files } from '../../desktop/model/files.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'
import { parseSelector } from '../../desktop/tree/selector.ts'
import { textOfFile } from '../build-window.ts'
import { conditionHolds, type EventValues } from '../data/scope.ts'
import { resolveLive } from '../live/live-template.ts'
import { elementWithId, liveContext } from '../live-context.ts'
import { type ScenarioRun, timesHappened } from '../scenario-run.ts'
import type { ElementGuard, FileGuard, Guard, SelectorGuard, TimeGuard } from '../schema/guard.ts'

/**
 * Whether all guards pass; an empty list passes. Ids without a window are searched in the window `near` first. A guard
 * whose expression has no value does not pass.
 */
export const allGuardsPass = (
  run: ScenarioRun,
  guards: readonly Guard[] | undefined,
  near?: string,
  event?: EventValues,
): boolean => (guards ?? []).every((guard) => guardPasses(run, guard, near, event))

function guardPasses(run: ScenarioRun, authored: Guard, near?: string, event?: EventValues): boolean {
  const { desktop, scenario } = run
  if ('expression' in authored)
    return (
      scenario.program !== undefined &&
      conditionHolds(scenario.program.scope, authored.expression, liveContext(run, event, near))
    )
  const guard = resolvedGuard(run, authored, near, event)
  if (guard === undefined || 'expression' in guard) return false
  if ('path' in guard) return fileHolds(filesOf(desktop), guard)
  if ('clipboard' in guard) return desktop.clipboard === guard.clipboard
  if ('selector' in guard) return selectorHolds(desktop, guard)
  if ('time' in guard) return timeHolds(run, guard)
  if ('happened' in guard) return isWithin(timesHappened(run.log, guard.happened), guard)
  return elementHolds(desktop, guard, near, event?.within)
}

/** A guard with the values of its live templates. Undefined if one has no value. */
export function resolvedGuard(run: ScenarioRun, guard: Guard, near?: string, event?: EventValues): Guard | undefined {
  const { program } = run.scenario
  if (!program) return guard
  const resolved = resolveLive(program, guard, liveContext(run, event, near))
  return 'message' in resolved ? undefined : resolved.value
}

/** The elements of all windows, or of the one that the guard names. */
function selectorHolds(desktop: Desktop, guard: SelectorGuard): boolean {
  const { count, ...limits } = guard
  const found = countMatches(desktop, guard)
  return count === undefined ? isWithin(found, limits) : found === count
}

/** How many elements match the selector of a guard. */
export function countMatches({ windows }: Desktop, { selector, window }: SelectorGuard): number {
  const parsed = parseSelector(selector)
  let found = 0
  for (const { uid, tree } of windows)
    if (window === undefined || window === uid) found += querySelectorAll(tree, parsed).length
  return found
}

/** Without limits, at least one. */
const isWithin = (
  found: number,
  { min, max }: { readonly min?: number | undefined; readonly max?: number | undefined },
): boolean => found >= (min ?? (max === undefined ? 1 : 0)) && found <= (max ?? found)

function timeHolds({ nowMs, enteredAtMs }: ScenarioRun, { time }: TimeGuard): boolean {
  const elapsedMs = nowMs - enteredAtMs
  return elapsedMs >= (time.after_ms ?? 0) && (time.before_ms === undefined || elapsedMs < time.before_ms)
}

/** A missing file passes only `exists: false`. */
function fileHolds(files: Files, { path, exists: wanted, text, text_regex }: FileGuard): boolean {
  if (wanted !== undefined && wanted !== exists(files, path)) return false
  const found = textOfFile(files, path)
  if (text !== undefined && text !== found) return false
  return text_regex === undefined || (found !== undefined && compilePattern(text_regex).search(found))
}

/** A missing element has the value null and passes no other guard but `exists: false`. */
function elementHolds(desktop: Desktop, guard: ElementGuard, near?: string, items?: readonly string[]): boolean {
  const found = elementWithId(desktop, guard.id, guard.window, near, items)
  const element = found?.element
  const value = element ? (valueText(element) ?? null) : null
  if (guard.exists !== undefined && guard.exists !== (element !== undefined)) return false
  if (guard.value !== undefined && guard.value !== value) return false
  if (guard.value_not_empty !== undefined && guard.value_not_empty !== (value !== null && value !== '')) return false
  if (guard.value_regex !== undefined && !compilePattern(guard.value_regex).search(value ?? '')) return false
  return (
    fits(guard.name, element?.name) &&
    fits(guard.enabled, element?.enabled) &&
    fits(guard.focused, element?.focused) &&
    fits(guard.selected, element && (element.selected ?? false)) &&
    fits(guard.expanded, element && (element.expanded ?? false)) &&
    fits(guard.value_now, element?.valueNow)
  )
}

const fits = <T>(wanted: T | undefined, found: T | undefined): boolean => wanted === undefined || wanted === found
