import { Fault } from '../../base/fault.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'
import { formatDate, parseDate } from '../expression/dates.ts'
import { formatNumber } from '../expression/numbers.ts'

/** Formats a value of a column. */
export type CellFormat = (value: DataValue | Date) => string

/** Texts around a number: an optional grouping mark, decimals and a per cent sign. */
const NUMBER = /^([^0#.,%A-Za-z]*)(#,##)?0(?:\.(0{1,12}))?( ?%)?([^0#.,%]*)$/

/** The formatter of a format; without one, values are shown as expressions write them. Undefined if it is neither. */
export function cellFormat(format: string | undefined): CellFormat | undefined {
  if (format === undefined) return textOfValue
  const [match, before = '', grouping, decimals = '', percent = '', after = ''] = NUMBER.exec(format) ?? []
  if (match !== undefined) {
    const scale = percent ? 100 : 1
    return (value) => {
      if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value * scale) >= 1e15)
        return textOfValue(value)
      const text = formatNumber(value * scale, decimals.length)
      return `${before}${grouping ? text : text.replaceAll(',', '')}${percent}${after}`
    }
  }
  return isDateFormat(format) ? (value) => formatted(value, format) : undefined
}

function isDateFormat(format: string): boolean {
  try {
    return /[A-Za-z]/.test(format) && formatDate(new Date(0), format) !== ''
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

/** Texts that are no dates stay as they are. */
function formatted(value: DataValue | Date, format: string): string {
  if (value instanceof Date) return formatDate(value, format)
  if (typeof value !== 'string') return textOfValue(value)
  try {
    return formatDate(parseDate(value), format)
  } catch (error) {
    if (error instanceof Fault) return value
    throw error
  }
}
