import { Fault } from '../base/fault.ts'
import type { Desktop } from './desktop.ts'
import { type Element, withFields } from './element.ts'
import type { Point, Rect } from './geometry.ts'
import { type Chord, characterOf } from './keys.ts'
import { kindOf } from './role.ts'
import { changeSpot, type Spot } from './spot.ts'
import type { Widget } from './widget.ts'

/** Half of a slider's thumb: its middle never comes nearer to the ends of the track. */
const THUMB_RADIUS = 8
/** The strip at the right of a spinner with its two small buttons. */
const ARROWS_WIDTH = 20
const PAGE_STEPS = 10

/** Slider: arrows, page keys, Home and End; a click or drag puts the thumb there. */
export const slider: Widget = {
  click: (desktop, spot, { at }) => setNumber(desktop, spot, valueAtPoint(spot.element, at)),
  drag: (desktop, spot, _from, to) => setNumber(desktop, spot, valueAtPoint(spot.element, to)),
  scroll(desktop, spot, clicks) {
    if (!spot.element.focused) return undefined
    return setNumber(desktop, spot, numberOf(spot.element) + clicks * stepOf(spot.element))
  },
  key: (desktop, spot, chord) => {
    const to = numberByKey(spot.element, chord)
    return to === undefined ? undefined : setNumber(desktop, spot, to)
  },
  setValue: (desktop, spot, value) => setNumber(desktop, spot, parsed(spot.element, value)),
}

/** Spinner: a number with two small buttons, up above down; its number can be typed as well. */
export const spinner: Widget = {
  click(desktop, spot, { at }) {
    const { up, down } = spinnerArrows(spot.element)
    if (at.x < up.x) return desktop
    const step = stepOf(spot.element)
    return setNumber(desktop, spot, numberOf(spot.element) + (at.y < down.y ? step : -step))
  },
  scroll: slider.scroll!,
  key(desktop, spot, chord) {
    if (chord.key === 'left' || chord.key === 'right') return undefined
    if (chord.key === 'backspace' && chord.modifiers.length === 0)
      return retype(desktop, spot, (text) => text.slice(0, -1))
    const to = numberByKey(spot.element, chord)
    if (to !== undefined) return setNumber(desktop, spot, to)
    const digit = characterOf(chord)
    return digit && /[0-9.-]/.test(digit) ? retype(desktop, spot, (text) => text + digit) : undefined
  },
  type: (desktop, spot, text) => setNumber(desktop, spot, parsed(spot.element, text)),
  setValue: slider.setValue!,
}

/** Where the small buttons of a spinner are, in screen pixels; hit tests and paint share it. */
export function spinnerArrows({ bounds }: Element): { readonly up: Rect; readonly down: Rect } {
  const width = Math.min(ARROWS_WIDTH, bounds.width)
  const half = Math.floor(bounds.height / 2)
  const x = bounds.x + bounds.width - width
  return {
    up: { x, y: bounds.y, width, height: half },
    down: { x, y: bounds.y + half, width, height: bounds.height - half },
  }
}

/** The middle of a slider's thumb, in screen pixels; hit tests and paint share it. */
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

/** The number shown: `valueNow`, else the value read as a number, else the least. */
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

/** The number nearest to `to` that the control allows: within its range and on its steps. */
function setNumber(desktop: Desktop, spot: Spot, to: number): Desktop {
  if (spot.element.traits?.readOnly) return desktop
  return changeSpot(desktop, spot, (element) => withNumber(element, to))
}

function withNumber(element: Element, to: number): Element {
  const isSlider = kindOf(element.role) === 'slider'
  const low = element.valueMin ?? (isSlider ? 0 : Number.MIN_SAFE_INTEGER)
  const high = Math.max(low, element.valueMax ?? (isSlider ? 100 : Number.MAX_SAFE_INTEGER))
  const step = stepOf(element)
  const origin = element.valueMin ?? 0
  const stepped = origin + Math.round((to - origin) / step) * step
  const valueNow = rounded(Math.max(low, Math.min(stepped, high)))
  return withFields(element, element.value === null ? { valueNow } : { valueNow, value: String(valueNow) })
}

/** Without the dust that adding fractions leaves. */
const rounded = (number: number): number => Number(number.toFixed(10))

function parsed(element: Element, text: string): number {
  const number = Number(text.trim())
  if (text.trim() !== '' && Number.isFinite(number)) return number
  throw new Fault('BadRequest', `"${element.name}" takes a number; ${JSON.stringify(text)} is none`, { value: text })
}

/** Typing goes on with the digits that are there; what is no number yet leaves it as it is. */
function retype(desktop: Desktop, spot: Spot, change: (text: string) => string): Desktop {
  const text = change(String(numberOf(spot.element)))
  if (text === '' || text === '-') return setNumber(desktop, spot, spot.element.valueMin ?? 0)
  const number = Number(text)
  return Number.isFinite(number) ? setNumber(desktop, spot, number) : desktop
}
