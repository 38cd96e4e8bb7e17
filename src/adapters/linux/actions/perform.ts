import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../base/fault.ts'
import type { Action } from '../../../desktop/input/action.ts'
import { parseChord } from '../../../desktop/input/keys.ts'
import type { Target } from '../../../desktop/model/desktop.ts'
import { centerOf, contains, type Point } from '../../../desktop/model/geometry.ts'
import { shownBounds } from '../../../desktop/tree/visible-bounds.ts'
import type { PerformOptions, PerformResult } from '../../computer.ts'
import type { Accessibility, App } from '../accessibility/accessibility.ts'
import { type Found, findIn, isChosen, nameOf, type Option, optionIn } from '../accessibility/element-lookup.ts'
import { hasState, ROLE } from '../accessibility/roles.ts'
import type { Scene } from '../accessibility/window-trees.ts'
import type { Bus } from '../dbus/bus.ts'
import type { Input } from '../input/input.ts'
import type { Display } from '../x11/display.ts'
import {
  activate,
  activeWindow,
  closeWindow,
  listWindows,
  maximizeWindow,
  minimizeWindow,
  uidOf,
  windowIdOf,
  type XWindow,
} from '../x11/windows.ts'
import * as patterns from './patterns.ts'
import { bringIntoView } from './scroll-into-view.ts'
import { chooseRow, rowOf } from './table-rows.ts'

/** What an action needs of a real desktop. */
export interface Ground {
  readonly display: Display
  readonly input: Input
  /** Absent where programs offer no accessibility at all. */
  readonly accessibility: Accessibility | undefined
  /** The tree of a window as it is now, or as it was at most `maxAgeMs` ago. */
  scene(uid: string, maxAgeMs?: number): Promise<Scene>
  appOf(window: XWindow): Promise<App | undefined>
  /** What is remembered of a program holds no longer, whether it reports so or not. */
  changed(app: App): void
}

type Via = PerformResult['via']
type ElementAction = Extract<Action, { target: Target; at: Point }>

/** GTK 4 plays the animation of a pressed button before its action takes effect. */
const EFFECT_MOST_MS = 400
/** Programs that report nothing are given this long. */
const SILENCE_MOST_MS = 120
const QUIET_MS = 50
const SETTLE_MOST_MS = 600
/** How long a list may take to come up. */
const OPEN_MOST_MS = 500
const POLL_MS = 10

/** Does an action on a real desktop and waits until the program concerned has dealt with it, or as long as asked. */
export async function perform(
  ground: Ground,
  action: Action,
  { settleMs, keyboardWindow: keyboardAt }: PerformOptions,
): Promise<PerformResult> {
  const { accessibility, display } = ground
  const windows = await listWindows(display)
  const app = accessibility && (await appOf(ground, windowConcerned(action, windows)))
  const focused =
    accessibility &&
    (await appOf(
      ground,
      windows.find((window) => window.focused),
    ))
  const changes = app ? accessibility.changesOf(app.bus) : 0
  const openings = app ? accessibility.openingsOf(app.bus) : 0
  try {
    const via = await act(ground, action, keyboardAt === undefined ? undefined : windowIdOf(keyboardAt))
    if (settleMs === 0 || via === 'nothing') return { via }
    if (via === 'pointer' || via === 'keyboard') await ground.input.caughtUp()
    if (app) await settle(accessibility, app, changes, via)
    // A window that nobody describes is given the time that a silent program gets.
    else await ground.input.rest(SILENCE_MOST_MS)
    if (settleMs !== undefined) await windowsChanged(display, windows, settleMs)
    else if (app && accessibility.openingsOf(app.bus) > openings) await windowsChanged(display, windows, OPEN_MOST_MS)
    return { via }
  } finally {
    if (app) ground.changed(app)
    if (focused) ground.changed(focused)
  }
}

/** `keyboardAt`: the window that keys are meant for, where that is known. */
async function act(ground: Ground, action: Action, keyboardAt?: number): Promise<Via> {
  switch (action.type) {
    case 'click':
      return click(ground, action)
    case 'hover':
      await ground.input.move(action.target ? await pointOver(ground, action.target, action.at) : action.at)
      await ground.input.rest(action.forMs)
      return 'pointer'
    case 'drag':
      await ground.input.drag(action.from, action.to, action.durationMs, action.modifiers)
      return 'pointer'
    case 'scroll':
      if (action.at) await ground.input.move(action.at)
      await ground.input.scroll(action.clicks)
      return 'pointer'
    case 'type':
      await ground.input.type(action.text, keyboardAt)
      return 'keyboard'
    case 'key':
      await ground.input.press(parseChord(action.keys), keyboardAt)
      return 'keyboard'
    case 'focus':
      return focus(ground, action)
    case 'invoke':
      return invoke(ground, action)
    case 'set_value':
      return setValue(ground, action)
    case 'clear_text':
      return setValue(ground, { ...action, type: 'set_value', value: '', clearFirst: true })
    case 'select':
      return select(ground, action)
    case 'activate':
      await activate(ground.display, (await windowOf(ground, action.window)).id)
      return 'behaviour'
    case 'window':
      return changeWindow(ground, action.window, action.to)
  }
}

/** The window whose program tells by its reports that an action has had its effect. */
const windowConcerned = (action: Action, windows: readonly XWindow[]): XWindow | undefined =>
  windows.find((candidate) => {
    if ('window' in action) return candidate.id === windowIdOf(action.window)
    if ('target' in action && action.target) return candidate.id === windowIdOf(action.target.window)
    if ('at' in action && action.at) return contains(candidate.bounds, action.at)
    if (action.type === 'drag') return contains(candidate.bounds, action.from)
    return candidate.focused
  })

/** The program behind a window; undefined also while the accessibility bus says nothing, since pointer and keys go on. */
async function appOf(ground: Ground, window: XWindow | undefined): Promise<App | undefined> {
  try {
    return window && (await ground.appOf(window))
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** Ends when a window has opened or closed, the window manager has dealt with it, or the time is over. */
async function windowsChanged(display: Display, before: readonly XWindow[], withinMs: number): Promise<void> {
  const known = new Set(before.map(({ id }) => id))
  const deadline = Date.now() + withinMs
  for (;;) {
    const now = await listWindows(display)
    if (now.length !== known.size || now.some(({ id }) => !known.has(id)) || Date.now() > deadline) return
    await sleep(POLL_MS)
  }
}

/** Ends when the program has reported a change and then been quiet, or when it has had time enough. */
async function settle(accessibility: Accessibility, app: App, before: number, via: Via): Promise<void> {
  const { change, changesOf } = accessibility
  const { bus } = app
  const deadline = Date.now() + SETTLE_MOST_MS
  const isAnimated = via === 'accessibility' && (await accessibility.toolkit(app)) === 'gtk4'
  if (!(await change(bus, before, isAnimated ? EFFECT_MOST_MS : SILENCE_MOST_MS))) return
  while (Date.now() < deadline) if (!(await change(bus, changesOf(bus), QUIET_MS))) return
}

async function windowOf(ground: Ground, uid: string): Promise<XWindow> {
  const id = windowIdOf(uid)
  const window = (await listWindows(ground.display)).find((candidate) => candidate.id === id)
  if (!window) throw new Fault('WindowGone', `there is no window ${uid}`, { window_uid: uid })
  return window
}

const find = async (ground: Ground, target: Target, maxAgeMs = 0): Promise<Found<Scene>> =>
  findIn(await ground.scene(target.window, maxAgeMs), target)

/** What was read to choose an element needs not be read again to act on it, unless the program has reported a change. */
const JUST_SEEN_MS = 100
const findSeen = (ground: Ground, target: Target): Promise<Found<Scene>> => find(ground, target, JUST_SEEN_MS)

/** The accessibility bus; there is one wherever an element was found. */
const busOf = (ground: Ground): Bus => ground.accessibility!.bus

async function click(ground: Ground, action: Extract<Action, { type: 'click' }>): Promise<Via> {
  const { at, button, count, modifiers, target } = action
  if (!target) {
    await ground.input.click(at, button, count, modifiers)
    return 'pointer'
  }
  const found = await findSeen(ground, target)
  const plain = button === 'left' && count === 1 && !modifiers?.length
  const point = await pointOn(ground, found, at)
  if (plain && !(point && prefersPointer(found)) && (await patterns.press(busOf(ground), found.place)))
    return 'accessibility'
  await clickAt(ground, found, point, action)
  return 'pointer'
}

/** Qt's own action does what a menu item says, but leaves its menu open, which then swallows all keys. */
const MENU_ROLES: ReadonlySet<number> = new Set([ROLE.menu, ROLE.menuItem, ROLE.checkMenuItem, ROLE.radioMenuItem])
const leavesMenuOpen = ({ scene, place }: Found<Scene>): boolean => scene.toolkit === 'qt' && MENU_ROLES.has(place.role)

/** GTK 4 acts on a real click at once, but on its own click action only after an animation of a quarter second. */
const prefersPointer = (found: Found<Scene>): boolean => found.scene.toolkit === 'gtk4' || leavesMenuOpen(found)

async function invoke(ground: Ground, action: ElementAction): Promise<Via> {
  const found = await findSeen(ground, action.target)
  const point = await pointOn(ground, found, action.at)
  const byPointer = point !== undefined && leavesMenuOpen(found)
  if (!byPointer && (await patterns.invoke(busOf(ground), found.place))) return 'accessibility'
  await clickAt(ground, found, point, LEFT)
  return 'pointer'
}

const LEFT = { button: 'left', count: 1 } as const

async function clickAt(
  ground: Ground,
  found: Found<Scene>,
  point: Point | undefined,
  { button, count, modifiers }: Pick<Extract<Action, { type: 'click' }>, 'button' | 'count' | 'modifiers'>,
): Promise<void> {
  const at = point ?? (await pointAfterScrolling(ground, found))
  await ground.input.click(at, button, count, modifiers)
}

/** Where the pointer can reach an element: where it was asked to, else the centre of what its containers leave of it. */
async function pointOn(ground: Ground, { scene, path }: Found<Scene>, wanted: Point): Promise<Point | undefined> {
  const seen = shownBounds(scene.tree, path)
  if (!seen) return undefined
  const point = contains(seen, wanted) ? wanted : centerOf(seen)
  const front = (await listWindows(ground.display)).find((window) => contains(window.bounds, point))
  return front && (front.id === scene.window.id || front.owner === scene.window.id) ? point : undefined
}

async function pointOver(ground: Ground, target: Target, at: Point): Promise<Point> {
  const found = await findSeen(ground, target)
  return (await pointOn(ground, found, at)) ?? pointAfterScrolling(ground, found)
}

async function pointAfterScrolling(ground: Ground, found: Found<Scene>): Promise<Point> {
  const { scene, element } = found
  const { input } = ground
  const moved = await bringIntoView(
    {
      bus: busOf(ground),
      find: () => find(ground, { window: uidOf(scene.window.id), element: element.id }),
      rest: input.rest,
      wheel: async (at, clicks) => {
        await input.move(at)
        await input.scroll(clicks)
      },
    },
    found,
  )
  const point = await pointOn(ground, moved, centerOf(moved.element.bounds))
  if (point) return point
  throw new Fault('ElementOccluded', `${nameOf(element)} is covered, scrolled out of sight or off the screen`, {
    window_uid: uidOf(scene.window.id),
    element_id: element.id,
  })
}

async function focus(ground: Ground, action: ElementAction): Promise<Via> {
  const found = await findSeen(ground, action.target)
  await bringUp(ground, found.scene.window)
  if (await patterns.grabFocus(busOf(ground), found.place)) return 'accessibility'
  if (!hasState(found.place.states, 'focusable'))
    throw new Fault('PatternUnsupported', `${found.element.role} cannot take the keyboard; click it instead`)
  await clickAt(ground, found, await pointOn(ground, found, action.at), LEFT)
  return 'pointer'
}

async function bringUp({ display }: Ground, window: XWindow): Promise<void> {
  if ((await activeWindow(display)) !== window.id) await activate(display, window.id)
}

async function setValue(ground: Ground, action: Extract<Action, { type: 'set_value' }>): Promise<Via> {
  const found = await findSeen(ground, action.target)
  const { place, scene, element } = found
  const { value, clearFirst } = action
  const bus = busOf(ground)
  if (await patterns.setValue(bus, element, place, value, clearFirst)) return 'accessibility'
  // What follows presses keys, so the element must really have the keyboard.
  await bringUp(ground, scene.window)
  if (!(await patterns.grabFocus(bus, place)))
    await clickAt(ground, found, await pointOn(ground, found, action.at), LEFT)
  await ground.input.press(clearFirst ? SELECT_ALL : TO_THE_END, scene.window.id)
  if (clearFirst) await ground.input.press(DELETE, scene.window.id)
  await ground.input.type(value, scene.window.id)
  return 'keyboard'
}

const SELECT_ALL = parseChord('ctrl+a')
const TO_THE_END = parseChord('ctrl+end')
const DELETE = parseChord('delete')
const HOME = parseChord('home')
const DOWN = parseChord('down')

async function select(ground: Ground, { target, option: wanted }: Extract<Action, { type: 'select' }>): Promise<Via> {
  const found = await findSeen(ground, target)
  const bus = busOf(ground)
  // Of a long list only what is in view is in the tree.
  if (found.element.traits?.childCount !== undefined) {
    const row = await rowOf(bus, found.place, wanted)
    if (row !== undefined && (await chooseRow(bus, found.place, row))) return 'accessibility'
  }
  const option = optionIn(found.element, wanted)
  const chosen = async () => {
    await ground.input.rest(QUIET_MS)
    return isChosen((await ground.scene(target.window)).tree, target.element, option.element)
  }
  if (found.place.role === ROLE.comboBox) return selectInCombo(ground, found, option, chosen)
  const owner = found.scene.refs.get(option.parent.id)!
  const item = found.scene.refs.get(option.element.id)!
  if (option.element.role === 'DataItem' && owner.patterns.has('Table')) {
    if (item.index !== undefined && (await chooseRow(bus, owner, item.index))) return 'accessibility'
    await clickElement(ground, { window: target.window, element: option.element.id })
    return 'pointer'
  }
  if ((await patterns.selectChild(bus, owner, option.at)) && (await chosen())) return 'accessibility'
  if ((await patterns.invoke(bus, item)) && (await chosen())) return 'accessibility'
  await clickElement(ground, { window: target.window, element: option.element.id })
  return 'pointer'
}

/** By the box itself, else with the arrow keys while it is closed, else by opening it and clicking the option. */
async function selectInCombo(
  ground: Ground,
  { scene, element, place }: Found<Scene>,
  option: Option,
  chosen: () => Promise<boolean>,
): Promise<Via> {
  const bus = busOf(ground)
  if ((await patterns.selectChild(bus, place, option.index)) && (await chosen())) return 'accessibility'
  if (await patterns.grabFocus(bus, place)) {
    await bringUp(ground, scene.window)
    await ground.input.press(HOME, scene.window.id)
    for (let step = 0; step < option.index; step++) await ground.input.press(DOWN, scene.window.id)
    if (await chosen()) return 'keyboard'
  }
  const window = uidOf(scene.window.id)
  await clickElement(ground, { window, element: element.id })
  const deadline = Date.now() + OPEN_MOST_MS
  const target = { window, element: option.element.id }
  while ((await find(ground, target)).element.traits?.hidden && Date.now() < deadline) await ground.input.rest(QUIET_MS)
  await clickElement(ground, target)
  return 'pointer'
}

async function clickElement(ground: Ground, target: Target): Promise<void> {
  const found = await find(ground, target)
  await clickAt(ground, found, await pointOn(ground, found, centerOf(found.element.bounds)), LEFT)
}

async function changeWindow(
  ground: Ground,
  uid: string,
  to: 'close' | 'minimize' | 'maximize' | 'restore',
): Promise<Via> {
  const { display } = ground
  const id = windowIdOf(uid)
  // A minimised window is in nobody's list, yet it can be restored.
  const window = to === 'restore' && id !== undefined ? id : (await windowOf(ground, uid)).id
  if (to === 'close') await closeWindow(display, window)
  if (to === 'minimize') await minimizeWindow(display, window)
  if (to === 'maximize') await maximizeWindow(display, window, true)
  if (to === 'restore') await maximizeWindow(display, window, false)
  await ground.input.rest(SILENCE_MOST_MS)
  return 'behaviour'
}
