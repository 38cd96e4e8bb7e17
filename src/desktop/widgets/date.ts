import { Fault } from '../../base/fault.ts'
import type { Chord } from '../input/keys.ts'
import { type Desktop, ENGLISH_DATE_NAMES } from '../model/desktop.ts'
import { controlPart, type Element, withFields } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { roleKind } from '../model/role.ts'
import { type ShellText, shellText } from '../model/shell-texts.ts'
import { styleMetrics } from '../style/style.ts'
import { changeRef, closest, type ElementRef, targetOf, withTraits } from '../tree/element-ref.ts'
import { isOpen } from '../tree/visibility.ts'
import { workArea } from '../windows/panel.ts'
import { monitorOf } from '../windows/windowing.ts'
import { closePopup } from './popup.ts'
import { recordChoice, recordPress, type WidgetBehaviour } from './widget.ts'

const DAY_MS = 86_400_000
const CELL = 32
const HEAD = 32
const PADDING = 8
const WEEKS = 6

/** What the texts of a calendar depend on. */
type CalendarOwner = Pick<Desktop, 'dateNames' | 'language' | 'style'>

/** A text in the language of a desktop whose style has a shell. Others have English ones. */
const inWords = (desktop: CalendarOwner, text: ShellText): string =>
  styleMetrics(desktop.style).shell ? shellText(desktop, text) : text

/** The size of a calendar in pixels. */
export const CALENDAR = { width: 7 * CELL + 2 * PADDING, height: HEAD + (WEEKS + 1) * CELL + 2 * PADDING }

/** The calendar of a month. The day that names it is selected, unless `selected` names another one. */
export function calendar(
  id: string,
  { x, y, width, height }: Rect,
  to: string,
  owner: CalendarOwner,
  selected = to,
): Element {
  const { dateNames: names = ENGLISH_DATE_NAMES } = owner
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
    return controlPart(
      `${id}.${date}`,
      'Day',
      String(Number(date.slice(8))),
      at(index % 7, 1 + Math.floor(index / 7)),
      {
        description: date,
        selected: date === selected,
        ...(outside ? { identifier: 'other-month' } : {}),
      },
    )
  })
  const children = [
    controlPart(`${id}.previous`, 'Button', inWords(owner, 'Previous month'), head(0)),
    controlPart(`${id}.month`, 'Text', `${names.months[month]} ${to.slice(0, 4)}`, head(1, 5)),
    controlPart(`${id}.next`, 'Button', inWords(owner, 'Next month'), head(6)),
    ...ENGLISH_DATE_NAMES.weekdays.map((weekday, column) =>
      controlPart(`${id}.${weekday}`, 'Text', names.weekdays[column]!, at(column, 0)),
    ),
    ...days,
  ]
  return controlPart(`${id}.calendar`, 'Calendar', 'Calendar', { x, y, width, height }, { children })
}

/** A day of the month that a calendar shows. */
export const monthShown = (element: Element): string | undefined =>
  element.children.find(({ role, identifier }) => roleKind(role) === 'day' && identifier !== 'other-month')
    ?.description ?? undefined

/** The day of a time, such as 2024-03-12. */
export const dayAt = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : '')

const FIRST_DAY = '0001-01-01'
const LAST_DAY = '9999-12-31'

const within = (ms: number): string => dayAt(Math.max(Date.parse(FIRST_DAY), Math.min(ms, Date.parse(LAST_DAY))))

/** The day that is some days later. */
const addDays = (from: string, days: number): string => within(Date.parse(from) + days * DAY_MS)

/** The same day of another month, or its last day if it is shorter. */
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

/** The day that a calendar opens at by default. */
const SOME_DAY = '2024-03-12'
/** DatePicker: its value is a day as `2024-03-12`. While it is open, a calendar of that month is below it. */
export const datePicker: WidgetBehaviour = {
  click: toggleCalendar,
  invoke: toggleCalendar,
  key: keyInDate,
  type: (desktop, ref, text) => setDay(desktop, ref, text),
  setValue: (desktop, ref, value) => setDay(desktop, ref, value),
  scroll: (desktop, ref, clicks, axis) =>
    axis === 'y' && isOpen(ref.element)
      ? markDay(desktop, ref, addMonths(shownMonth(ref.element), -Math.sign(clicks)))
      : undefined,
}

/** A day of an open calendar: a click makes it the value. */
export const day: WidgetBehaviour = { click: pickDay, invoke: pickDay }

/** Changes the month of the calendar that contains a button. Returns undefined if none does. */
export function changeMonth(desktop: Desktop, button: ElementRef): Desktop | undefined {
  const picker = pickerOf(button)
  const by = button.element.id.endsWith('.next') ? 1 : -1
  if (!picker) return button.window.shell ? turnMonth(desktop, button, by) : undefined
  return markDay(desktop, picker, addMonths(shownMonth(picker.element), by))
}

/** Turns a calendar of the shell, which belongs to no field. */
function turnMonth(desktop: Desktop, button: ElementRef, by: number): Desktop | undefined {
  const shown = closest(button, (element) => roleKind(element.role) === 'calendar')
  const month = shown && monthShown(shown.element)
  if (!shown || month === undefined) return undefined
  const id = shown.element.id.replace(/\.calendar$/, '')
  return changeRef(desktop, shown, ({ bounds }) => calendar(id, bounds, addMonths(month, by), desktop, 'none'))
}

const pickerOf = (ref: ElementRef): ElementRef | undefined =>
  closest(ref, (element) => roleKind(element.role) === 'date')

function pickDay(desktop: Desktop, ref: ElementRef): Desktop {
  const picker = pickerOf(ref)
  return picker ? setDay(desktop, picker, ref.element.description ?? '') : desktop
}

/** Sets the day. An empty text clears the field. Throws `BadRequest` for any other text that is not a day. */
function setDay(desktop: Desktop, ref: ElementRef, text: string): Desktop {
  const value = text.trim()
  if (value !== '' && !isDay(value))
    throw new Fault(
      'BadRequest',
      `"${ref.element.name}" takes a day such as 2024-03-12; ${JSON.stringify(text)} is none`,
      {
        value: text,
      },
    )
  const shut = closePopup(desktop, ref)
  return changeRef(shut, ref, (element) => withFields(element, { value }))
}

function keyInDate(desktop: Desktop, ref: ElementRef, { modifiers, key }: Chord): Desktop | undefined {
  const held = modifiers.join('+')
  if (key === 'f4' || (held === 'alt' && (key === 'down' || key === 'up'))) return pressOpen(desktop, ref)
  if (held !== '') return undefined
  const here = dayOf(desktop, ref.element)
  const go = (to: string) => (isOpen(ref.element) ? markDay(desktop, ref, to) : setDay(desktop, ref, to))
  const column = isOpen(ref.element) ? 7 : 1
  switch (key) {
    case 'space':
      return pressOpen(desktop, ref)
    case 'enter':
      return isOpen(ref.element)
        ? recordChoice(setDay(desktop, ref, here), { ...targetOf(ref), element: `${ref.element.id}.${here}` })
        : undefined
    case 'escape':
      return isOpen(ref.element) ? closePopup(desktop, ref) : undefined
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
      return isOpen(ref.element) ? undefined : setDay(desktop, ref, '')
    default:
      return undefined
  }
}

const pressOpen = (desktop: Desktop, ref: ElementRef): Desktop =>
  recordPress(toggleCalendar(desktop, ref), targetOf(ref))

function toggleCalendar(desktop: Desktop, ref: ElementRef): Desktop {
  return isOpen(ref.element) ? closePopup(desktop, ref) : openCalendar(desktop, ref)
}

/** Opens the calendar of a date picker at its value, otherwise at the desktop's date. */
export const openCalendar = (desktop: Desktop, ref: ElementRef): Desktop =>
  markDay(desktop, ref, dayOf(desktop, ref.element))

/** Whether a date picker is open without a calendar, as if written so by a scenario. */
export const isMissingCalendar = (element: Element): boolean =>
  roleKind(element.role) === 'date' &&
  isOpen(element) &&
  !element.children.some((child) => roleKind(child.role) === 'calendar')

/** Shows the calendar of a month with a day marked. */
function markDay(desktop: Desktop, ref: ElementRef, to: string): Desktop {
  const popup = calendarPlace(desktop, ref.element.bounds)
  return changeRef(desktop, ref, (element) => {
    const others = element.children.filter((child) => roleKind(child.role) !== 'calendar')
    const children = [...others, calendar(element.id, popup, to, desktop)]
    return { ...withTraits(element, { popup, current: `${element.id}.${to}` }), expanded: true, children }
  })
}

/** The current day: the one marked in an open calendar, otherwise the value, otherwise today. */
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

/** Below the field, or above it without space below, on one monitor. */
function calendarPlace(desktop: Desktop, field: Rect): Rect {
  const monitor = monitorOf(desktop, field)
  const screen = monitor && workArea(desktop, monitor)
  const below = { x: field.x, y: field.y + field.height, width: CALENDAR.width, height: CALENDAR.height }
  if (!screen) return below
  const x = Math.max(screen.x, Math.min(field.x, screen.x + screen.width - CALENDAR.width))
  const fits = below.y + CALENDAR.height <= screen.y + screen.height
  return { ...below, x, y: fits ? below.y : Math.max(screen.y, field.y - CALENDAR.height) }
}

/** Whether a text is a day of the calendar, such as 2024-03-12. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && dayAt(Date.parse(`${text}T00:00:00Z`)) === text
