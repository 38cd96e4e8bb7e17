import type { DataType, DataValue } from '../expression/data-type.ts'

const INTEGER = /^[+-]?\d{1,15}$/
const NUMBER = /^[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/
const GROUPED = /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/

/** The value that a user means by a text, for a variable of a type. Undefined when the text is not such a value. */
export function parseTyped(text: string, type: DataType): DataValue | undefined {
  const trimmed = text.trim()
  const word = GROUPED.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed
  switch (type.kind) {
    case 'string':
    case 'any':
      return text
    case 'int':
      return INTEGER.test(word) ? Number(word) : undefined
    case 'double':
      return NUMBER.test(word) ? Number(word) : undefined
    case 'bool':
      return word === 'true' ? true : word === 'false' ? false : undefined
    case 'timestamp':
    case 'list':
    case 'record':
      return undefined
  }
}
