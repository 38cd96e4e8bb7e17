import { Fault } from '../../../base/fault.ts'
import type { Chord } from '../../input/keys.ts'
import type { Desktop } from '../../model/desktop.ts'
import { type Element, withFields } from '../../model/element.ts'
import type { Rect } from '../../model/geometry.ts'
import { kindOf } from '../../model/role.ts'
import { changeRef, closest, type ElementRef, targetOf, withTraits } from '../../tree/element-ref.ts'
import { isOpen } from '../../tree/visibility.ts'
import { workArea } from '../../windows/panel.ts'
import { monitorOf } from '../../windows/windowing.ts'
import { recordChoice, recordPress } from '../action-effect.ts'
import type { WidgetBehaviour } from '../widget.ts'
import { addDays, addMonths, CALENDAR, calendar, dayAt, monthShown } from './calendar.ts'
import { closePopup } from './popup.ts'

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
  const shown = closest(button, (element) => kindOf(element.role) === 'calendar')
  const month = shown && monthShown(shown.element)
  if (!shown || month === undefined) return undefined
  const id = shown.element.id.replace(/\.calendar$/, '')
  return changeRef(desktop, shown, ({ bounds }) => calendar(id, bounds, addMonths(month, by), desktop, 'none'))
}

const pickerOf = (ref: ElementRef): ElementRef | undefined => closest(ref, (element) => kindOf(element.role) === 'date')

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
  kindOf(element.role) === 'date' &&
  isOpen(element) &&
  !element.children.some((child) => kindOf(child.role) === 'calendar')

/** Shows the calendar of a month with a day marked. */
function markDay(desktop: Desktop, ref: ElementRef, to: string): Desktop {
  const popup = calendarPlace(desktop, ref.element.bounds)
  return changeRef(desktop, ref, (element) => {
    const others = element.children.filter((child) => kindOf(child.role) !== 'calendar')
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
