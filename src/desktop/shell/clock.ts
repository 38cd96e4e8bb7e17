import { type DateNames, ENGLISH_DATE_NAMES } from '../model/date-names.ts'
import type { Desktop } from '../model/desktop.ts'
import type { ShellStyle } from './shell-places.ts'

type Timed = Pick<Desktop, 'nowMs' | 'dateNames'>

const two = (number: number): string => String(number).padStart(2, '0')
const timeOf = (time: Date): string => `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`

/** Replaces the letters of a format. */
const formatted = (format: string, parts: Readonly<Record<string, string | number>>): string =>
  format.replace(/[dmyME]/g, (letter) => String(parts[letter] ?? letter))

const partsOf = (time: Date, { shortMonths, weekdays, shortWeekdays = weekdays }: DateNames) => ({
  d: time.getUTCDate(),
  m: time.getUTCMonth() + 1,
  y: time.getUTCFullYear(),
  M: shortMonths[time.getUTCMonth()]!,
  E: shortWeekdays[(time.getUTCDay() + 6) % 7]!,
})

/** `14:05  12 Mar 2024`, in UTC, so that it is the same everywhere. Empty without a time. */
export function clockText({ nowMs, dateNames = ENGLISH_DATE_NAMES }: Timed): string {
  if (nowMs === undefined) return ''
  const time = new Date(nowMs)
  const { d, y, M } = partsOf(time, dateNames)
  return `${timeOf(time)}  ${formatted(dateNames.clockDate, { d, y, M })}`
}

/** The clock of a shell, in UTC: `14:05  3/12/2024` in the style `windows`, otherwise `Tue Mar 12  14:05`. */
export function shellClockText({ nowMs, dateNames = ENGLISH_DATE_NAMES }: Timed, style: ShellStyle): string {
  if (nowMs === undefined) return ''
  const time = new Date(nowMs)
  const { d, m, y, M, E } = partsOf(time, dateNames)
  if (style === 'windows') return `${timeOf(time)}  ${formatted(dateNames.numericDate ?? 'm/d/y', { d, m, y })}`
  return `${formatted(dateNames.clockDay ?? 'E M d', { d, M, E })}  ${timeOf(time)}`
}
