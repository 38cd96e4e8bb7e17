import { Fault } from '../../base/fault.ts'
import type { Chord } from '../input/keys.ts'
import type { Desktop } from '../model/desktop.ts'
import { type Element, withFields } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { kindOf } from '../model/role.ts'
import { isOpen } from '../tree/fold.ts'
import { changeSpot, closest, type Spot, targetOf, withTraits } from '../tree/spot.ts'
import { part } from '../windows/dialog.ts'
import { workArea } from '../windows/panel.ts'
import { monitorOf } from '../windows/windowing.ts'
import { close } from './popup.ts'
import { noteChoice, notePress } from './pressed.ts'
import type { Widget } from './widget.ts'

const DAY_MS = 86_400_000
const CELL = 32
const HEAD = 32
const PADDING = 8
const WEEKS = 6
const WIDTH = 7 * CELL + 2 * PADDING
const HEIGHT = HEAD + (WEEKS + 1) * CELL + 2 * PADDING
/** The day a calendar opens at when nothing else says which. */
const SOME_DAY = '2024-03-12'
const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** DatePicker: its value is a day as `2024-03-12`; open, a calendar of that month stands below it. */
export const datePicker: Widget = {
  click: toggleCalendar,
  invoke: toggleCalendar,
  key: keyInDate,
  type: (desktop, spot, text) => setDay(desktop, spot, text),
  setValue: (desktop, spot, value) => setDay(desktop, spot, value),
  scroll: (desktop, spot, clicks) =>
    isOpen(spot.element) ? markDay(desktop, spot, addMonths(shownMonth(spot.element), -Math.sign(clicks))) : undefined,
}

/** A day of an open calendar: it becomes the value. */
export const day: Widget = { click: pickDay, invoke: pickDay }

/** Turns the calendar that a button stands in by a month; undefined when it stands in none. */
export function turnMonth(desktop: Desktop, button: Spot): Desktop | undefined {
  const picker = pickerOf(button)
  if (!picker) return undefined
  const by = button.element.id.endsWith('.next') ? 1 : -1
  return markDay(desktop, picker, addMonths(shownMonth(picker.element), by))
}

const pickerOf = (spot: Spot): Spot | undefined => closest(spot, (element) => kindOf(element.role) === 'date')

function pickDay(desktop: Desktop, spot: Spot): Desktop {
  const picker = pickerOf(spot)
  return picker ? setDay(desktop, picker, spot.element.description ?? '') : desktop
}

/** Throws `BadRequest` for what is no day; nothing empties the field. */
function setDay(desktop: Desktop, spot: Spot, text: string): Desktop {
  const value = text.trim()
  if (value !== '' && !isDay(value))
    throw new Fault(
      'BadRequest',
      `"${spot.element.name}" takes a day such as 2024-03-12; ${JSON.stringify(text)} is none`,
      {
        value: text,
      },
    )
  const shut = close(desktop, spot)
  return changeSpot(shut, spot, (element) => withFields(element, { value }))
}

function keyInDate(desktop: Desktop, spot: Spot, { modifiers, key }: Chord): Desktop | undefined {
  const held = modifiers.join('+')
  if (key === 'f4' || (held === 'alt' && (key === 'down' || key === 'up'))) return pressOpen(desktop, spot)
  if (held !== '') return undefined
  const here = dayOf(desktop, spot.element)
  const go = (to: string) => (isOpen(spot.element) ? markDay(desktop, spot, to) : setDay(desktop, spot, to))
  const column = isOpen(spot.element) ? 7 : 1
  switch (key) {
    case 'space':
      return pressOpen(desktop, spot)
    case 'enter':
      return isOpen(spot.element)
        ? noteChoice(setDay(desktop, spot, here), { ...targetOf(spot), element: `${spot.element.id}.${here}` })
        : undefined
    case 'escape':
      return isOpen(spot.element) ? close(desktop, spot) : undefined
    case 'up':
      return go(addDays(here, -column))
    case 'down':
      return go(addDays(here, column))
    case 'left':
      return go(addDays(here, -1))
    case 'right':
      return go(addDays(here, 1))
    case 'pageup':
      return go(addMonths(here, -1))
    case 'pagedown':
      return go(addMonths(here, 1))
    case 'home':
      return go(`${here.slice(0, 8)}01`)
    case 'end':
      return go(addDays(addMonths(`${here.slice(0, 8)}01`, 1), -1))
    case 'backspace':
    case 'delete':
      return isOpen(spot.element) ? undefined : setDay(desktop, spot, '')
    default:
      return undefined
  }
}

const pressOpen = (desktop: Desktop, spot: Spot): Desktop => notePress(toggleCalendar(desktop, spot), targetOf(spot))

function toggleCalendar(desktop: Desktop, spot: Spot): Desktop {
  return isOpen(spot.element) ? close(desktop, spot) : openCalendar(desktop, spot)
}

/** Opens the calendar of a date picker at its value, or at the day of the desktop. */
export const openCalendar = (desktop: Desktop, spot: Spot): Desktop =>
  markDay(desktop, spot, dayOf(desktop, spot.element))

/** Whether a date picker is open without a calendar, as one that a scenario writes so. */
export const lacksCalendar = (element: Element): boolean =>
  kindOf(element.role) === 'date' &&
  isOpen(element) &&
  !element.children.some((child) => kindOf(child.role) === 'calendar')

/** The calendar of the month of a day, with that day marked. */
function markDay(desktop: Desktop, spot: Spot, to: string): Desktop {
  const popup = calendarPlace(desktop, spot.element.bounds)
  return changeSpot(desktop, spot, (element) => {
    const others = element.children.filter((child) => kindOf(child.role) !== 'calendar')
    const children = [...others, calendar(element.id, popup, to)]
    return { ...withTraits(element, { popup, current: `${element.id}.${to}` }), expanded: true, children }
  })
}

/** The day at the keyboard: the one marked in an open calendar, else the value, else today. */
function dayOf(desktop: Desktop, element: Element): string {
  const marked = element.traits?.current?.slice(element.id.length + 1)
  if (isOpen(element) && marked && isDay(marked)) return marked
  if (element.value && isDay(element.value)) return element.value
  return desktop.nowMs === undefined ? SOME_DAY : dayAt(desktop.nowMs)
}

const shownMonth = (element: Element): string => {
  const marked = element.traits?.current?.slice(element.id.length + 1) ?? ''
  return isDay(marked) ? marked : SOME_DAY
}

function calendar(id: string, { x, y, width, height }: Rect, to: string): Element {
  const head = (column: number, columns = 1): Rect => ({
    x: x + PADDING + column * CELL,
    y: y + PADDING,
    width: columns * CELL,
    height: HEAD,
  })
  const at = (column: number, line: number): Rect => ({
    x: x + PADDING + column * CELL,
    y: y + PADDING + HEAD + line * CELL,
    width: CELL,
    height: CELL,
  })
  const month = Number(to.slice(5, 7)) - 1
  const first = `${to.slice(0, 8)}01`
  const start = addDays(first, -weekdayOf(first))
  const days = Array.from({ length: WEEKS * 7 }, (_, index) => {
    const date = addDays(start, index)
    const outside = date.slice(0, 7) !== to.slice(0, 7)
    return part(`${id}.${date}`, 'Day', String(Number(date.slice(8))), at(index % 7, 1 + Math.floor(index / 7)), {
      description: date,
      selected: date === to,
      ...(outside ? { identifier: 'other-month' } : {}),
    })
  })
  const children = [
    part(`${id}.previous`, 'Button', 'Previous month', head(0)),
    part(`${id}.month`, 'Text', `${MONTHS[month]} ${to.slice(0, 4)}`, head(1, 5)),
    part(`${id}.next`, 'Button', 'Next month', head(6)),
    ...WEEKDAYS.map((weekday, column) => part(`${id}.${weekday}`, 'Text', weekday, at(column, 0))),
    ...days,
  ]
  return part(`${id}.calendar`, 'Calendar', 'Calendar', { x, y, width, height }, { children })
}

/** Below the field, or above it where there is no room, on one monitor. */
function calendarPlace(desktop: Desktop, field: Rect): Rect {
  const monitor = monitorOf(desktop, field)
  const screen = monitor && workArea(desktop, monitor)
  const below = { x: field.x, y: field.y + field.height, width: WIDTH, height: HEIGHT }
  if (!screen) return below
  const x = Math.max(screen.x, Math.min(field.x, screen.x + screen.width - WIDTH))
  const fits = below.y + HEIGHT <= screen.y + screen.height
  return { ...below, x, y: fits ? below.y : Math.max(screen.y, field.y - HEIGHT) }
}

/** Whether a text is a day of the calendar, such as 2024-03-12. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && dayAt(Date.parse(`${text}T00:00:00Z`)) === text

const dayAt = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : '')

const FIRST_DAY = '0001-01-01'
const LAST_DAY = '9999-12-31'

const within = (ms: number): string => dayAt(Math.max(Date.parse(FIRST_DAY), Math.min(ms, Date.parse(LAST_DAY))))

const addDays = (from: string, days: number): string => within(Date.parse(from) + days * DAY_MS)

/** The same day of another month, or its last one when it is shorter. */
function addMonths(from: string, months: number): string {
  const year = Number(from.slice(0, 4))
  const month = Number(from.slice(5, 7)) - 1 + months
  const first = new Date(Date.parse(FIRST_DAY))
  first.setUTCFullYear(year, month, 1)
  const last = new Date(first)
  last.setUTCFullYear(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)
  first.setUTCDate(Math.min(Number(from.slice(8)), last.getUTCDate()))
  return within(first.getTime())
}

/** Monday is 0. */
const weekdayOf = (date: string): number => (new Date(Date.parse(date)).getUTCDay() + 6) % 7
