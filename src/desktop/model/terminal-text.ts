/** The text of a terminal without its control sequences, and the styles that they gave to its parts. */
export interface TerminalText {
  readonly text: string
  /** In the order of the text, without overlaps. Parts between them have no style. */
  readonly spans: readonly TerminalSpan[]
}

/** A part of a text as a range of UTF-16 offsets, and its style. */
export interface TerminalSpan extends TerminalStyle {
  readonly from: number
  readonly to: number
}

/** Colours are numbers from 0 to 15 in the palette of the terminal, or `#rrggbb`. */
export interface TerminalStyle {
  readonly ink?: number | string
  readonly back?: number | string
  readonly bold?: true
  readonly underline?: true
  readonly inverse?: true
}

const ESCAPE = '\u001b'
/** CSI sequences with their parameters and final byte, OSC sequences up to their end, and other escapes. */
const SEQUENCE = /\u001b(?:\[([0-9;:?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~]?)/g

/** Whether a role is that of a terminal. */
export const isTerminal = (role: string): boolean => role.toLowerCase().includes('terminal')

/**
 * Reads the text of a terminal with ANSI escapes: SGR sequences style what follows, others are left out. Undefined for
 * other roles, and for a text without escapes.
 */
export function terminalTextOf(role: string, source: string | null | undefined): TerminalText | undefined {
  if (typeof source !== 'string' || !source.includes(ESCAPE) || !isTerminal(role)) return undefined
  let text = ''
  let style: TerminalStyle = {}
  const spans: TerminalSpan[] = []
  let at = 0
  const add = (end: number): void => {
    const from = text.length
    text += source.slice(at, end)
    if (text.length > from && Object.keys(style).length > 0) spans.push({ from, to: text.length, ...style })
  }
  for (const match of source.matchAll(SEQUENCE)) {
    add(match.index)
    at = match.index + match[0].length
    if (match[2] === 'm') style = styled(style, match[1] ?? '')
  }
  add(source.length)
  return { text, spans }
}

/** A style after the parameters of an SGR sequence. */
function styled(before: TerminalStyle, parameters: string): TerminalStyle {
  const codes = parameters.split(/[;:]/).map(Number)
  let style = before
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!
    const key = code === 38 ? 'ink' : code === 48 ? 'back' : undefined
    if (!key) {
      style = withCode(style, code)
      continue
    }
    if (codes[at + 1] === 5) {
      style = { ...style, [key]: indexedColour(codes[at + 2] ?? 0) }
      at += 2
    } else if (codes[at + 1] === 2) {
      style = { ...style, [key]: hex([codes[at + 2], codes[at + 3], codes[at + 4]]) }
      at += 4
    }
  }
  return style
}

function withCode(style: TerminalStyle, code: number): TerminalStyle {
  if (code >= 30 && code <= 37) return { ...style, ink: code - 30 }
  if (code >= 40 && code <= 47) return { ...style, back: code - 40 }
  if (code >= 90 && code <= 97) return { ...style, ink: code - 82 }
  if (code >= 100 && code <= 107) return { ...style, back: code - 92 }
  switch (code) {
    case 0:
      return {}
    case 1:
      return { ...style, bold: true }
    case 4:
      return { ...style, underline: true }
    case 7:
      return { ...style, inverse: true }
    case 22:
      return without(style, 'bold')
    case 24:
      return without(style, 'underline')
    case 27:
      return without(style, 'inverse')
    case 39:
      return without(style, 'ink')
    case 49:
      return without(style, 'back')
    default:
      return style
  }
}

function without(style: TerminalStyle, key: keyof TerminalStyle): TerminalStyle {
  const { [key]: _, ...rest } = style
  return rest
}

/** A colour of the 256: the palette, a cube of 6 × 6 × 6, and 24 greys. */
function indexedColour(index: number): number | string {
  if (index < 16) return Math.max(0, index)
  if (index > 231) return hex(Array<number>(3).fill(8 + 10 * (Math.min(index, 255) - 232)))
  const cube = index - 16
  return hex(
    [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => (step === 0 ? 0 : 55 + 40 * step)),
  )
}

const hex = (channels: readonly (number | undefined)[]): string =>
  `#${channels.map((each = 0) => Math.max(0, Math.min(255, each)).toString(16).padStart(2, '0')).join('')}`
