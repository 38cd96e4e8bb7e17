import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import { type Desktop, type Target, type Window, windowByUid } from '../../desktop/model/desktop.ts'
import { type Element, type Path, pathOf, walk } from '../../desktop/model/element.ts'
import { centerOf, type Point, type Rect } from '../../desktop/model/geometry.ts'
import { roleKind, roleRowOf } from '../../desktop/model/role.ts'
import { shownBounds } from '../../desktop/visible-bounds.ts'
import { closePopups, openPopups } from '../../desktop/widgets/popup.ts'
import { refuseSubmit } from '../../desktop/widgets/validation.ts'
import { instanceOf, uidInFile } from '../composition/instance.ts'
import { pathInFile } from '../path-in-file.ts'
import { stepScenario } from '../run/step.ts'
import { entriesSince, type ScenarioRun, withDesktop } from '../scenario-run.ts'
import type { KeyPath } from '../source/source.ts'
import {
  actionHintsOf,
  type ExploredScreen,
  type OperableElement,
  operableElements,
  operableWindows,
  type ScreenSearch,
  screenKey,
} from './explore.ts'
import { wayTo } from './findings.ts'

/** How inert controls are looked for on the screens of a search. */
export interface InertOptions {
  /** The pixels of a window, as a text that differs where they do. */
  readonly look: (desktop: Desktop, uid: string) => string
  /** Ends the trials early. */
  readonly isExpired?: () => boolean
  readonly onProgress?: (progress: InertProgress) => void
}

export interface InertProgress {
  readonly screens: number
  readonly of: number
  readonly controls: number
}

/** A control that can be operated and changes nothing. */
export interface InertControl {
  readonly state: string
  readonly window: string
  readonly element: string
  readonly path: KeyPath
  /** What was done to it, such as `click`. */
  readonly operations: readonly string[]
  /** The number of screens on which it was tried. */
  readonly screens: number
  /** The actions that lead to the first of these screens. */
  readonly way: string
  readonly message: string
}

/** The controls of a search that change nothing, and how many were tried. */
export interface InertSearch {
  readonly inert: readonly InertControl[]
  readonly controls: number
  /** The number of screens whose controls were tried. */
  readonly screens: number
}

/** A way to operate a control: actions, one after the other. */
interface Operation {
  readonly label: string
  readonly actions: readonly Action[]
}

/** What became of the trials of a control in one state. */
interface Trials {
  readonly screen: ExploredScreen
  readonly window: Window
  readonly element: Element
  readonly what: string
  readonly operations: Set<string>
  /** The screens that showed it, and those on which it was tried. */
  seen: number
  screens: number
  changed: boolean
}

const TRIED = { elements: 2000, items: 40 }
/** A control that changed nothing on so many screens is tried on one of so many of the others. */
const FIRST_SCREENS = 16
const EVERY_SCREEN = 8

/**
 * Operates every enabled control on the screens of a search as its role is operated, and finds those that change neither the
 * tree, the pixels, the data nor the log on any screen of their state. The items of a `repeat` are one control.
 */
export function findInertControls(search: ScreenSearch, options: InertOptions): InertSearch {
  const hints = actionHintsOf(search.scenario)
  const trials = new Map<string, Trials>()
  const keyOf = controlKeys()
  let screens = 0
  for (const screen of search.screens) {
    if (options.isExpired?.()) break
    const { run } = screen
    const popups = run.desktop.windows.flatMap(openPopups)
    for (const window of operableWindows(run.desktop))
      for (const each of operableElements(window, hints, TRIED)) {
        const isBehindPopup = !popups.some((popup) => popup.window === window && isWithin(each.path, popup.path))
        if ((popups.length > 0 && isBehindPopup) || isFieldPart(each)) continue
        for (const { what, operations } of waysToOperate(run.desktop, window, each)) {
          const key = `${what} ${run.state} ${keyOf(window, each.element)}`
          const known = trials.get(key) ?? { ...NO_TRIALS, operations: new Set(), screen, window, what, ...each }
          trials.set(key, known)
          if (known.changed) continue
          known.seen++
          if (known.seen > FIRST_SCREENS && known.seen % EVERY_SCREEN > 0) continue
          const target = { window: window.uid, element: each.element.id }
          const isReceived = tryOperations(known, operations, { run, target, isInPopup: popups.length > 0, options })
          if (isReceived) known.screens++
        }
      }
    screens++
    options.onProgress?.({ screens, of: search.screens.length, controls: trials.size })
  }
  const tried = [...trials.values()].filter(({ screens }) => screens > 0)
  return {
    inert: tried.filter(({ changed }) => !changed).map((each) => inertControl(search, each)),
    controls: tried.length,
    screens,
  }
}

/** Whether an element is a part of a field, such as a day of a date picker or a menu that the desktop made. */
const isFieldPart = ({ chain }: OperableElement): boolean =>
  chain.some(({ role, traits }, depth) => traits?.transient || (depth > 0 && roleRowOf(role).is.includes('entry')))

const NO_TRIALS = { seen: 0, screens: 0, changed: false }

const isWithin = (path: Path, outer: Path): boolean => outer.every((index, depth) => path[depth] === index)

/** The key of a row in the ids of a table with `rows`. */
const TABLE_ROW = /\.row-[^.]+/

/** Names controls by what the file has for them: an element of a window, or of a component in a `repeat`. */
function controlKeys(): (window: Window, element: Element) => string {
  const templates = new Map<object, number>()
  return (window, element) => {
    const template = instanceOf(element)?.source.template
    if (template && !templates.has(template)) templates.set(template, templates.size)
    const id = element.id.replace(TABLE_ROW, '.row')
    return `${uidInFile(window.tree) ?? window.uid} ${template ? templates.get(template) : id}`
  }
}

interface Trial {
  readonly run: ScenarioRun
  readonly target: Target
  readonly isInPopup: boolean
  readonly options: InertOptions
}

/** Tries operations until one changes something. Returns whether the desktop took any of them. */
function tryOperations(known: Trials, operations: readonly Operation[], trial: Trial): boolean {
  const { run, target, isInPopup, options } = trial
  const at = centerOf(known.element.bounds)
  // Effects of the focus, such as ending the editing of another field, do not count for the control.
  const before = isInPopup ? run : focused(run, target, at)
  const key = keyWithoutPopups(before, known, isInPopup)
  const lookBefore = once(() => lookAt(before, target, at, options))
  let isReceived = false
  for (const { label, actions } of operations) {
    const after = performed(before, actions)
    if (!after) continue
    isReceived = true
    known.operations.add(label)
    known.changed =
      keyWithoutPopups(after, known, isInPopup) !== key ||
      isLogged(before, after) ||
      (before.desktop !== after.desktop && lookAt(after, target, at, options) !== lookBefore())
    if (known.changed) break
  }
  return isReceived
}

/** Choosing an item closes its menu, which does not count as an effect. An item with a submenu opens it. */
const keyWithoutPopups = (run: ScenarioRun, { element }: Trials, isInPopup: boolean): string =>
  screenKey(isInPopup && element.children.length === 0 ? withDesktop(run, closePopups(run.desktop)) : run)

const focused = (run: ScenarioRun, target: Target, at: Point): ScenarioRun =>
  performed(run, [{ type: 'focus', target, at }]) ??
  performed(run, [{ type: 'activate', window: target.window }]) ??
  run

/** The run after some actions. Undefined if the desktop refuses one. */
function performed(run: ScenarioRun, actions: readonly Action[]): ScenarioRun | undefined {
  try {
    return actions.reduce((from, action) => stepScenario(from, { type: 'action', action }).run, run)
  } catch (thrown) {
    if (thrown instanceof Fault) return undefined
    throw thrown
  }
}

function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined
  return () => {
    known ??= { value: compute() }
    return known.value
  }
}

const isLogged = (before: ScenarioRun, after: ScenarioRun): boolean =>
  entriesSince(after.log, before.log).some(({ kind }) => kind !== 'effect-skipped' && kind !== 'fault')

/** The pixels of the window of a control, without popups and with the focus and the pointer on the control. */
function lookAt(run: ScenarioRun, target: Target, at: Point, { look }: InertOptions): string {
  const still = focused(withDesktop(run, closePopups(run.desktop)), target, at)
  const { desktop } = performed(still, [{ type: 'hover', at, forMs: 0 }]) ?? still
  return windowByUid(desktop, target.window) ? look(desktop, target.window) : ''
}

function inertControl(search: ScreenSearch, trials: Trials): InertControl {
  const { screen, window, element, what, screens } = trials
  const operations = [...trials.operations]
  const name = element.name === '' ? `${element.role} ${element.id}` : `${element.role} "${element.name}"`
  const times = screens === 1 ? 'the screen' : `any of ${screens} screens`
  const way = wayTo(search.screens, screen)
  const { uid } = window
  return {
    state: screen.run.state,
    window: uid,
    element: element.id,
    path: pathInFile(search.scenario, uid, element.id, window.tree) ?? ['states', screen.run.state],
    operations,
    screens,
    way,
    message: `${name} in ${screen.run.state} changes nothing when you ${what} it (${operations.join(', ')}), on ${times} that showed it; to see it: ${way}`,
  }
}

/** The ways to operate an element: as its role is, and by a drag if it can be dragged. Empty for what is no control, or excused. */
function waysToOperate(
  desktop: Desktop,
  window: Window,
  { element, path, chain }: OperableElement,
): readonly { readonly what: string; readonly operations: readonly Operation[] }[] {
  const shown = shownBounds(window.tree, path)
  const target = { window: window.uid, element: element.id }
  const place = { desktop, target, at: centerOf(shown ?? element.bounds), shown }
  const { is, text } = roleRowOf(element.role)
  const ways: { what: string; operations: readonly Operation[] }[] = []
  const kind = roleKind(element.role)
  if (text !== 'none' || is.includes('typed')) {
    if (!element.traits?.readOnly && !element.traits?.terminal)
      ways.push({
        what: 'edit',
        operations: [...typing(place), ...(kind === 'spinner' ? stepping(element, place) : [])],
      })
  } else if (is.includes('stepped')) {
    if (element.valueMin === undefined || element.valueMin !== element.valueMax)
      ways.push({ what: 'move', operations: stepping(element, place) })
  } else if (kind === 'combo') ways.push({ what: 'choose in', operations: choosing(element, place) })
  else if (kind === 'splitter') ways.push({ what: 'drag', operations: pulling(place) })
  else if (
    (is.includes('pressed') || element.traits?.href) &&
    !isExcused(element, chain) &&
    !refuseSubmit(desktop, { window, path, element })
  )
    ways.push({ what: 'press', operations: pressing(element, place) })
  if (element.traits?.drag) ways.push({ what: 'drop', operations: dropping(element, place) })
  return ways.filter(({ operations }) => operations.length > 0)
}

/** What is chosen already, or is part of what is, totals, and headers of columns that are not sorted. */
function isExcused(element: Element, chain: readonly Element[]): boolean {
  if (chain.some(({ traits }) => traits?.summary)) return true
  const isChosen = chain.some(
    ({ role, selected }) => selected === true && (roleKind(role) === 'tab' ? role === element.role : isChoice(role)),
  )
  if (isChosen && (isChoice(element.role) || roleKind(element.role) === 'tab')) return true
  const grid = chain.find(({ traits }) => traits?.grid)?.traits?.grid
  if (!grid || roleKind(element.role) !== 'headeritem') return false
  const column = /\.header\.(.+)$/.exec(element.id)?.[1]
  return !grid.columns.some(({ field, sortable }) => field === column && (sortable || grid.sheet))
}

const isChoice = (role: string): boolean => roleRowOf(role).is.includes('choice')

/** Where an element is operated. */
interface Place {
  readonly desktop: Desktop
  readonly target: Target
  readonly at: Point
  /** Its part in view. Undefined if there is none. */
  readonly shown: Rect | undefined
}

function pressing({ role }: Element, { target, at, shown }: Place): readonly Operation[] {
  if (!shown) return [{ label: 'press', actions: [{ type: 'invoke', target, at }] }]
  const click = (count: number): readonly Action[] => [{ type: 'click', at, button: 'left', count, target }]
  const opens = isChoice(role) ? [{ label: 'double-click', actions: click(2) }] : []
  return [{ label: 'click', actions: click(1) }, ...opens]
}

const TYPED = ['x', '1']
const VALUES = ['something else', '7', '2027-01-15', '']

/** Types at the caret, since some fields take digits alone, then replaces the value, since some are full. */
const typing = ({ target, at }: Place): readonly Operation[] => [
  ...TYPED.map((text) => ({ label: `type "${text}"`, actions: [{ type: 'type', text } as const] })),
  ...VALUES.map((value) => ({
    label: `set to "${value}"`,
    actions: [{ type: 'set_value', target, at, value, clearFirst: true } as const],
  })),
]

const STEPS = ['right', 'left', 'up', 'down']

/** Steps and drags in both directions, since one may be at its end. */
function stepping({ role }: Element, { target, at, shown }: Place): readonly Operation[] {
  const focus: Action = { type: 'focus', target, at }
  const keys = STEPS.map((key) => ({ label: `press ${key}`, actions: [focus, { type: 'key', keys: key } as const] }))
  if (!shown || roleKind(role) === 'spinner') return keys
  const { x, y, width, height } = shown
  const ends: readonly Point[] =
    width >= height
      ? [
          { ...at, x: x + 2 },
          { ...at, x: x + width - 3 },
        ]
      : [
          { ...at, y: y + 2 },
          { ...at, y: y + height - 3 },
        ]
  return [...keys, ...ends.map((to) => ({ label: 'drag', actions: [dragFrom(at, to, target)] }))]
}

const PULL_PX = 40

function pulling({ target, at, shown }: Place): readonly Operation[] {
  if (!shown) return []
  const along = shown.width >= shown.height ? 'y' : 'x'
  return [-PULL_PX, PULL_PX].map((by) => ({
    label: `drag by ${by} px`,
    actions: [dragFrom(at, { ...at, [along]: at[along] + by }, target)],
  }))
}

const dragFrom = (from: Point, to: Point, fromTarget?: Target): Action => ({
  type: 'drag',
  from,
  to,
  modifiers: [],
  durationMs: 200,
  ...(fromTarget && { fromTarget }),
})

const MAX_OPTIONS = 12

/** Chooses other options, and types where any text is accepted. A list of one option, which is chosen, is excused. */
function choosing({ children, value }: Element, { target, at, ...place }: Place): readonly Operation[] {
  const options = children.filter(({ role }) => roleKind(role) !== 'button')
  if (options.length === 1 && options[0]!.name === value) return []
  return [
    ...children
      .slice(0, MAX_OPTIONS)
      .flatMap(({ name, role }, index) =>
        name === value || roleKind(role) === 'button'
          ? []
          : [{ label: `choose "${name}"`, actions: [{ type: 'select', target, at, option: { index } } as const] }],
      ),
    ...(options.length === 0 ? typing({ target, at, ...place }) : []),
  ]
}

const MAX_ACCEPTORS = 16

/** Drops an element on what accepts its kind, or pulls the edges that can be dragged. */
function dropping(element: Element, { desktop, target, at, shown }: Place): readonly Operation[] {
  const { kind, edges } = element.traits!.drag!
  if (!shown) return []
  if (edges) return pullingEdges(edges, shown, target)
  const found: Operation[] = []
  for (const window of operableWindows(desktop))
    for (const each of walk(window.tree)) {
      if (found.length >= MAX_ACCEPTORS) return found
      if (!each.traits?.accept?.kinds.includes(kind) || each === element) continue
      const bounds = boundsInView(window, each)
      if (bounds)
        found.push({
          label: `drop on ${each.name || each.id}`,
          // What is grabbed is what is there, such as a row of a table.
          actions: [dragFrom(at, centerOf(bounds))],
        })
    }
  return found
}

function boundsInView(window: Window, { id }: Element): Rect | undefined {
  const path = pathOf(window.tree, id)
  return path && shownBounds(window.tree, path)
}

/** Drags the last pixels at each edge outwards and inwards. */
function pullingEdges(edges: readonly string[], { x, y, width, height }: Rect, target: Target): readonly Operation[] {
  const [centerX, centerY] = [x + Math.floor(width / 2), y + Math.floor(height / 2)]
  const starts: Readonly<Record<string, Point>> = {
    top: { x: centerX, y: y + 2 },
    bottom: { x: centerX, y: y + height - 3 },
    left: { x: x + 2, y: centerY },
    right: { x: x + width - 3, y: centerY },
  }
  return edges.flatMap((edge) =>
    [-PULL_PX, PULL_PX].map((by) => {
      const from = starts[edge]!
      const to = edge === 'left' || edge === 'right' ? { ...from, x: from.x + by } : { ...from, y: from.y + by }
      return { label: `drag its ${edge} edge by ${by} px`, actions: [dragFrom(from, to, target)] }
    }),
  )
}
