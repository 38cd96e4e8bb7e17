import { meaningOf } from '../../desktop/apply/held.ts'
import { type PayloadDrop, payloadDropAt } from '../../desktop/apply/payload.ts'
import { isNavigation, NAVIGATION_KEYS, type NavigationButton } from '../../desktop/apply/pointer.ts'
import { hitTest } from '../../desktop/hit.ts'
import type { Action } from '../../desktop/input/action.ts'
import { type Desktop, type Target, windowByUid } from '../../desktop/model/desktop.ts'
import { type Element, nodeById, pathOf, valueText, walk } from '../../desktop/model/element.ts'
import type { Point } from '../../desktop/model/geometry.ts'
import { roleKind } from '../../desktop/model/role.ts'
import { chainTo, focusedRef, refOf, targetOf } from '../../desktop/tree/element-ref.ts'
import { isBehindDialog } from '../../desktop/tree/modal.ts'
import { recordAt } from '../../desktop/widgets/grid-cells.ts'
import type { ActionEffect } from '../../desktop/widgets/widget.ts'
import { panelAt } from '../../desktop/windows/panel.ts'
import { blockerOf } from '../../desktop/windows/stacking.ts'
import { type ItemAround, instanceOf, itemsAround } from '../composition/instance.ts'
import type { DataPlace } from '../data/run-data.ts'
import { type EventValues, type ItemTypes, NO_EVENT, namesOfEvent, withItem } from '../data/scope.ts'
import type { DataValue } from '../expression/data-type.ts'
import { recordOfTarget } from '../records/cell-edits.ts'
import type { CapturedGroups, ScenarioRun } from '../scenario-run.ts'
import type { ReactionTool } from '../schema/reaction.ts'

/** An event that can trigger reactions. One action can be several events: invoking a button is also a click on it. */
export interface ScenarioEvent {
  /** The tool, or the kind of change that an action made. */
  readonly tool: ReactionTool | 'changed' | 'changed_var'
  readonly window?: string
  /** The element and its ancestors, innermost first. Keys and text concern the element alone. */
  readonly chain: readonly Element[]
  /** The root of the tree that the element is in. */
  readonly root?: Element
  readonly text?: string
  /** What a tool of the page was given, of a call of one. */
  readonly input?: Readonly<Record<string, unknown>>
  /** Where the pointer is, in screen pixels. */
  readonly point?: Point
  /** The dragged element, of a drop. */
  readonly from?: ScenarioEvent
  /** What was dropped where, of a drop of an element with `drag`. */
  readonly payload?: PayloadDrop
}

/** The events of an action on a desktop, including the elements that its behaviour pressed and chose. */
export function eventsOf(before: Desktop, given: Action, done?: ActionEffect): readonly ScenarioEvent[] {
  const action = meaningOf(before, given)
  if (!action) return NONE
  const own = ownEvents(before, action, done).filter((event) => event !== undefined)
  if (!done || done.pressed.length === 0 || own[0]?.tool === 'middle_click_element') return own
  const more = done.pressed
    .filter(({ element }) => !own.some((event) => event.tool === 'click_element' && event.chain[0]?.id === element))
    .flatMap((press) => {
      // A row of a virtual list may be in the tree only after it was chosen.
      const on = elementOf(before, press) ? before : done.desktop
      const click = at(on, 'click_element', press)
      return press.chosen ? [click] : [click, at(on, 'invoke_element', press)]
    })
  return [...own, ...more.filter((event) => event !== undefined)]
}

function elementOf(desktop: Desktop, { window: uid, element }: Target): Element | undefined {
  const window = windowByUid(desktop, uid)
  return window && nodeById(window.tree, element)
}

const NONE: readonly ScenarioEvent[] = []

/** Closing is detected by its result, so that every way of closing counts. */
export const closeEventsOf = (before: Desktop, after: Desktop): readonly ScenarioEvent[] =>
  before.windows.length === after.windows.length &&
  before.windows.every(({ uid }, at) => after.windows[at]!.uid === uid)
    ? NONE
    : before.windows
        .filter(({ uid }) => !windowByUid(after, uid))
        .map(({ uid, tree }) => ({ tool: 'close_window', window: uid, chain: [tree], root: tree }))

type Maybe = ScenarioEvent | undefined

function ownEvents(desktop: Desktop, action: Action, done: ActionEffect | undefined): readonly Maybe[] {
  switch (action.type) {
    case 'click': {
      const target = action.target ?? targetAt(desktop, action.at)
      if (opensInTab(desktop, action, target)) return [pointed(at(desktop, 'middle_click_element', target), action.at)]
      if (isNavigation(action.button)) return navigationEvents(desktop, action.button)
      if (!target) return []
      if (action.button === 'right') return [pointed(at(desktop, 'right_click_element', target), action.at)]
      const click = pointed(at(desktop, 'click_element', target), action.at)
      return action.count > 1 ? [pointed(at(desktop, 'double_click_element', target), action.at), click] : [click]
    }
    case 'hover': {
      const target = action.target ?? targetAt(desktop, action.at)
      return [target && pointed(at(desktop, 'hover_element', target), action.at)]
    }
    case 'drag': {
      const from = action.fromTarget ?? targetAt(desktop, action.from)
      const to = action.toTarget ?? targetAt(desktop, action.to)
      const drag = from && pointed(at(desktop, 'drag', from), action.from)
      const payload = payloadOfDrag(desktop, action)
      const isRefused = payload !== undefined && !payload.isAccepted
      const dropped = to && !isRefused ? pointed(at(desktop, 'drop', to), action.to) : undefined
      const drop = dropped && payload ? { ...dropped, payload } : dropped
      const passed = (action.through ?? []).map((point) => {
        const target = targetAt(desktop, point)
        return target && pointed(at(desktop, 'hover_element', target), point)
      })
      if (action.button && action.button !== 'left') return passed
      return [drag, drop && drag ? { ...drop, from: drag } : drop, ...passed]
    }
    case 'scroll': {
      const point = action.at ?? desktop.pointer
      return [pointed(at(desktop, 'scroll', action.target ?? targetAt(desktop, point)), point)]
    }
    case 'type':
      return [onFocus(desktop, 'type_text', action.text)]
    case 'key':
      return [onFocus(desktop, 'press_key', action.keys)]
    case 'focus':
      return [at(desktop, 'focus_element', action.target)]
    case 'invoke':
      return [at(desktop, 'invoke_element', action.target), at(desktop, 'click_element', action.target)]
    case 'set_value':
      return [
        at(desktop, 'set_value', action.target, action.value),
        only(at(desktop, 'type_text', action.target, action.value)),
      ]
    case 'clear_text':
      return [at(desktop, 'clear_text', action.target)]
    case 'select': {
      const option = chosenOf(done) ?? optionOf(desktop, action)
      const text = option?.name ?? ('name' in action.option ? action.option.name : undefined)
      const chosen = option && { window: action.target.window, element: option.id }
      return [at(desktop, 'select_option', action.target, text), chosen && at(desktop, 'click_element', chosen)]
    }
    case 'press':
    case 'release':
    case 'key_down':
    case 'key_up':
    case 'hold':
      return []
    case 'activate':
      return [at(desktop, 'bring_to_foreground', rootOf(desktop, action.window))]
    case 'webmcp_call':
      return [{ tool: 'webmcp_call', window: action.window, chain: [], text: action.name, input: action.input }]
    case 'window':
    case 'set_clipboard':
    case 'write_file':
      return []
  }
}

/** Whether a click is one with the middle button, or with Ctrl or Cmd on a link, which does the same. */
function opensInTab(
  desktop: Desktop,
  { button, modifiers = [] }: Extract<Action, { type: 'click' }>,
  target: Target | undefined,
): boolean {
  if (button === 'middle') return true
  const isHeld = modifiers.includes('ctrl') || modifiers.includes('meta')
  if (!isHeld || !target || (button ?? 'left') !== 'left') return false
  const window = windowByUid(desktop, target.window)
  const path = window && pathOf(window.tree, target.element)
  return path !== undefined && chainTo(window!.tree, path).some(({ traits }) => traits?.href !== undefined)
}

/** What a drag of an element with `drag` drops. Undefined for other drags. */
export function payloadOfDrag(desktop: Desktop, action: Action & { type: 'drag' }): PayloadDrop | undefined {
  const from = action.fromTarget ?? targetAt(desktop, action.from)
  if (!from || (action.button && action.button !== 'left') || !elementOf(desktop, from)) return undefined
  const over = action.toTarget && elementOf(desktop, action.toTarget) ? refOf(desktop, action.toTarget) : undefined
  return payloadDropAt(desktop, refOf(desktop, from), action.from, action.to, over)
}

/** The buttons for back and forward are the keys of the same meaning. */
const navigationEvents = (desktop: Desktop, button: NavigationButton): readonly Maybe[] =>
  NAVIGATION_KEYS[button].map((keys) => onFocus(desktop, 'press_key', keys))

/** Undefined if the element or an ancestor is disabled, or the window is busy or waits for a dialog. */
function at(desktop: Desktop, tool: ScenarioEvent['tool'], target: Target | undefined, text?: string): Maybe {
  if (!target) return withText({ tool, chain: [] }, text)
  const window = windowByUid(desktop, target.window)
  const path = window && pathOf(window.tree, target.element)
  if (!window || !path || window.busy || blockerOf(desktop, window)) return undefined
  if (isBehindDialog(window.tree, path)) return undefined
  const chain = chainTo(window.tree, path)
  return chain.every(({ enabled }) => enabled)
    ? withText({ tool, window: window.uid, chain, root: window.tree }, text)
    : undefined
}

const withText = (event: ScenarioEvent, text: string | undefined): ScenarioEvent =>
  text === undefined ? event : { ...event, text }

const pointed = (event: Maybe, point: Point): Maybe => event && { ...event, point }

/** Keys concern only the focused element, not its ancestors. */
function onFocus(desktop: Desktop, tool: ScenarioEvent['tool'], text: string): Maybe {
  const ref = focusedRef(desktop)
  if (ref) return only(at(desktop, tool, targetOf(ref), text))
  const root = desktop.active === undefined ? undefined : rootOf(desktop, desktop.active)
  const event = root ? at(desktop, tool, root, text) : { tool, chain: [], text }
  return event && { ...event, chain: [] }
}

const only = (event: Maybe): Maybe => event && { ...event, chain: event.chain.slice(0, 1) }

function targetAt(desktop: Desktop, point: Point): Target | undefined {
  const hit = panelAt(desktop, point) ? undefined : hitTest(desktop, point)
  return hit && 'element' in hit ? { window: hit.window.uid, element: hit.element.id } : undefined
}

function rootOf(desktop: Desktop, uid: string): Target | undefined {
  const window = windowByUid(desktop, uid)
  return window && { window: uid, element: window.tree.id }
}

const chosenOf = (done: ActionEffect | undefined): Element | undefined => {
  const press = done?.pressed.at(-1)
  return press && elementOf(done!.desktop, press)
}

/** For a selection that changed nothing: the option with the name or at the index. */
function optionOf(desktop: Desktop, { target, option }: Action & { type: 'select' }): Element | undefined {
  const owner = elementOf(desktop, target)
  if (!owner) return undefined
  if ('index' in option) return owner.children[option.index]
  return [...walk(owner)].find((each) => each !== owner && each.name === option.name)
}

/** An event as expressions see it. */
export function eventValues(
  { scenario, data }: ScenarioRun,
  { tool, window = '', chain, text = '', input = {}, from, payload }: ScenarioEvent,
  captured: CapturedGroups,
): EventValues {
  const [target] = chain
  const records = scenario.program?.records ?? []
  const rowOf = (uid: string, around: readonly Element[] = []): DataValue => {
    const [element] = around
    const id = element && (rowIdOfMenu(around) ?? element.id)
    return (id !== undefined && recordOfTarget(records, data, uid, id)) || null
  }
  const groups = (captured ?? []).map((group) => group ?? '')
  return {
    ...NO_EVENT,
    text: groups[1] ?? groups[0] ?? text,
    input: input as EventValues['input'],
    value: (target && valueText(target)) ?? '',
    key: tool === 'press_key' ? text : '',
    groups,
    target: target?.id ?? '',
    window,
    row: rowOf(window, chain),
    from: from?.chain[0]?.id ?? '',
    from_row: rowOf(from?.window ?? '', from?.chain),
    drag: payload ? dragValues(payload) : NO_EVENT.drag,
    href: chain.find(({ traits }) => traits?.href !== undefined)?.traits?.href ?? '',
    ...itemValues(chain, from?.chain ?? []),
  }
}

/** A drop as expressions see it. */
const dragValues = ({ kind, edge, x, y, before }: PayloadDrop): EventValues['drag'] => ({
  kind,
  edge: edge ?? '',
  x: x ?? null,
  y: y ?? null,
  before: before ? keyOfElement(before) : null,
})

/** The key of the item or row that an element is. */
function keyOfElement(element: Element): DataValue {
  const item = instanceOf(element)?.item
  const step = (item?.place as DataPlace | undefined)?.at.at(-1)
  if (step && 'key' in step) return step.key
  if (item) return item.key
  return element.id.slice(element.id.indexOf('.row-') + '.row-'.length)
}

/** The id of the row that the context menu of a table or list is about: its current row. Undefined outside of such a menu. */
function rowIdOfMenu(chain: readonly Element[]): string | undefined {
  const at = chain.findIndex(({ traits }) => traits?.grid !== undefined || traits?.rows !== undefined)
  if (at < 1 || roleKind(chain[at - 1]!.role) !== 'menu') return undefined
  const { id, traits } = chain[at]!
  const key = traits?.grid ? recordAt(traits.grid, traits.grid.current)?.key : traits?.rows?.keys?.[traits.rows.current]
  return key === undefined ? undefined : `${id}.row-${key}`
}

/** The items around the target of an event, and around the element that was dragged to it. */
function itemValues(
  chain: readonly Element[],
  dragged: readonly Element[],
): Pick<EventValues, 'item' | 'items' | 'from_item' | 'from_items' | 'within' | 'places' | 'types'> {
  const [here, there] = [itemsAround(chain), itemsAround(dragged)]
  if (here.length === 0 && there.length === 0) return NO_ITEMS
  const valuesOf = (around: typeof here) =>
    Object.fromEntries(around.toReversed().map(({ item: { name, value } }) => [name, value]))
  const placesOf = (around: typeof here, prefix: string) =>
    around
      .toReversed()
      .flatMap(({ item: { name, place } }, index) => [
        ...(place ? [[`${prefix}items.${name}`, place] as const] : []),
        ...(place && index === around.length - 1 ? [[`${prefix}item`, place] as const] : []),
      ])
  return {
    item: here[0]?.item.value ?? null,
    items: valuesOf(here),
    from_item: there[0]?.item.value ?? null,
    from_items: valuesOf(there),
    within: here.flatMap(({ id, item }) => (item.window === undefined ? [id] : [])),
    places: Object.fromEntries([...placesOf(here, ''), ...placesOf(there, 'from_')]),
    types: namesOfEvent(typesOf(here), typesOf(there)),
  }
}

const typesOf = (around: readonly ItemAround[]): ItemTypes | undefined =>
  around.reduceRight<ItemTypes | undefined>((types, { item: { name }, type }) => withItem(types, name, type), undefined)

const NO_ITEMS = { item: null, items: {}, from_item: null, from_items: {}, within: [], places: {}, types: undefined }
