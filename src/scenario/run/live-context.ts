import { type Element, valueText } from '../../desktop/model/element.ts'
import { kindOf } from '../../desktop/model/role.ts'
import { querySelectorAll } from '../../desktop/selector/select.ts'
import { currentCellOf } from '../../desktop/widgets/grid/current-cell.ts'
import type { LiveContext } from '../data/evaluate.ts'
import { type EventValues, NO_EVENT } from '../data/live-names.ts'
import type { DataValue } from '../expression/data-type.ts'
import type { ScreenReader } from '../expression/expression-function.ts'
import { recordOfTarget } from '../records/cell-edits.ts'
import type { ScenarioEvent } from './event.ts'
import { elementWithId, selectedItemName } from './find-element.ts'
import { timesHappened } from './log.ts'
import type { ScenarioRun } from './scenario-run.ts'
import type { CapturedGroups } from './template.ts'

/** The moment of a run at which live expressions are evaluated. Ids are searched in the window `near` first. */
export const liveContext = (run: ScenarioRun, event?: EventValues, near?: string): LiveContext => ({
  data: run.data,
  state: run.state,
  nowMs: clockOf(run),
  startMs: run.scenario.startMs ?? run.startedAtMs,
  screen: screenOf(run, near),
  event,
})

/** The time on the clock of the scenario, which starts at `start_time`. */
export const clockOf = ({ scenario, nowMs, startedAtMs }: ScenarioRun, atMs = nowMs): number =>
  scenario.startMs === undefined ? atMs : scenario.startMs + atMs - startedAtMs

/** What expressions read from the screen of a run. */
function screenOf({ desktop, log }: ScenarioRun, near: string | undefined): ScreenReader {
  const find = (id: string) => elementWithId(desktop, id, undefined, near)?.element
  return {
    value: (id) => {
      const element = find(id)
      return (element && valueText(element)) ?? ''
    },
    name: (id) => find(id)?.name ?? '',
    selected: (id) => {
      const element = find(id)
      return element ? selectedOf(element) : false
    },
    cell: (id) => {
      const element = find(id)
      return (element && currentCellOf(element)) ?? NO_CELL
    },
    exists: (id) => find(id) !== undefined,
    count: (selector) => desktop.windows.reduce((sum, { tree }) => sum + querySelectorAll(tree, selector).length, 0),
    happened: (name) => timesHappened(log, name),
  }
}

const NO_CELL = { name: '', text: '' }

const HOLDS_ITEMS: ReadonlySet<string> = new Set(['list', 'tree', 'table', 'tabs'])

const selectedOf = (element: Element): boolean | string =>
  HOLDS_ITEMS.has(kindOf(element.role)) ? selectedItemName(element) : element.selected === true

/** An event as expressions see it. */
export function eventValues(
  { scenario, data }: ScenarioRun,
  { tool, window = '', chain, text = '', from }: ScenarioEvent,
  captured: CapturedGroups,
): EventValues {
  const [target] = chain
  const rowOf = (uid: string, element: Element | undefined): DataValue =>
    (element && recordOfTarget(scenario.program?.records ?? [], data, uid, element.id)) ?? null
  const groups = (captured ?? []).map((group) => group ?? '')
  return {
    ...NO_EVENT,
    text: groups[1] ?? groups[0] ?? text,
    value: (target && valueText(target)) ?? '',
    key: tool === 'press_key' ? text : '',
    groups,
    target: target?.id ?? '',
    window,
    row: rowOf(window, target),
    from: from?.chain[0]?.id ?? '',
    from_row: rowOf(from?.window ?? '', from?.chain[0]),
  }
}
