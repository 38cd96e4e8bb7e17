import { Fault } from '../../base/fault.ts'
import { formatDate, parseDate } from '../expression/formats.ts'

/** The values of the cells of a spreadsheet. */

/** The errors that a cell can have. Err:522 is a circular reference. */
const ERROR_CODES = ['#DIV/0!', '#REF!', '#NAME?', '#VALUE!', '#N/A', '#NUM!', '#NULL!', 'Err:522'] as const
export type SheetErrorCode = (typeof ERROR_CODES)[number]

/** An error as a value. There is one object for each code. */
export class SheetError {
  readonly code: SheetErrorCode
  private constructor(code: SheetErrorCode) {
    this.code = code
  }
  static readonly #known = new Map<SheetErrorCode, SheetError>()
  static of(code: SheetErrorCode): SheetError {
    const known = SheetError.#known.get(code) ?? new SheetError(code)
    SheetError.#known.set(code, known)
    return known
  }
}

/** A number that is shown as a date, with the time if it has one: days since 1899-12-30. */
export class SheetDate {
  readonly serial: number
  constructor(serial: number) {
    this.serial = serial
  }
}

/** The value of a cell; null if it is empty. */
export type CellValue = number | string | boolean | null | SheetDate | SheetError

const DAY_MS = 86_400_000
const EPOCH_MS = Date.UTC(1899, 11, 30)
/** The day before 1 January 10000. */
const MAX_SERIAL = 2_958_465

/** The serial number of a time in milliseconds since the epoch of Unix. */
export const serialOf = (timeMs: number): number => (timeMs - EPOCH_MS) / DAY_MS

/** The time of a serial number, to the second, or an error outside of the years 1899 to 9999. */
export function timeOf(serial: number): Date | SheetError {
  if (!(serial >= 0 && serial < MAX_SERIAL + 1)) return SheetError.of('#NUM!')
  return new Date(EPOCH_MS + Math.round(serial * 86_400) * 1000)
}

/** A date as a value, or an error outside of the years 1899 to 9999. */
export const dateValue = (serial: number): SheetDate | SheetError =>
  serial >= 0 && serial < MAX_SERIAL + 1 ? new SheetDate(serial) : SheetError.of('#NUM!')

/** The most characters of a text that a formula computes. */
const MAX_TEXT_LENGTH = 4000

/** A text as a value; an error if it is too long. */
export const textValue = (text: string): string | SheetError =>
  text.length > MAX_TEXT_LENGTH ? SheetError.of('#VALUE!') : text

/** Whether another text fits into a result. */
export const fitsText = (length: number): boolean => length <= MAX_TEXT_LENGTH

const PLAIN = /^\s*([+-]?)\s*[$€£]?\s*([+-]?)(\d{1,3}(?:,\d{3})+|\d+)?(\.\d*)?(?:[eE]([+-]?\d{1,3}))?\s*(%|€)?\s*$/
const DATE = /^\s*\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?\s*$/

/** The number or date that a text is when it is typed. Undefined for other texts. */
export function numberIn(text: string): number | SheetDate | undefined {
  if (text.length > 40) return undefined
  const found = PLAIN.exec(text)
  if (found) {
    const [, outer = '', inner = '', whole = '', fraction = '', exponent, unit] = found
    if (whole === '' && fraction.length < 2) return undefined
    const number = Number(`${whole.replaceAll(',', '')}${fraction}e${exponent ?? 0}`)
    const signed = (outer === '-') !== (inner === '-') ? -number : number
    return Number.isFinite(signed) ? (unit === '%' ? signed / 100 : signed) : undefined
  }
  return DATE.test(text) ? dateIn(text.trim()) : undefined
}

function dateIn(text: string): SheetDate | undefined {
  try {
    return new SheetDate(serialOf(parseDate(text.replace(' ', 'T')).getTime()))
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** The value that a content without a formula has, as when it is typed. An apostrophe makes anything a text. */
export function valueOfContent(content: string): CellValue {
  if (content === '') return null
  if (content.startsWith("'")) return content.slice(1)
  const word = content.length <= 5 ? content.toUpperCase() : ''
  if (word === 'TRUE' || word === 'FALSE') return word === 'TRUE'
  return numberIn(content) ?? content
}

/** A number as a cell without a format shows it, and as texts that contain it have it. */
export function generalNumber(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e15 || size < 1e-9) {
    const [mantissa = '', exponent = ''] = value.toExponential(5).split('e')
    const sign = exponent.startsWith('-') ? '-' : '+'
    return `${Number(mantissa)}E${sign}${exponent.slice(1).padStart(2, '0')}`
  }
  return String(Number(value.toFixed(Math.max(0, Math.min(10, 14 - Math.floor(Math.log10(size)))))))
}

/** How a value reads in a cell without a format. */
export function shownValue(value: CellValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return generalNumber(value)
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (value instanceof SheetError) return value.code
  return typeof value === 'string' ? value : shownDate(value)
}

function shownDate({ serial }: SheetDate): string {
  const time = timeOf(serial)
  if (time instanceof SheetError) return time.code
  return formatDate(time, serial === Math.floor(serial) ? 'yyyy-MM-dd' : 'yyyy-MM-dd HH:mm:ss')
}

/** A value as a number, or the error why it is none. Empty cells are 0. */
export function asNumber(value: CellValue): number | SheetError {
  if (typeof value === 'number') return value
  if (value === null) return 0
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof SheetError) return value
  if (value instanceof SheetDate) return value.serial
  const number = numberIn(value)
  return number === undefined ? SheetError.of('#VALUE!') : number instanceof SheetDate ? number.serial : number
}

/** A value as a condition, or the error why it is none. */
export function asCondition(value: CellValue): boolean | SheetError {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') {
    const number = asNumber(value)
    return number instanceof SheetError ? number : number !== 0
  }
  const word = value.toUpperCase()
  return word === 'TRUE' ? true : word === 'FALSE' ? false : SheetError.of('#VALUE!')
}

/** A value as a text, or its error. */
export const asText = (value: CellValue): string | SheetError =>
  value instanceof SheetError ? value : shownValue(value)

/** A finite number as a value without the digits that binary fractions add; otherwise an error. */
export const numberValue = (value: number): number | SheetError =>
  Number.isFinite(value) ? value : SheetError.of('#NUM!')

/** The order of kinds in comparisons: numbers, texts, truth values. */
const rankOf = (value: CellValue): number => (typeof value === 'string' ? 1 : typeof value === 'boolean' ? 2 : 0)

/** Compares two values without errors: numbers by size, texts ignoring case. An empty cell is 0 or the empty text. */
export function compareCells(one: CellValue, other: CellValue): number {
  const a = one ?? emptyLike(other)
  const b = other ?? emptyLike(one)
  const byKind = rankOf(a) - rankOf(b)
  if (byKind !== 0) return byKind
  if (typeof a === 'string' && typeof b === 'string') {
    const [x, y] = [a.toLowerCase(), b.toLowerCase()]
    return x < y ? -1 : x > y ? 1 : 0
  }
  return roundedDifference(Number(asNumber(a)), Number(asNumber(b)))
}

const emptyLike = (value: CellValue): CellValue =>
  typeof value === 'string' ? '' : typeof value === 'boolean' ? false : 0

/** Numbers that differ in the last binary digits only are equal: 0.1+0.2=0.3. */
function roundedDifference(a: number, b: number): number {
  const difference = a - b
  return Math.abs(difference) <= Math.max(Math.abs(a), Math.abs(b)) * 1e-15 ? 0 : difference
}
