import { LruCache } from '../../base/lru-cache.ts'
import { compilePattern } from '../../base/pattern.ts'
import { drawInteger, type Random } from '../../base/random.ts'
import { parseChord, sameChord } from '../../desktop/input/keys.ts'
import type { Element } from '../../desktop/model/element.ts'
import { contains } from '../../desktop/model/geometry.ts'
import { isShellWindow } from '../../desktop/shell/shell-elements.ts'
import { querySelectorAll, roleTest } from '../../desktop/tree/select.ts'
import { parseSelector, type Selector } from '../../desktop/tree/selector.ts'
import { uidInFile } from '../composition/instance.ts'
import type { CapturedGroups } from '../scenario-run.ts'
import { type DueTimer, isInState, runWith, type ScenarioRun } from '../scenario-run.ts'
import type { Timer, Trigger } from '../schema/reaction.ts'
import type { ScenarioEvent } from './event.ts'
import { eventValues } from './event.ts'

/** The groups that a trigger captures from an event. Undefined if the event does not match. */
export function matchTrigger(
  trigger: Trigger,
  event: ScenarioEvent,
): { readonly captured: CapturedGroups } | undefined {
  if (trigger.tool !== event.tool && !fitsOtherwise(trigger, event)) return undefined
  if (trigger.window !== undefined && trigger.window !== event.window && !isForItem(event, trigger.window))
    return undefined
  if (isShellWindow(event.window) && !namesShell(trigger)) return undefined
  const target = namesTarget(trigger) ? targetIn(trigger, event) : event.root
  if (!target && namesTarget(trigger)) return undefined
  if (trigger.keys !== undefined && !sameChord(event.text ?? '', parseChord(trigger.keys))) return undefined
  if (trigger.region && !isInRegion(trigger, trigger.region, event, target)) return undefined
  if (!fitsDragged(trigger, event)) return undefined
  if (trigger.text_regex === undefined) return { captured: undefined }
  const captured = compilePattern(trigger.text_regex).whole(event.text ?? '')
  return captured && { captured }
}

/** Whether an event is in a window for an item that has this uid in the file. */
const isForItem = ({ root }: ScenarioEvent, uid: string): boolean => root !== undefined && uidInFile(root) === uid

/** A trigger concerns the shell only if it names its window or, by an id, an element of it. */
const namesShell = ({ window, target_id, changed }: Trigger): boolean => (window ?? target_id ?? changed) !== undefined

/** Whether a trigger names the element that an event concerns. */
export const namesTarget = ({ target_id, target_name, role, selector }: Trigger): boolean =>
  (target_id ?? target_name ?? role ?? selector) !== undefined

/** Whether a trigger of another tool fits: `any`, pressed keys, or a change. */
function fitsOtherwise({ tool, keys, changed, changed_var }: Trigger, event: ScenarioEvent): boolean {
  if (event.tool === 'changed')
    return changed !== undefined && event.chain[0] !== undefined && hasAuthoredId(event.chain[0], changed, event.chain)
  if (event.tool === 'changed_var') return changed_var !== undefined && event.text === changed_var
  if (changed !== undefined || changed_var !== undefined) return false
  if (keys !== undefined) return (tool ?? 'any') === 'any' && event.tool === 'press_key'
  return tool === 'any'
}

/** How many elements lie between the target of an event and the one that a trigger names; undefined if it names none of them. */
export function distanceToNamed(trigger: Trigger, event: ScenarioEvent): number | undefined {
  const named = namesTarget(trigger) ? targetIn(trigger, event) : undefined
  return named && event.chain.indexOf(named)
}

/** The element or ancestor that a trigger names. */
function targetIn(
  { target_id, target_name, role, selector }: Trigger,
  { chain, root }: ScenarioEvent,
): Element | undefined {
  const hasRole = role === undefined ? () => true : roleTest(role)
  const matches = selector === undefined ? undefined : elementsOf(selector, root)
  return chain.find(
    (element) =>
      hasAuthoredId(element, target_id, chain) &&
      (target_name ?? element.name) === element.name &&
      hasRole(element.role) &&
      (matches?.has(element) ?? true),
  )
}

/**
 * Whether an element has an id, or has it in the file for each item, or is in a column with it. `card.remove` is the part
 * `remove` of each item `card`. Any element has no id in particular.
 * @param chain The element and its ancestors, innermost first.
 */
const hasAuthoredId = ({ id, traits }: Element, wanted: string | undefined, chain: readonly Element[]): boolean =>
  wanted === undefined ||
  id === wanted ||
  traits?.instance?.id === wanted ||
  traits?.column === wanted ||
  (traits?.instance !== undefined && isPartNamed(id, traits.instance.id, wanted, chain))

const isPartNamed = (id: string, part: string | undefined, wanted: string, chain: readonly Element[]): boolean => {
  if (part === undefined || !wanted.endsWith(`.${part}`)) return false
  const item = wanted.slice(0, -part.length - 1)
  const at = chain.findIndex((element) => element.id === id)
  return chain.slice(at + 1).some(({ traits }) => traits?.instance?.item !== undefined && traits.instance.id === item)
}

const selectors = new LruCache<string, Selector>(1000)

/** The elements of a tree that a selector matches. */
function elementsOf(selector: string, root: Element | undefined): ReadonlySet<Element> {
  if (!root) return new Set()
  const parsed = selectors.get(selector) ?? selectors.keep(selector, parseSelector(selector))
  return new Set(querySelectorAll(root, parsed).map(({ element }) => element))
}

/** A region is measured from the corner of the named target or window, otherwise of the screen. */
function isInRegion(
  trigger: Trigger,
  region: NonNullable<Trigger['region']>,
  { point }: ScenarioEvent,
  target: Element | undefined,
): boolean {
  if (!point) return false
  const isRelative = namesTarget(trigger) || trigger.window !== undefined
  const { x, y } = isRelative && target ? target.bounds : { x: 0, y: 0 }
  return contains({ ...region, x: region.x + x, y: region.y + y }, point)
}

function fitsDragged({ from_id, from_selector }: Trigger, { from }: ScenarioEvent): boolean {
  if (from_id === undefined && from_selector === undefined) return true
  if (!from) return false
  const matches = from_selector === undefined ? undefined : elementsOf(from_selector, from.root)
  return from.chain.some((element) => hasAuthoredId(element, from_id, from.chain) && (matches?.has(element) ?? true))
}

/** Starts timers that wait for an event, and restarts them when it happens again (debouncing). */
export function startEventTimers(run: ScenarioRun, events: readonly ScenarioEvent[]): ScenarioRun {
  const { timers } = run.scenario
  if (events.length === 0 || !timers.some(({ on }) => on)) return run
  const starts = ({ on }: Timer) => {
    if (!on) return false
    for (const event of events) {
      const match = matchTrigger(on, event)
      if (match) return { ...match, near: event.window, ...eventOf(run, event, match.captured) }
    }
    return false
  }
  const begun = timers.map((timer) => isInState(timer.in, run.state) && starts(timer) !== false)
  if (!begun.includes(true)) return run
  return startTimers(runWith(run, { due: run.due.filter(({ timer }) => !begun[timer]) }), starts)
}

const eventOf = (run: ScenarioRun, event: ScenarioEvent, captured: CapturedGroups): Pick<DueTimer, 'event'> =>
  run.scenario.program ? { event: eventValues(run, event, captured) } : {}

/** Starts the matching timers of the state with the data of their event. */
export function startTimers(
  run: ScenarioRun,
  starts: (timer: Timer) => Pick<DueTimer, 'captured' | 'near' | 'event'> | false,
): ScenarioRun {
  let { random } = run
  const due = [...run.due]
  run.scenario.timers.forEach((timer, index) => {
    const started = isInState(timer.in, run.state) && starts(timer)
    if (!started) return
    const [ms, next] = delayOf(timer, random)
    random = next
    due.push({ timer: index, atMs: run.nowMs + ms, ...started })
  })
  return runWith(run, { due: due.sort(firingOrder), random })
}

function delayOf({ after_ms, every_ms }: Timer, random: Random): [number, Random] {
  if (typeof after_ms === 'object') return drawInteger(random, ...after_ms.between)
  return [after_ms ?? every_ms!, random]
}

/** The order in which timers fire. */
export const firingOrder = (a: DueTimer, b: DueTimer): number => a.atMs - b.atMs || a.timer - b.timer
