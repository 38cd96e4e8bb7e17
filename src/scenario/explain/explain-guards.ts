import { exists } from '../../desktop/files/files.ts'
import { filesOf } from '../../desktop/model/desktop.ts'
import { valueText } from '../../desktop/model/element.ts'
import { evaluateLive } from '../data/evaluate.ts'
import type { EventValues } from '../data/live-names.ts'
import { isProblem } from '../expression/expression.ts'
import { textOf } from '../load/build.ts'
import { elementWithId } from '../run/find-element.ts'
import { allGuardsPass, countMatches, resolvedGuard } from '../run/guard.ts'
import { liveContext } from '../run/live-context.ts'
import { timesHappened } from '../run/log.ts'
import type { ScenarioRun } from '../run/scenario-run.ts'
import type { Guard } from '../schema/guard.ts'

/** Keys of a guard that select what it is about. */
const SELECTING: ReadonlySet<string> = new Set(['id', 'window', 'path', 'selector', 'happened'])

/** A sentence for each guard that does not hold, with the value found. `near` is the window of the event. */
export const failingGuards = (
  run: ScenarioRun,
  guards: readonly Guard[] | undefined,
  near?: string,
  event?: EventValues,
): readonly string[] =>
  (guards ?? []).flatMap((guard, index) =>
    failingKeys(run, guard, near, event).map((reason) => `when[${index}]: ${reason}`),
  )

function failingKeys(
  run: ScenarioRun,
  guard: Guard,
  near: string | undefined,
  event: EventValues | undefined,
): readonly string[] {
  if (allGuardsPass(run, [guard], near, event)) return []
  const entries = Object.entries(guard)
  const selecting = entries.filter(([key]) => SELECTING.has(key))
  const conditions = entries.filter(([key]) => !SELECTING.has(key))
  if (conditions.length === 0)
    return [`${JSON.stringify(guard)} does not hold${foundText(run, guard, '', near, event)}`]
  const failing = conditions.filter(
    ([key, wanted]) => !allGuardsPass(run, [Object.fromEntries([...selecting, [key, wanted]]) as Guard], near, event),
  )
  const about = selecting.length === 0 ? '' : `${selecting.map(([, value]) => JSON.stringify(value)).join(' in ')} `
  return (failing.length > 0 ? failing : conditions).map(([key, wanted]) => {
    if (key === 'expression') return `expression ${wanted} must be true${foundText(run, guard, key, near, event)}`
    return `${about}${key} must be ${JSON.stringify(wanted)}${foundText(run, guard, key, near, event)}`
  })
}

function foundText(...where: Parameters<typeof foundFor>): string {
  const found = foundFor(...where)
  return found === undefined ? '' : `; found ${found}`
}

/** What a run has where a guard looks. Undefined for guards with templates that have no value. */
function foundFor(
  run: ScenarioRun,
  written: Guard,
  key: string,
  near: string | undefined,
  event: EventValues | undefined,
): string | undefined {
  if ('expression' in written) return foundByExpression(run, written.expression, near, event)
  const guard = resolvedGuard(run, written, near, event)
  if (guard === undefined || 'expression' in guard) return undefined
  const { desktop } = run
  if ('clipboard' in guard) return JSON.stringify(desktop.clipboard)
  if ('path' in guard) {
    const { path } = guard
    if (!exists(filesOf(desktop), path)) return 'no such file'
    return key === 'exists' ? 'the file' : JSON.stringify(textOf(filesOf(desktop), path) ?? null)
  }
  if ('selector' in guard) return String(countMatches(desktop, guard))
  if ('time' in guard) return `${run.nowMs - run.enteredAtMs} ms`
  if ('happened' in guard) return String(timesHappened(run.log, guard.happened))
  if (!('id' in guard) || guard.id === undefined) return undefined
  const element = elementWithId(desktop, guard.id, guard.window, near)?.element
  if (!element) return 'no such element'
  const fields: Readonly<Record<string, unknown>> = {
    name: element.name,
    enabled: element.enabled,
    focused: element.focused,
    selected: element.selected ?? false,
    expanded: element.expanded ?? false,
    value_now: element.valueNow ?? null,
    exists: true,
  }
  return JSON.stringify(Object.hasOwn(fields, key) ? fields[key] : (valueText(element) ?? null))
}

/** The value of an expression, with those of the names in it. */
function foundByExpression(
  run: ScenarioRun,
  text: string,
  near: string | undefined,
  event: EventValues | undefined,
): string | undefined {
  const { program } = run.scenario
  if (!program) return undefined
  const { scope } = program
  const found = (expression: string) => {
    const result = evaluateLive(scope, expression, liveContext(run, event, near))
    return 'value' in result ? shortened(JSON.stringify(result.value)) : `no value, because ${result.message}`
  }
  const compiled = scope.compile(text)
  const names = isProblem(compiled) ? [] : [...compiled.names]
  const about = names.map((name) => `${name} = ${found(name)}`)
  return about.length === 0 ? found(text) : `${found(text)} with ${about.join(', ')}`
}

const MAX_VALUE_CHARACTERS = 200

const shortened = (text: string): string =>
  text.length <= MAX_VALUE_CHARACTERS ? text : `${text.slice(0, MAX_VALUE_CHARACTERS)}…`
