import { ENGLISH_DATE_NAMES } from '../../model/date-names.ts'
import type { Desktop } from '../../model/desktop.ts'
import type { Element } from '../../model/element.ts'
import type { Rect } from '../../model/geometry.ts'
import { part } from '../../model/part.ts'
import { kindOf } from '../../model/role.ts'
import { type ShellText, shellText } from '../../model/shell-texts.ts'

const DAY_MS = 86_400_000
const CELL = 32
const HEAD = 32
const PADDING = 8
const WEEKS = 6

/** What the texts of a calendar depend on. */
type CalendarOwner = Pick<Desktop, 'dateNames' | 'language' | 'style'>

/** A text in the language of a desktop with a style. Others have English ones. */
const inWords = (desktop: CalendarOwner, text: ShellText): string =>
  (desktop.style ?? 'backlot') === 'backlot' ? text : shellText(desktop, text)

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
    return part(`${id}.${date}`, 'Day', String(Number(date.slice(8))), at(index % 7, 1 + Math.floor(index / 7)), {
      description: date,
      selected: date === selected,
      ...(outside ? { identifier: 'other-month' } : {}),
    })
  })
  const children = [
    part(`${id}.previous`, 'Button', inWords(owner, 'Previous month'), head(0)),
    part(`${id}.month`, 'Text', `${names.months[month]} ${to.slice(0, 4)}`, head(1, 5)),
    part(`${id}.next`, 'Button', inWords(owner, 'Next month'), head(6)),
    ...ENGLISH_DATE_NAMES.weekdays.map((weekday, column) =>
      part(`${id}.${weekday}`, 'Text', names.weekdays[column]!, at(column, 0)),
    ),
    ...days,
  ]
  return part(`${id}.calendar`, 'Calendar', 'Calendar', { x, y, width, height }, { children })
}

/** A day of the month that a calendar shows. */
export const monthShown = (element: Element): string | undefined =>
  element.children.find(({ role, identifier }) => kindOf(role) === 'day' && identifier !== 'other-month')
    ?.description ?? undefined

/** The day of a time, such as 2024-03-12. */
export const dayAt = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : '')

const FIRST_DAY = '0001-01-01'
const LAST_DAY = '9999-12-31'

const within = (ms: number): string => dayAt(Math.max(Date.parse(FIRST_DAY), Math.min(ms, Date.parse(LAST_DAY))))

/** The day that is some days later. */
export const addDays = (from: string, days: number): string => within(Date.parse(from) + days * DAY_MS)

/** The same day of another month, or its last day if it is shorter. */
export function addMonths(from: string, months: number): string {
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
