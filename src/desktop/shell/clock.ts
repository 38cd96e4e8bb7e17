import { ENGLISH_DATE_NAMES } from '../model/date-names.ts'
import type { Desktop } from '../model/desktop.ts'

/** `14:05  12 Mar 2024`, in UTC, so that it is the same everywhere. Empty without a time. */
export function clockText({ nowMs, dateNames = ENGLISH_DATE_NAMES }: Pick<Desktop, 'nowMs' | 'dateNames'>): string {
  if (nowMs === undefined) return ''
  const time = new Date(nowMs)
  const two = (number: number) => String(number).padStart(2, '0')
  const date = dateNames.clockDate.replace(/[dMy]/g, (part) => {
    if (part === 'M') return dateNames.shortMonths[time.getUTCMonth()]!
    return String(part === 'd' ? time.getUTCDate() : time.getUTCFullYear())
  })
  return `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}  ${date}`
}
