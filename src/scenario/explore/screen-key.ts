import { filesOf } from '../../desktop/model/desktop.ts'
import { type Element, memoize } from '../../desktop/model/element.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import type { ScenarioRun } from '../run/scenario-run.ts'

/** Higher counts of an event count as equal, since screens would differ forever. */
const MAX_COUNT = 3

/** Runs with equal keys show the same screen and continue in the same way, apart from the focus, the pointer and the time. */
export function screenKey({ state, desktop, due, data, log, restedAtMs }: ScenarioRun): string {
  const windows = desktop.windows.map((window) => {
    const { uid, title, bounds, busy, tree } = window
    return [uid, window.state, title, bounds, busy ?? false, treeHash(tree), stateOf(tree)]
  })
  const counts = [...log.counts].map(([name, count]) => [name, Math.min(count, MAX_COUNT)])
  const timers = due.map(({ timer }) => timer).sort()
  return JSON.stringify([
    state,
    desktop.active,
    windows,
    filesOf(desktop),
    desktop.clipboard,
    data,
    counts,
    timers,
    restedAtMs !== undefined,
  ])
}

/** The state of the elements that the tree hash leaves out. */
const stateOf = memoize((element: Element): string => {
  const { selected, expanded, valueNow, description, traits, children, id } = element
  const { hidden, placeholder, readOnly, icon, chart, picture, rich, rows } = traits ?? {}
  const { look, avatar, badge, subtitle, unread, terminal } = traits ?? {}
  const looks = [icon, chart, picture?.hash, rich?.spans, look, avatar, badge, subtitle, unread, terminal?.spans]
  const fields = [selected, expanded, valueNow, description, hidden, placeholder, readOnly, ...looks, rows?.selected]
  const own = fields.some((each) => each !== undefined && each !== null && each !== false) ? JSON.stringify(fields) : ''
  const below = children.map(stateOf).join('')
  return own === '' ? below : `${id}:${own};${below}`
})
