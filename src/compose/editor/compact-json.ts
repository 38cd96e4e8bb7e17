const MAX_LINE_LENGTH = 140

/** JSON with each value that fits on one line, so that a large document stays short and its changes readable. */
export function compactJson(value: unknown, indent = ''): string {
  const line = oneLine(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= MAX_LINE_LENGTH) return line
  const inner = `${indent} `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((item) => compactJson(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${compactJson(item, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${oneLine(item)}`)
  return `{${parts.join(',')}}`
}
