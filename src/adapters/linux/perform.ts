import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/action.ts'
import type { Target } from '../../desktop/desktop.ts'
import { type Element, nodeAt, type Path, pathOf, walk } from '../../desktop/element.ts'
import { centerOf, contains, type Point } from '../../desktop/geometry.ts'
import { parseChord } from '../../desktop/keys.ts'
import type { Performed } from '../computer.ts'
import type { Accessibility, App } from './accessibility.ts'
import type { Bus } from './bus.ts'
import type { Display } from './display.ts'
import { type Place, unclippedBounds } from './dressing.ts'
import type { Input } from './input.ts'
import * as patterns from './patterns.ts'
import { hasState, ROLE } from './roles.ts'
import type { Scene } from './scenes.ts'
import {
  activate,
  activeWindow,
  closeWindow,
  idOf,
  listWindows,
  maximizeWindow,
  minimizeWindow,
  uidOf,
  type XWindow,
} from './windows.ts'

/** What an action needs of a real desktop. */
export interface Ground {
  readonly display: Display
  readonly input: Input
  /** Absent where programs offer no accessibility at all. */
  readonly accessibility: Accessibility | undefined
  /** The tree of a window as it is now. */
  scene(uid: string): Promise<Scene>
  appOf(window: XWindow): Promise<App | undefined>
}

type Via = Performed['via']
type ElementAction = Extract<Action, { target: Target; at: Point }>

/** GTK 4 plays the animation of a pressed button before its action takes effect. */
const EFFECT_MOST_MS = 400
/** Programs that report nothing are given this long. */
const SILENCE_MOST_MS = 120
const QUIET_MS = 50
const SETTLE_MOST_MS = 600
/** How long a list may take to come up. */
const OPEN_MOST_MS = 1000

/** Does an action on a real desktop and waits until the program concerned has dealt with it. */
export async function perform(ground: Ground, action: Action): Promise<Performed> {
  const app = await appConcerned(ground, action)
  const before = app && ground.accessibility ? ground.accessibility.changesOf(app.bus) : 0
  const via = await act(ground, action)
  if (via === 'pointer' || via === 'keyboard') await ground.input.caughtUp()
  if (app && ground.accessibility && via !== 'nothing') await settle(ground.accessibility, app, before, via)
  return { via }
}

async function act(ground: Ground, action: Action): Promise<Via> {
  switch (action.type) {
    case 'click':
      return click(ground, action)
    case 'hover':
      await ground.input.move(action.at)
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
      await ground.input.type(action.text)
      return 'keyboard'
    case 'key':
      await ground.input.press(parseChord(action.keys))
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

/** The program whose reports tell that an action has had its effect. */
async function appConcerned(ground: Ground, action: Action): Promise<App | undefined> {
  if (!ground.accessibility) return undefined
  const windows = await listWindows(ground.display)
  const window = windows.find((candidate) => {
    if ('window' in action) return candidate.id === idOf(action.window)
    if ('target' in action && action.target) return candidate.id === idOf(action.target.window)
    if ('at' in action && action.at) return contains(candidate.bounds, action.at)
    if (action.type === 'drag') return contains(candidate.bounds, action.from)
    return candidate.focused
  })
  return window && ground.appOf(window)
}

/** Ends when the program has reported a change and then been quiet, or when it has had time enough. */
async function settle({ change, changesOf }: Accessibility, { bus }: App, before: number, via: Via): Promise<void> {
  const deadline = Date.now() + SETTLE_MOST_MS
  if (!(await change(bus, before, via === 'accessibility' ? EFFECT_MOST_MS : SILENCE_MOST_MS))) return
  while (Date.now() < deadline) if (!(await change(bus, changesOf(bus), QUIET_MS))) return
}

async function windowOf(ground: Ground, uid: string): Promise<XWindow> {
  const id = idOf(uid)
  const window = (await listWindows(ground.display)).find((candidate) => candidate.id === id)
  if (!window) throw new Fault('WindowGone', `there is no window ${uid}`, { window_uid: uid })
  return window
}

/** An element of a window with all that it lies in, outermost first. */
interface Found {
  readonly scene: Scene
  readonly chain: readonly [Element, ...Element[]]
  readonly element: Element
  readonly place: Place
  readonly bus: Bus
}

async function find(ground: Ground, target: Target): Promise<Found> {
  const scene = await ground.scene(target.window)
  const path = pathOf(scene.tree, target.element)
  const place = scene.refs.get(target.element)
  if (!path || !place)
    throw new Fault('ElementNotFound', `the window has no element ${target.element} any more`, { ...target })
  const chain = [scene.tree, ...path.map((_, depth) => nodeAt(scene.tree, path.slice(0, depth + 1))!)] as const
  const element = chain.at(-1)!
  if (!element.enabled)
    throw new Fault('ElementDisabled', `${element.role} ${JSON.stringify(element.name)} is disabled`, { ...target })
  return { scene, chain: [chain[0], ...chain.slice(1)], element, place, bus: ground.accessibility!.bus }
}

async function click(ground: Ground, action: Extract<Action, { type: 'click' }>): Promise<Via> {
  const { at, button, count, modifiers, target } = action
  if (!target) {
    await ground.input.click(at, button, count, modifiers)
    return 'pointer'
  }
  const found = await find(ground, target)
  const plain = button === 'left' && count === 1 && !modifiers?.length
  const point = await pointOn(ground, found, at)
  // GTK 4 acts on a real click at once, but on its own click action only after an animation of a quarter second.
  const pointerFirst = found.scene.toolkit === 'gtk4' && point !== undefined
  if (plain && !pointerFirst && (await patterns.press(found.bus, found.place))) return 'accessibility'
  await clickAt(ground, found, point, action)
  return 'pointer'
}

async function invoke(ground: Ground, action: ElementAction): Promise<Via> {
  const found = await find(ground, action.target)
  if (await patterns.invoke(found.bus, found.place)) return 'accessibility'
  await clickAt(ground, found, await pointOn(ground, found, action.at), LEFT)
  return 'pointer'
}

const LEFT = { button: 'left', count: 1 } as const

async function clickAt(
  ground: Ground,
  found: Found,
  point: Point | undefined,
  { button, count, modifiers }: Pick<Extract<Action, { type: 'click' }>, 'button' | 'count' | 'modifiers'>,
): Promise<void> {
  const at = point ?? (await pointAfterScrolling(ground, found))
  await ground.input.click(at, button, count, modifiers)
}

/** Where the pointer can reach an element: where it was asked to, else the centre of what its containers leave of it. */
async function pointOn(ground: Ground, { scene, chain }: Found, wanted: Point): Promise<Point | undefined> {
  const seen = unclippedBounds(chain)
  if (!seen) return undefined
  const point = contains(seen, wanted) ? wanted : centerOf(seen)
  const front = (await listWindows(ground.display)).find((window) => contains(window.bounds, point))
  return front && (front.id === scene.window.id || front.owner === scene.window.id) ? point : undefined
}

async function pointAfterScrolling(ground: Ground, { scene, element, place, bus }: Found): Promise<Point> {
  if (await patterns.scrollIntoView(bus, place)) {
    const moved = await find(ground, { window: uidOf(scene.window.id), element: element.id })
    const point = await pointOn(ground, moved, centerOf(moved.element.bounds))
    if (point) return point
  }
  throw new Fault(
    'ElementOccluded',
    `${element.role} ${JSON.stringify(element.name)} is covered, scrolled out of sight or off the screen`,
    { window_uid: uidOf(scene.window.id), element_id: element.id },
  )
}

async function focus(ground: Ground, action: ElementAction): Promise<Via> {
  const found = await find(ground, action.target)
  await bringUp(ground, found.scene.window)
  if (await patterns.grabFocus(found.bus, found.place)) return 'accessibility'
  if (!hasState(found.place.states, 'focusable'))
    throw new Fault('PatternUnsupported', `${found.element.role} cannot take the keyboard; click it instead`)
  await clickAt(ground, found, await pointOn(ground, found, action.at), LEFT)
  return 'pointer'
}

async function bringUp({ display }: Ground, window: XWindow): Promise<void> {
  if ((await activeWindow(display)) !== window.id) await activate(display, window.id)
}

async function setValue(ground: Ground, action: Extract<Action, { type: 'set_value' }>): Promise<Via> {
  const found = await find(ground, action.target)
  const { bus, place, element } = found
  if (element.traits?.readOnly) throw unsettable(element, 'is read-only')
  const { value, clearFirst } = action
  if (await setByPattern(bus, place, value, clearFirst)) return 'accessibility'
  if (!hasState(place.states, 'editable') && !place.patterns.has('EditableText'))
    throw unsettable(element, 'holds no value that can be set')
  // What follows presses keys, so the element must really have the keyboard.
  await bringUp(ground, found.scene.window)
  if (!(await patterns.grabFocus(bus, place)))
    await clickAt(ground, found, await pointOn(ground, found, action.at), LEFT)
  await ground.input.press(parseChord(clearFirst ? 'ctrl+a' : 'ctrl+end'))
  if (clearFirst) await ground.input.press(parseChord('delete'))
  await ground.input.type(value)
  return 'keyboard'
}

const unsettable = (element: Element, why: string): Fault =>
  new Fault('PatternUnsupported', `${element.role} ${JSON.stringify(element.name)} ${why}`, { element_id: element.id })

async function setByPattern(bus: Bus, place: Place, value: string, clearFirst: boolean): Promise<boolean> {
  if (place.patterns.has('Value') && value.trim() !== '' && (await patterns.setNumber(bus, place, Number(value))))
    return true
  return clearFirst ? patterns.setText(bus, place, value) : patterns.appendText(bus, place, value)
}

/** Roles that are chosen from a list, a combo box, a menu or a row of tabs. */
const OPTIONS: ReadonlySet<string> = new Set(['ListItem', 'MenuItem', 'TreeItem', 'TabItem', 'Cell', 'RadioButton'])

async function select(ground: Ground, action: Extract<Action, { type: 'select' }>): Promise<Via> {
  const found = await find(ground, action.target)
  const { bus, place, element, scene } = found
  const options = optionsOf(element)
  const wanted = action.option
  const index = 'index' in wanted ? wanted.index : options.findIndex(({ element: { name } }) => name === wanted.name)
  const option = options[index]
  if (!option)
    throw new Fault(
      'ElementNotFound',
      `${element.role} ${JSON.stringify(element.name)} has no option ${JSON.stringify('index' in wanted ? wanted.index : wanted.name)}`,
      { options: options.slice(0, 20).map(({ element: { name } }) => name) },
    )
  const chosen = () => tookEffect(ground, action.target, option.element)
  if (place.role === ROLE.comboBox) return selectInCombo(ground, found, option.element, index, chosen)
  if ((await patterns.selectChild(bus, scene.refs.get(option.parent.id)!, option.at)) && (await chosen()))
    return 'accessibility'
  if ((await patterns.invoke(bus, scene.refs.get(option.element.id)!)) && (await chosen())) return 'accessibility'
  await clickElement(ground, { window: action.target.window, element: option.element.id })
  return 'pointer'
}

/** By the box itself, else with the arrow keys while it is closed, else by opening it and clicking the option. */
async function selectInCombo(
  ground: Ground,
  found: Found,
  option: Element,
  index: number,
  chosen: () => Promise<boolean>,
): Promise<Via> {
  const { bus, place, scene, element } = found
  if ((await patterns.selectChild(bus, place, index)) && (await chosen())) return 'accessibility'
  if (await patterns.grabFocus(bus, place)) {
    await bringUp(ground, scene.window)
    await ground.input.press(parseChord('home'))
    for (let step = 0; step < index; step++) await ground.input.press(parseChord('down'))
    if (await chosen()) return 'keyboard'
  }
  const window = uidOf(scene.window.id)
  await clickElement(ground, { window, element: element.id })
  const deadline = Date.now() + OPEN_MOST_MS
  for (;;) {
    const now = await find(ground, { window, element: option.id })
    if (!now.element.traits?.hidden || Date.now() > deadline) break
    await ground.input.rest(QUIET_MS)
  }
  await clickElement(ground, { window, element: option.id })
  return 'pointer'
}

async function clickElement(ground: Ground, target: Target): Promise<void> {
  const found = await find(ground, target)
  await clickAt(ground, found, await pointOn(ground, found, centerOf(found.element.bounds)), LEFT)
}

interface Option {
  readonly element: Element
  readonly parent: Element
  /** Its place among its parent's children. */
  readonly at: number
}

/** The options below an element in order; those of the nearest container first met, not of ones inside an option. */
function optionsOf(element: Element): readonly Option[] {
  return element.children.flatMap((child, at): readonly Option[] =>
    OPTIONS.has(child.role) ? [{ element: child, parent: element, at }] : optionsOf(child),
  )
}

async function tookEffect(ground: Ground, target: Target, option: Element): Promise<boolean> {
  await ground.input.rest(QUIET_MS)
  const { tree } = await ground.scene(target.window)
  const path: Path | undefined = pathOf(tree, target.element)
  const now = path && nodeAt(tree, path)
  if (!now) return false
  if (now.role === 'ComboBox') return now.value === option.name
  for (const node of walk(now)) if (node.id === option.id) return node.selected === true
  return false
}

async function changeWindow(
  ground: Ground,
  uid: string,
  to: 'close' | 'minimize' | 'maximize' | 'restore',
): Promise<Via> {
  const { display } = ground
  const id = idOf(uid)
  // A minimised window is in nobody's list, yet it can be restored.
  const window = to === 'restore' && id !== undefined ? id : (await windowOf(ground, uid)).id
  if (to === 'close') await closeWindow(display, window)
  if (to === 'minimize') await minimizeWindow(display, window)
  if (to === 'maximize') await maximizeWindow(display, window, true)
  if (to === 'restore') await maximizeWindow(display, window, false)
  await ground.input.rest(SILENCE_MOST_MS)
  return 'behaviour'
}
