import { type Element, pathOf, valueText } from '../../desktop/model/element.ts'
import { chainTo } from '../../desktop/tree/element-ref.ts'
import { changedVars } from '../data/run-data.ts'
import { textOfField } from './effects/context.ts'
import type { ScenarioEvent } from './event.ts'
import { elementWithId } from './find-element.ts'
import type { ScenarioRun } from './scenario-run.ts'

/** The events for what an action changed, of what the scenario watches. */
export function changeEventsOf(before: ScenarioRun, after: ScenarioRun): readonly ScenarioEvent[] {
  if (after.desktop === before.desktop && after.data === before.data) return []
  const vars = changedVars(before.data, after.data)
  return after.scenario.watched.flatMap((watched): readonly ScenarioEvent[] => {
    if ('var' in watched)
      return vars.includes(watched.var) ? [{ tool: 'changed_var', chain: [], text: watched.var }] : []
    const was = elementWithId(before.desktop, watched.id, watched.window)
    const now = elementWithId(after.desktop, watched.id, watched.window)
    if (!was || !now || !isChanged(was.element, now.element)) return []
    const { uid, tree } = now.window
    const chain = chainTo(tree, pathOf(tree, watched.id)!)
    return [{ tool: 'changed', window: uid, root: tree, chain, text: contentOf(now.element) }]
  })
}

const FIELDS = ['name', 'value', 'selected', 'expanded', 'valueNow'] as const

const isChanged = (was: Element, now: Element): boolean =>
  was !== now &&
  (FIELDS.some((field) => was[field] !== now[field]) || textOfField(was, 'selected') !== textOfField(now, 'selected'))

/** The new content of an element as text: its value, its selected item, or whether it is selected. */
function contentOf(element: Element): string {
  const text = valueText(element) ?? textOfField(element, 'selected')
  return text === '' && element.selected !== undefined ? String(element.selected) : text
}
