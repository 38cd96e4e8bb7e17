import { Fault } from '../../base/fault.ts'

const MAX_DECIMALS = 12

/** Rounds half away from zero, as people do: 2.345 to two decimals is 2.35. */
export function roundTo(value: number, decimals: number): number {
  const text = fixed(Math.abs(value), decimals)
  return value < 0 ? -Number(text) : Number(text)
}

/** `1234.5` with two decimals is `1,234.50`. */
export function formatNumber(value: number, decimals: number): string {
  const [whole = '', fraction] = fixed(Math.abs(value), decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const isNegative = value < 0 && /[1-9]/.test(whole + (fraction ?? ''))
  return `${isNegative ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

function fixed(value: number, decimals: number): string {
  if (decimals < 0 || decimals > MAX_DECIMALS)
    throw new Fault('BadRequest', `${decimals} decimals are not possible; expected 0 to ${MAX_DECIMALS}`)
  if (!Number.isFinite(value) || value >= 1e15) throw new Fault('BadRequest', `${value} is too large to be rounded`)
  // The shortest text of the number decides: 1.005 rounds to 1.01, although its binary value lies below.
  const shifted = Number(`${value.toString().includes('e') ? value.toFixed(20) : value}e${decimals}`)
  return (Math.round(shifted) / 10 ** decimals).toFixed(decimals)
}

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
