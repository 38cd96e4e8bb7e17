import {
  int,
  MAX_STRING_CHARACTERS,
  numberOf,
  PythonError,
  printedText,
  repr,
  str,
  typeName,
  type Value,
} from './value.ts'

/** `'%s is %d' % (name, count)`, with `%s`, `%r`, `%d`, `%i`, `%f` and `%.2f`. */
export function percentFormat(template: string, given: Value): Value {
  const values = given.kind === 'tuple' ? [...given.items] : [given]
  let text = ''
  for (let at = 0; at < template.length; at++) {
    if (template[at] !== '%') {
      text += template[at]
      continue
    }
    const end =
      at + 1 + [...template.slice(at + 1, at + 8)].findIndex((character) => !'.0123456789'.includes(character))
    const letter = template[end] ?? ''
    if (letter === '%') text += '%'
    else {
      const value = values.shift()
      if (!value) throw new PythonError('TypeError', 'not enough arguments for format string')
      text += percentFormatted(value, template.slice(at + 1, end), letter)
    }
    if (text.length > MAX_STRING_CHARACTERS) throw new PythonError('MemoryError', 'the text is too long')
    at = end
  }
  if (values.length > 0) throw new PythonError('TypeError', 'not all arguments converted during string formatting')
  return str(text)
}

function percentFormatted(value: Value, modifiers: string, letter: string): string {
  if (letter === 's' || letter === 'r') {
    const text = letter === 'r' ? repr(value) : printedText(value)
    // Aligned to the right, other than in formatted strings.
    const width = /^\d{1,3}$/.exec(modifiers)?.[0]
    if (width === undefined && modifiers !== '') throw invalidFormat(modifiers + letter)
    return text.padStart(Number(width ?? 0))
  }
  const number = numberOf(value)
  if (number === undefined && 'dif'.includes(letter))
    throw new PythonError('TypeError', `%${letter} format: a real number is required, not ${typeName(value)}`)
  const isWhole = letter === 'd' || letter === 'i'
  return formatValue(
    isWhole && number !== undefined ? int(Math.trunc(number)) : value,
    modifiers + (isWhole ? 'd' : letter),
  )
}

const invalidFormat = (spec: string): PythonError => new PythonError('ValueError', `Invalid format specifier '${spec}'`)

const DEFAULT_DECIMALS = 6
const MAX_DECIMALS = 50

/**
 * Formats a value as `{value:spec}` does, with the specs `s`, `d` and `f`, a width such as `5d` or `02d`, and decimals such as
 * `.2f`. Throws `ValueError` for any other.
 */
export function formatValue(value: Value, spec: string): string {
  if (spec === '') return printedText(value)
  const parts = /^(0?)(\d{0,3})(?:\.(\d{1,2}))?([fFds]?)$/.exec(spec)
  if (!parts) throw invalidFormat(spec)
  const [, zero = '', width = '', decimals, letter = ''] = parts
  if (decimals !== undefined && letter.toLowerCase() !== 'f') throw invalidFormat(spec)
  if (value.kind === 'str' && (letter === 's' || letter === '') && zero === '') return value.value.padEnd(Number(width))
  const number = numberOf(value)
  if (number === undefined || letter === 's' || (letter === 'd' && value.kind === 'float'))
    throw new PythonError('ValueError', `Unknown format code '${letter}' for object of type '${typeName(value)}'`)
  const text = numberText(value, number, letter, decimals)
  if (zero === '') return text.padStart(Number(width))
  const sign = text.startsWith('-') ? '-' : ''
  return sign + text.slice(sign.length).padStart(Number(width) - sign.length, '0')
}

function numberText(value: Value, number: number, letter: string, decimals: string | undefined): string {
  if (letter === 'd') return String(number)
  if (letter === '') return value.kind === 'float' ? printedText(value) : String(number)
  return number.toFixed(decimals === undefined ? DEFAULT_DECIMALS : Math.min(MAX_DECIMALS, Number(decimals)))
}
