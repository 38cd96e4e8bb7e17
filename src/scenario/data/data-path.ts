import { type DataValue, isList } from '../expression/data-type.ts'

/** Names from a variable to a value inside it: `draft.subject` is `['draft', 'subject']`. Numbers are positions in lists. */
export type DataPath = readonly [string, ...(string | number)[]]

/** Reads `draft.lines[2].total`; undefined for anything else. */
export function parseDataPath(text: string): DataPath | undefined {
  const [first, ...parts] = [...text.matchAll(/\.?([A-Za-z_]\w*)|\[(\d+)\]/gy)].map(([, name, index]) =>
    name === undefined ? Number(index) : name,
  )
  const read = [...text.matchAll(/\.?([A-Za-z_]\w*)|\[(\d+)\]/gy)].reduce((length, [part]) => length + part.length, 0)
  return typeof first === 'string' && read === text.length && !text.startsWith('.') ? [first, ...parts] : undefined
}

/** The value at a path; undefined where there is none. */
export function valueAt(data: DataValue, path: readonly (string | number)[]): DataValue | undefined {
  let value: DataValue | undefined = data
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined
    if (isList(value)) value = typeof step === 'number' ? value[step] : undefined
    else value = Object.hasOwn(value, step) ? value[step] : undefined
    if (value === undefined) return undefined
  }
  return value
}

/** The data with another value at a path. What is not on the path keeps its identity. Unknown steps change nothing. */
export function withValueAt(data: DataValue, path: readonly (string | number)[], value: DataValue): DataValue {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (typeof data !== 'object' || data === null) return data
  if (isList(data)) {
    if (typeof step !== 'number' || step >= data.length) return data
    const item = withValueAt(data[step]!, rest, value)
    return item === data[step] ? data : data.with(step, item)
  }
  if (!Object.hasOwn(data, step)) return data
  const field = withValueAt(data[step]!, rest, value)
  return field === data[step] ? data : { ...data, [step]: field }
}
