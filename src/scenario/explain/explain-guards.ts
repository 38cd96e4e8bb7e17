import { exists } from '../../desktop/files/files.ts'
import { filesOf } from '../../desktop/model/desktop.ts'
import { valueText } from '../../desktop/model/element.ts'
import type { EventValues } from '../data/live-names.ts'
import { textOf } from '../load/build.ts'
import { elementWithId } from '../run/find-element.ts'
import { allGuardsPass } from '../run/guard.ts'
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
  if (conditions.length === 0) return [`${JSON.stringify(guard)} does not hold`]
  const failing = conditions.filter(
    ([key, wanted]) => !allGuardsPass(run, [Object.fromEntries([...selecting, [key, wanted]]) as Guard], near, event),
  )
  const about = selecting.length === 0 ? '' : `${selecting.map(([, value]) => JSON.stringify(value)).join(' in ')} `
  return (failing.length > 0 ? failing : conditions).map(([key, wanted]) => {
    const found = foundFor(run, guard, key, near)
    return `${about}${key} must be ${JSON.stringify(wanted)}${found === undefined ? '' : `; found ${found}`}`
  })
}

/** What a run has where a guard looks. Undefined for guards whose values have no short form. */
function foundFor(run: ScenarioRun, guard: Guard, key: string, near: string | undefined): string | undefined {
  const { desktop } = run
  if ('clipboard' in guard) return JSON.stringify(desktop.clipboard)
  if ('path' in guard) {
    const { path } = guard
    if (!exists(filesOf(desktop), path)) return 'no such file'
    return key === 'exists' ? 'the file' : JSON.stringify(textOf(filesOf(desktop), path) ?? null)
  }
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
