import { Fault } from '../../base/fault.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

const TEXT = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?Z?)?$/

/** Reads `2026-01-31` or `2026-01-31T12:30[:59]` as UTC. Throws `BadRequest` for anything else. */
export function parseDate(text: string): Date {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = TEXT.exec(text) ?? []
  const time = new Date(
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)),
  )
  const isSame = time.getUTCDate() === Number(day) && time.getUTCMonth() + 1 === Number(month)
  if (!isSame || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    throw new Fault('BadRequest', `${JSON.stringify(text)} is not a date; expected 2026-01-31 or 2026-01-31T12:30`)
  return time
}

const two = (value: number): string => String(value).padStart(2, '0')

const PARTS: Readonly<Record<string, (time: Date) => string>> = {
  yyyy: (time) => String(time.getUTCFullYear()).padStart(4, '0'),
  MMMM: (time) => MONTHS[time.getUTCMonth()]!,
  MMM: (time) => MONTHS[time.getUTCMonth()]!.slice(0, 3),
  MM: (time) => two(time.getUTCMonth() + 1),
  M: (time) => String(time.getUTCMonth() + 1),
  dd: (time) => two(time.getUTCDate()),
  d: (time) => String(time.getUTCDate()),
  EEEE: (time) => DAYS[time.getUTCDay()]!,
  EEE: (time) => DAYS[time.getUTCDay()]!.slice(0, 3),
  HH: (time) => two(time.getUTCHours()),
  H: (time) => String(time.getUTCHours()),
  mm: (time) => two(time.getUTCMinutes()),
  ss: (time) => two(time.getUTCSeconds()),
}

/** Formats a time in UTC. Letters of the pattern are replaced by their part; any other character stands for itself. */
export function formatDate(time: Date, pattern: string): string {
  return pattern.replace(/([A-Za-z])\1*/g, (part) => {
    const format = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined
    if (format) return format(time)
    throw new Fault(
      'BadRequest',
      `unknown part ${JSON.stringify(part)} in a date format; expected ${Object.keys(PARTS).join(' ')}`,
    )
  })
}
