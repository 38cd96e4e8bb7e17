import { Fault } from '../../base/fault.ts'
import { type Chord, characterOf } from '../input/keys.ts'
import { type Desktop, windowByUid } from '../model/desktop.ts'
import { type Element, withFields } from '../model/element.ts'
import type { Point, Rect } from '../model/geometry.ts'
import { roleKind } from '../model/role.ts'
import { changeRef, type ElementRef, focusedRef, parentOf, refresh, windowOf, withTraits } from '../tree/element-ref.ts'
import { placed } from '../tree/tree-edits.ts'
import { subtreePredicate } from '../tree/visibility.ts'
import { type EditState, editStateOf, insert, remove, selectAll } from '../widgets/text.ts'
import { type WidgetBehaviour, wholeClicks } from '../widgets/widget.ts'
import { moveFocus } from '../windows/focus.ts'
import { pressDefaultButton } from './button.ts'

/** Half of a slider's thumb, the least distance of its middle from the ends of the track. */
export const THUMB_RADIUS = 8
/** The strip at the right of a spinner with its two arrow buttons. */
const ARROWS_WIDTH = 20
const PAGE_STEPS = 10

/** Slider: arrows, page keys, Home and End. A click or drag moves the thumb. */
export const slider: WidgetBehaviour = {
  click: (desktop, ref, { at }) => setNumber(desktop, ref, valueAtPoint(ref.element, at)),
  grab: (element) => numberOf(element),
  drag: (desktop, ref, _from, to) => setNumber(desktop, ref, valueAtPoint(ref.element, to)),
  scroll(desktop, ref, clicks, axis) {
    if (axis === 'x' || !ref.element.focused) return undefined
    return setNumber(desktop, ref, numberOf(entered(ref.element)) + wholeClicks(clicks) * stepOf(ref.element))
  },
  key: (desktop, ref, chord) => {
    const to = numberByKey(ref.element, chord)
    return to === undefined ? undefined : setNumber(desktop, ref, to)
  },
  setValue: (desktop, ref, value) => setNumber(desktop, ref, parsed(ref.element, value)),
}

/** Spinner: a number with two arrow buttons, up above down. The number can also be typed. */
export const spinner: WidgetBehaviour = {
  click(desktop, ref, { at, count }) {
    const { up, down } = spinnerArrows(ref.element)
    if (at.x < up.x) return count > 1 && isTyped(ref.element) ? retype(desktop, ref, selectAll) : desktop
    const step = stepOf(ref.element)
    return setNumber(desktop, ref, numberOf(entered(ref.element)) + (at.y < down.y ? step : -step))
  },
  scroll: slider.scroll!,
  key(desktop, ref, chord) {
    if (isTyped(ref.element)) {
      const done = pressToEnter(desktop, ref, chord)
      if (done) return done
    }
    if (chord.key === 'left' || chord.key === 'right') return undefined
    const held = chord.modifiers.join('+')
    if (held === '' && (chord.key === 'backspace' || chord.key === 'delete'))
      return retype(desktop, ref, (editing) => remove(editing, chord.key === 'delete' ? 1 : -1, 'character'))
    if ((held === 'ctrl' || held === 'meta') && chord.key === 'a') return retype(desktop, ref, selectAll)
    const to = numberByKey(entered(ref.element), chord)
    if (to !== undefined) return setNumber(desktop, ref, to)
    const digit = characterOf(chord)
    return digit && /[0-9.-]/.test(digit) ? retypeWith(desktop, ref, digit) : undefined
  },
  type(desktop, ref, text) {
    const digits = text.trim()
    if (digits.length > MAX_DIGITS || !BEGUN.test(digits)) return setNumber(desktop, ref, parsed(ref.element, text))
    return [...digits].reduce((next, each) => retypeWith(next, refresh(next, ref)!, each), desktop)
  },
  setValue: slider.setValue!,
}

const holdsTyped = subtreePredicate('special', (node) => roleKind(node.role) === 'spinner' && isTyped(node))

/** Commits the typed number of a spinner that lost the focus. */
export function withNumberEntered(before: Desktop, after: Desktop): Desktop {
  const window = before.active === undefined ? undefined : windowByUid(before, before.active)
  if (!window || !holdsTyped(window.tree)) return after
  const left = focusedRef(before)
  const here = left && isTyped(left.element) ? refresh(after, left) : undefined
  return here && roleKind(here.element.role) === 'spinner' && !here.element.focused
    ? changeRef(after, here, entered)
    : after
}

/** The bounds of a spinner's arrow buttons, in screen pixels, for hit tests and paint. */
export function spinnerArrows({ bounds }: Element): { readonly up: Rect; readonly down: Rect } {
  const width = Math.min(ARROWS_WIDTH, bounds.width)
  const half = Math.floor(bounds.height / 2)
  const x = bounds.x + bounds.width - width
  return {
    up: { x, y: bounds.y, width, height: half },
    down: { x, y: bounds.y + half, width, height: bounds.height - half },
  }
}

/** The middle of a slider's thumb, in screen pixels, for hit tests and paint. */
export function sliderThumb(element: Element): Point {
  const { bounds, valueMin = 0, valueMax = 100 } = element
  const part = valueMax > valueMin ? (numberOf(element) - valueMin) / (valueMax - valueMin) : 0
  const along = (size: number) => Math.round(THUMB_RADIUS + part * Math.max(0, size - 2 * THUMB_RADIUS))
  return isUpright(bounds)
    ? { x: bounds.x + Math.floor(bounds.width / 2), y: bounds.y + bounds.height - along(bounds.height) }
    : { x: bounds.x + along(bounds.width), y: bounds.y + Math.floor(bounds.height / 2) }
}

const isUpright = (bounds: Rect): boolean => bounds.height > bounds.width

function valueAtPoint({ bounds, valueMin = 0, valueMax = 100 }: Element, { x, y }: Point): number {
  const size = Math.max(1, (isUpright(bounds) ? bounds.height : bounds.width) - 2 * THUMB_RADIUS)
  const along = isUpright(bounds) ? bounds.y + bounds.height - THUMB_RADIUS - y : x - bounds.x - THUMB_RADIUS
  return valueMin + (along / size) * (valueMax - valueMin)
}

/** The shown number: `valueNow`, otherwise the parsed value, otherwise the minimum. */
function numberOf({ valueNow, value, valueMin = 0 }: Element): number {
  if (valueNow !== undefined) return valueNow
  const read = Number(value ?? '')
  return value && Number.isFinite(read) ? read : valueMin
}

const stepOf = (element: Element): number => Math.abs(element.traits?.step ?? 1) || 1

function numberByKey(element: Element, { modifiers, key }: Chord): number | undefined {
  if (modifiers.length > 0) return undefined
  const now = numberOf(element)
  const step = stepOf(element)
  switch (key) {
    case 'up':
    case 'right':
      return now + step
    case 'down':
    case 'left':
      return now - step
    case 'pageup':
      return now + step * PAGE_STEPS
    case 'pagedown':
      return now - step * PAGE_STEPS
    case 'home':
      return element.valueMin ?? now
    case 'end':
      return element.valueMax ?? now
    default:
      return undefined
  }
}

/** Sets the allowed number nearest to `to`: in range and on a step. */
function setNumber(desktop: Desktop, ref: ElementRef, to: number): Desktop {
  if (ref.element.traits?.readOnly) return desktop
  return changeRef(desktop, ref, (element) => withNumber(element, to))
}

function withNumber(element: Element, to: number): Element {
  const valueNow = allowed(element, to)
  const still = isTyped(element) ? withTraits(element, { caret: undefined }) : element
  return withFields(still, element.value === null ? { valueNow } : { valueNow, value: String(valueNow) })
}

function rangeOf({ role, valueMin, valueMax }: Element): { readonly low: number; readonly high: number } {
  const isSlider = roleKind(role) === 'slider'
  const low = valueMin ?? (isSlider ? 0 : Number.MIN_SAFE_INTEGER)
  return { low, high: Math.max(low, valueMax ?? (isSlider ? 100 : Number.MAX_SAFE_INTEGER)) }
}

/** The last step may end before the range does. */
function allowed(element: Element, to: number): number {
  const { low, high } = rangeOf(element)
  const step = stepOf(element)
  const origin = element.valueMin ?? 0
  const most = Math.floor(rounded((high - origin) / step))
  const steps = Math.min(most, Math.round((Math.min(to, high) - origin) / step))
  return rounded(Math.max(low, origin + steps * step))
}

/** Rounds off floating point errors. */
const rounded = (number: number): number => Number(number.toFixed(10))

function parsed(element: Element, text: string): number {
  const number = Number(text.trim())
  if (text.trim() !== '' && Number.isFinite(number)) return number
  throw new Fault('BadRequest', `"${element.name}" takes a number; ${JSON.stringify(text)} is none`, { value: text })
}

/** Whether a number is being typed: its text then has a caret and is the value. */
const isTyped = (element: Element): boolean => element.traits?.caret !== undefined

/** A number or the beginning of one. */
const BEGUN = /^-?\d*(?:\.\d*)?$/
/** A longer text is taken as a whole. */
const MAX_DIGITS = 64
const isNumber = (text: string): boolean => /\d/.test(text)

/** Commits the typed text as an allowed number. Keeps the previous number if it is not one. */
function entered(element: Element): Element {
  if (!isTyped(element)) return element
  const text = element.value ?? ''
  return withNumber(element, isNumber(text) ? Number(text) : numberOf(element))
}

/** Changes the typed text. If it is a number in range, it takes effect at once. */
function retype(desktop: Desktop, ref: ElementRef, change: (editing: EditState) => EditState): Desktop {
  if (ref.element.traits?.readOnly) return desktop
  return changeRef(desktop, ref, (element) => {
    const text = String(numberOf(element))
    const before = isTyped(element) ? editStateOf(element) : { text, at: text.length, from: text.length }
    const editing = change(before)
    if (editing === before || !BEGUN.test(editing.text)) return element
    const number = isNumber(editing.text) ? Number(editing.text) : Number.NaN
    const { low, high } = rangeOf(element)
    const valueNow = number >= low && number <= high ? allowed(element, number) : numberOf(element)
    const { at, from } = editing
    return withFields(withTraits(element, { caret: { at, from } }), { value: editing.text, valueNow })
  })
}

/** The first typed character replaces the number. */
const retypeWith = (desktop: Desktop, ref: ElementRef, character: string): Desktop =>
  retype(desktop, ref, (editing) => insert(isTyped(ref.element) ? editing : selectAll(editing), character))

/** Enter and Tab commit the number, then have their usual effect. */
function pressToEnter(desktop: Desktop, ref: ElementRef, { modifiers, key }: Chord): Desktop | undefined {
  const held = modifiers.join('+')
  if (key === 'enter' && held === '') {
    const done = changeRef(desktop, ref, entered)
    return pressDefaultButton(done, windowOf(done, ref.window.uid), 'enter') ?? done
  }
  if (key !== 'tab' || (held !== '' && held !== 'shift')) return undefined
  return moveFocus(changeRef(desktop, ref, entered), held === '' ? 1 : -1)
}

const MIN_PANE_PX = 24
const KEY_STEP = 16

/** Splitter: the bar between two neighbours. Dragging it, or arrows, resize both. */
export const splitter: WidgetBehaviour = {
  grab: positionOf,
  drag(desktop, ref, from, to, _modifiers, grabbed) {
    const behind = (grabbed ?? positionOf(ref.element)) - positionOf(ref.element)
    return shift(desktop, ref, behind + to.x - from.x, behind + to.y - from.y)
  },
  key(desktop, ref, { modifiers, key }) {
    if (modifiers.length > 0) return undefined
    const by = { left: [-KEY_STEP, 0], right: [KEY_STEP, 0], up: [0, -KEY_STEP], down: [0, KEY_STEP] }[key]
    return by && shift(desktop, ref, by[0]!, by[1]!)
  },
}

const isUprightBar = ({ bounds }: Element): boolean => bounds.height >= bounds.width

/** The place of a bar along the axis on which it moves. */
function positionOf(bar: Element): number {
  return isUprightBar(bar) ? bar.bounds.x : bar.bounds.y
}

function shift(desktop: Desktop, ref: ElementRef, dx: number, dy: number): Desktop {
  const holder = parentOf(ref)
  const place = ref.path.at(-1)!
  const before = holder?.element.children[place - 1]
  const after = holder?.element.children[place + 1]
  if (!holder || !before || !after) return desktop
  return changeRef(desktop, holder, (element) => {
    const sized = shifted(before, ref.element, after, dx, dy)
    if (!sized) return element
    return { ...element, children: element.children.map((child, index) => sized[index - place + 1] ?? child) }
  })
}

/** The resized neighbours and the moved bar. Undefined if the bar cannot move. */
function shifted(before: Element, bar: Element, after: Element, dx: number, dy: number): Element[] | undefined {
  const upright = isUprightBar(bar)
  const size = (rect: Rect) => (upright ? rect.width : rect.height)
  const wanted = upright ? dx : dy
  const least = Math.min(0, MIN_PANE_PX - size(before.bounds))
  const most = Math.max(0, size(after.bounds) - MIN_PANE_PX)
  const by = Math.max(least, Math.min(wanted, most))
  if (by === 0) return undefined
  const grown = (rect: Rect, start: number, length: number): Rect =>
    upright
      ? { ...rect, x: rect.x + start, width: rect.width + length }
      : { ...rect, y: rect.y + start, height: rect.height + length }
  return [
    placed(before, grown(before.bounds, 0, by)),
    placed(bar, grown(bar.bounds, by, 0)),
    placed(after, grown(after.bounds, by, -by)),
  ]
}
