import { formatDate, formatNumber } from '../expression/formats.ts'
import {
  asNumber,
  asText,
  type CellValue,
  compareCells,
  dateValue,
  fitsText,
  generalNumber,
  numberIn,
  SheetDate,
  SheetError,
  serialOf,
  shownValue,
  textValue,
  timeOf,
} from './cell-value.ts'
import { eachCell, type FormulaContext, type FunctionCall, raise, type SheetFunction, sound } from './evaluate.ts'

/** Functions over texts and dates. */

const MANY = 255

const define = (least: number, most: number, call: SheetFunction['call']): SheetFunction => ({ least, most, call })
const ofText = (compute: (text: string) => CellValue): SheetFunction => define(1, 1, (call) => compute(call.text(0)))

/** Whether a text as a whole fits a pattern in which ? is any character, * any characters, and ~ makes the next one literal. */
export function matchesWildcards(text: string, pattern: string, { spend }: Pick<FormulaContext, 'spend'>): boolean {
  const [words, parts] = [text.toLowerCase(), patternParts(pattern.toLowerCase())]
  let [at, part, star, resumed] = [0, 0, -1, 0]
  while (at < words.length) {
    spend(1)
    const wanted = parts[part]
    if (wanted === '*') {
      star = part++
      resumed = at
    } else if (wanted !== undefined && (wanted === '?' || wanted === `=${words[at]}`)) {
      at++
      part++
    } else if (star >= 0) {
      part = star + 1
      at = ++resumed
    } else return false
  }
  while (parts[part] === '*') part++
  return part === parts.length
}

/** The characters of a pattern: `?`, `*`, or a literal one after an equals sign. */
function patternParts(pattern: string): readonly string[] {
  const parts: string[] = []
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!
    if (character === '~' && at + 1 < pattern.length) parts.push(`=${pattern[++at]}`)
    else parts.push(character === '?' || character === '*' ? character : `=${character}`)
  }
  return parts
}

/** A count of characters: a whole number from 0. */
function countOf(call: FunctionCall, index: number, missing?: number): number {
  const count = Math.trunc(call.number(index, missing))
  return count < 0 ? raise('#VALUE!') : count
}

const startOf = (call: FunctionCall, index: number, missing?: number): number => {
  const start = countOf(call, index, missing)
  return start < 1 ? raise('#VALUE!') : start - 1
}

/** Joins texts as long as they fit into a cell. */
function joinedTexts(call: FunctionCall, from: number, separator: string, skipsEmpty: boolean): string {
  let text = ''
  let isFirst = true
  call.each((value) => {
    const part = sound(asText(value))
    if (skipsEmpty && part === '') return
    text += isFirst ? part : separator + part
    isFirst = false
    if (!fitsText(text.length)) raise('#VALUE!')
  }, from)
  return text
}

const concatenate = define(1, MANY, (call) => joinedTexts(call, 0, '', false))

const substitute = define(3, 4, (call) => {
  const [text, from, to] = [call.text(0), call.text(1), call.text(2)]
  if (from === '') return text
  const parts = text.split(from)
  if (!call.has(3))
    return fitsText(text.length + (parts.length - 1) * (to.length - from.length)) ? parts.join(to) : raise('#VALUE!')
  const which = startOf(call, 3)
  if (which + 1 >= parts.length) return text
  return textValue(parts.slice(0, which + 1).join(from) + to + parts.slice(which + 1).join(from))
})

const MAX_PATTERN = 255

/** SEARCH ignores case and knows wildcards, FIND does neither. */
const find = define(2, 3, (call) => {
  const at = call.text(1).indexOf(call.text(0), startOf(call, 2, 1))
  return at < 0 ? raise('#VALUE!') : at + 1
})
const search = define(2, 3, (call) => {
  const [pattern, text, start] = [call.text(0), call.text(1), startOf(call, 2, 1)]
  if (pattern.length > MAX_PATTERN) return raise('#VALUE!')
  if (!/[?*~]/.test(pattern)) {
    const at = text.toLowerCase().indexOf(pattern.toLowerCase(), start)
    return at < 0 ? raise('#VALUE!') : at + 1
  }
  for (let at = start; at < text.length; at++)
    if (matchesWildcards(text.slice(at), `${pattern}*`, call.context)) return at + 1
  return raise('#VALUE!')
})

const proper = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(^|[^\p{L}'])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())

const MAX_FORMAT = 100

/** Formats of TEXT: numbers such as #,##0.00 and 0%, dates such as yyyy-mm-dd hh:mm. */
function formattedText(value: CellValue, format: string): string {
  if (typeof value === 'string' && numberIn(value) === undefined) return value
  if (format.length > MAX_FORMAT) return raise('#VALUE!')
  const number = sound(asNumber(value))
  if (/[ymdhs]/i.test(format.replace(/"[^"]*"/g, ''))) return dateText(number, format)
  const [positive = '', negative] = format.split(';')
  const isNegative = number < 0 && negative !== undefined
  return numberText(isNegative ? -number : number, isNegative ? negative : positive)
}

const FORMAT = /^((?:"[^"]*"|[^#0.,%"])*)([#0,]*)(?:\.([0#]*))?([%]?)((?:"[^"]*"|[^#0.,%"])*)$/
const unquoted = (text: string): string => text.replaceAll('"', '')

function numberText(number: number, format: string): string {
  if (format === '' || format.toLowerCase() === 'general' || format === '@') return generalNumber(number)
  const [match, before = '', whole = '', fraction = '', percent = '', after = ''] = FORMAT.exec(format) ?? []
  if (match === undefined || fraction.length > 12) return raise('#VALUE!')
  const scaled = percent ? number * 100 : number
  if (Math.abs(scaled) >= 1e15) return raise('#VALUE!')
  const [digits = '', decimals = ''] = formatNumber(Math.abs(scaled), fraction.length).split('.')
  const least = whole.replace(/[^0]/g, '').length
  const plain = digits.replaceAll(',', '').replace(/^0+/, '').padStart(least, '0')
  const grouped = whole.includes(',') ? plain.replace(/\B(?=(\d{3})+$)/g, ',') : plain
  const optional = fraction.length - fraction.replace(/#+$/, '').length
  let shownDecimals = decimals
  for (let each = 0; each < optional && shownDecimals.endsWith('0'); each++) shownDecimals = shownDecimals.slice(0, -1)
  const sign = scaled < 0 && /[1-9]/.test(digits + decimals) ? '-' : ''
  return `${sign}${unquoted(before)}${grouped}${shownDecimals === '' ? '' : `.${shownDecimals}`}${percent}${unquoted(after)}`
}

/** A month before or after hours is minutes: hh:mm. */
function dateText(serial: number, format: string): string {
  const time = sound(timeOf(serial))
  const isNoon = /am\/pm/i.test(format)
  const parts = format.replace(/am\/pm/gi, '').match(/"[^"]*"|([A-Za-z])\1*|[^A-Za-z"]+/g) ?? []
  let isTime = false
  const written = parts.map((part, index) => {
    const letter = part[0]!.toLowerCase()
    if (part.startsWith('"')) return unquoted(part)
    if (!/[a-z]/.test(letter)) return part
    const followsSeconds =
      parts
        .slice(index + 1)
        .find((next) => /^[a-z]/i.test(next))?.[0]
        ?.toLowerCase() === 's'
    const isMinutes = letter === 'm' && part.length <= 2 && (isTime || followsSeconds)
    isTime = letter === 'h'
    const name = isMinutes ? 'mm' : DATE_PARTS[letter]?.[Math.min(part.length, 4) - 1]
    if (name === undefined) return raise('#VALUE!')
    if (letter === 'h' && isNoon) return String(time.getUTCHours() % 12 || 12).padStart(part.length, '0')
    return name === 'yy' ? formatDate(time, 'yyyy').slice(2) : formatDate(time, name)
  })
  return written.join('').trimEnd() + (isNoon ? ` ${time.getUTCHours() < 12 ? 'AM' : 'PM'}` : '')
}

/** The parts of dates by letter and length, as `formatDate` has them. */
const DATE_PARTS: Readonly<Record<string, readonly string[]>> = {
  y: ['yy', 'yy', 'yyyy', 'yyyy'],
  m: ['M', 'MM', 'MMM', 'MMMM'],
  d: ['d', 'dd', 'EEE', 'EEEE'],
  h: ['H', 'HH'],
  s: ['ss', 'ss'],
}

export const TEXT_FUNCTIONS: Readonly<Record<string, SheetFunction>> = {
  CONCATENATE: concatenate,
  CONCAT: concatenate,
  TEXTJOIN: define(3, MANY, (call) => joinedTexts(call, 2, call.text(0), call.condition(1))),
  LEFT: define(1, 2, (call) => call.text(0).slice(0, countOf(call, 1, 1))),
  RIGHT: define(1, 2, (call) => {
    const [text, count] = [call.text(0), countOf(call, 1, 1)]
    return text.slice(Math.max(0, text.length - count))
  }),
  MID: define(3, 3, (call) => {
    const start = startOf(call, 1)
    return call.text(0).slice(start, start + countOf(call, 2))
  }),
  LEN: ofText((text) => text.length),
  UPPER: ofText((text) => text.toUpperCase()),
  LOWER: ofText((text) => text.toLowerCase()),
  PROPER: ofText(proper),
  TRIM: ofText((text) => text.replace(/ +/g, ' ').replace(/^ | $/g, '')),
  CLEAN: ofText((text) => text.replace(/\p{Cc}/gu, '')),
  SUBSTITUTE: substitute,
  REPLACE: define(4, 4, (call) => {
    const [text, start, count] = [call.text(0), startOf(call, 1), countOf(call, 2)]
    return textValue(text.slice(0, start) + call.text(3) + text.slice(start + count))
  }),
  FIND: find,
  SEARCH: search,
  REPT: define(2, 2, (call) => {
    const [text, count] = [call.text(0), countOf(call, 1)]
    return fitsText(text.length * count) ? text.repeat(count) : raise('#VALUE!')
  }),
  EXACT: define(2, 2, (call) => call.text(0) === call.text(1)),
  VALUE: define(1, 1, (call) => sound(asNumber(call.value(0)))),
  TEXT: define(2, 2, (call) => textValue(formattedText(call.value(0), call.text(1)))),
  FIXED: define(1, 3, (call) => {
    const [value, decimals] = [call.number(0), countOf(call, 1, 2)]
    if (decimals > 12 || Math.abs(value) >= 1e15) return raise('#VALUE!')
    const text = formatNumber(value, decimals)
    return call.condition(2, false) ? text.replaceAll(',', '') : text
  }),
  CHAR: define(1, 1, (call) => {
    const code = Math.trunc(call.number(0))
    return code >= 1 && code <= 255 ? String.fromCharCode(code) : raise('#VALUE!')
  }),
  CODE: ofText((text) => (text === '' ? raise('#VALUE!') : text.charCodeAt(0))),
  T: define(1, 1, (call) => {
    const value = call.value(0)
    return typeof value === 'string' ? value : ''
  }),
}

/** Dates. */

const DAY_S = 86_400

const timeOfArgument = (call: FunctionCall, index: number): Date => sound(timeOf(call.number(index)))
const ofTime = (compute: (time: Date) => number): SheetFunction =>
  define(1, 1, (call) => compute(timeOfArgument(call, 0)))

/** The date of a year, a month and a day. Months and days beyond the ends go on in the next ones. */
function dateOf(year: number, month: number, day: number): SheetDate | SheetError {
  const years = Math.trunc(year)
  const time = Date.UTC(years >= 0 && years < 1900 ? years + 1900 : years, Math.trunc(month) - 1, Math.trunc(day))
  return Number.isNaN(time) ? SheetError.of('#NUM!') : dateValue(serialOf(time))
}

/** The same day of another month, or its last day. */
function monthsLater(time: Date, months: number, day = time.getUTCDate()): SheetDate | SheetError {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth() + Math.trunc(months)]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return dateOf(year, month + 1, Math.min(day, last))
}

/** 1 is Sunday, or Monday with the type 2; with the type 3 Monday is 0. */
function weekday(time: Date, type: number): number {
  const day = time.getUTCDay()
  if (type === 1) return day + 1
  const fromMonday = (day + 6) % 7
  return type === 2 ? fromMonday + 1 : type === 3 ? fromMonday : raise('#NUM!')
}

/** The serial numbers of days that are free beside weekends. */
function holidaysOf(call: FunctionCall, index: number): ReadonlySet<number> {
  const days = new Set<number>()
  if (call.has(index))
    eachCell(call.table(index), (value) => value !== null && days.add(Math.floor(sound(asNumber(value)))))
  return days
}

/** Serial 0 is a Saturday. */
const isWorkday = (serial: number, holidays: ReadonlySet<number>): boolean => serial % 7 > 1 && !holidays.has(serial)

/** The most days that NETWORKDAYS and WORKDAY walk over. */
const MAX_DAYS = 40_000

const networkDays = define(2, 3, (call) => {
  const [from, to] = [Math.floor(call.number(0)), Math.floor(call.number(1))]
  const holidays = holidaysOf(call, 2)
  if (Math.abs(to - from) > MAX_DAYS) return raise('#NUM!')
  call.context.spend(Math.abs(to - from))
  let count = 0
  for (let day = Math.min(from, to); day <= Math.max(from, to); day++) if (isWorkday(day, holidays)) count++
  return from > to ? -count : count
})

const workday = define(2, 3, (call) => {
  let [day, left] = [Math.floor(call.number(0)), Math.trunc(call.number(1))]
  const holidays = holidaysOf(call, 2)
  if (Math.abs(left) > MAX_DAYS) return raise('#NUM!')
  const step = Math.sign(left)
  while (left !== 0) {
    day += step
    call.context.spend(1)
    if (day < 0) return raise('#NUM!')
    if (isWorkday(day, holidays)) left -= step
  }
  return dateValue(day)
})

function dateDifference(from: Date, to: Date, unit: string): number {
  if (from > to) raise('#NUM!')
  const months =
    (to.getUTCFullYear() - from.getUTCFullYear()) * 12 +
    to.getUTCMonth() -
    from.getUTCMonth() -
    (to.getUTCDate() < from.getUTCDate() ? 1 : 0)
  switch (unit.toUpperCase()) {
    case 'D':
      return Math.floor(serialOf(to.getTime())) - Math.floor(serialOf(from.getTime()))
    case 'M':
      return months
    case 'Y':
      return Math.floor(months / 12)
    case 'YM':
      return months % 12
    default:
      return raise('#NUM!')
  }
}

/** The ISO week of a date: that of its Thursday. */
function isoWeek(time: Date): number {
  const thursday = new Date(time.getTime() + (3 - ((time.getUTCDay() + 6) % 7)) * DAY_S * 1000)
  return 1 + Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * DAY_S * 1000))
}

export const DATE_FUNCTIONS: Readonly<Record<string, SheetFunction>> = {
  TODAY: define(0, 0, ({ context }) => dateValue(Math.floor(serialOf(context.nowMs)))),
  NOW: define(0, 0, ({ context }) => dateValue(serialOf(Math.floor(context.nowMs / 1000) * 1000))),
  DATE: define(3, 3, (call) => dateOf(call.number(0), call.number(1), call.number(2))),
  TIME: define(3, 3, (call) => (call.number(0) * 3600 + call.number(1) * 60 + call.number(2)) / DAY_S),
  DATEVALUE: define(1, 1, (call) => {
    const date = numberIn(call.text(0))
    return date instanceof SheetDate ? dateValue(Math.floor(date.serial)) : raise('#VALUE!')
  }),
  YEAR: ofTime((time) => time.getUTCFullYear()),
  MONTH: ofTime((time) => time.getUTCMonth() + 1),
  DAY: ofTime((time) => time.getUTCDate()),
  HOUR: ofTime((time) => time.getUTCHours()),
  MINUTE: ofTime((time) => time.getUTCMinutes()),
  SECOND: ofTime((time) => time.getUTCSeconds()),
  WEEKDAY: define(1, 2, (call) => weekday(timeOfArgument(call, 0), call.number(1, 1))),
  ISOWEEKNUM: ofTime(isoWeek),
  DAYS: define(2, 2, (call) => Math.floor(call.number(0)) - Math.floor(call.number(1))),
  EDATE: define(2, 2, (call) => monthsLater(timeOfArgument(call, 0), call.number(1))),
  EOMONTH: define(2, 2, (call) => monthsLater(timeOfArgument(call, 0), call.number(1), 31)),
  DATEDIF: define(3, 3, (call) => dateDifference(timeOfArgument(call, 0), timeOfArgument(call, 1), call.text(2))),
  NETWORKDAYS: networkDays,
  WORKDAY: workday,
}

/** The test of a criterion, such as 5, ">=5", "<>done" or "a*". */
export function criterion(wanted: CellValue, context: FormulaContext): (value: CellValue) => boolean {
  if (typeof wanted !== 'string')
    return (value) => value !== null && isSameKind(value, wanted) && compareCells(value, wanted) === 0
  const [, sign = '', text = ''] = /^(<=|>=|<>|<|>|=)?(.*)$/s.exec(wanted) ?? []
  const number = numberIn(text)
  if (number !== undefined) return (value) => isNumber(value) && fitsSign(sign, compareCells(value, number), value)
  if (sign === '' || sign === '=' || sign === '<>') {
    const isWanted = (value: CellValue): boolean => {
      if (text === '') return value === null || (sign === '' && value === '')
      return (
        !(value instanceof SheetError) &&
        value !== null &&
        matchesWildcards(shownValue(value), text.slice(0, MAX_PATTERN), context)
      )
    }
    return sign === '<>' ? (value) => !isWanted(value) : isWanted
  }
  return (value) => typeof value === 'string' && fitsSign(sign, compareCells(value, text), value)

  function fitsSign(by: string, order: number, value: CellValue): boolean {
    switch (by) {
      case '<':
        return order < 0
      case '>':
        return order > 0
      case '<=':
        return order <= 0
      case '>=':
        return order >= 0
      case '<>':
        return order !== 0
      default:
        return order === 0 && value !== null
    }
  }
}

const isNumber = (value: CellValue): boolean => typeof value === 'number' || value instanceof SheetDate
const isSameKind = (a: CellValue, b: CellValue): boolean =>
  !(a instanceof SheetError) && (typeof a === typeof b || (isNumber(a) && isNumber(b)))
