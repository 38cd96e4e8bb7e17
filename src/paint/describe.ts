import { countNodes, type Element, walk } from '../desktop/model/element.ts'
import { type Rect, sameRect } from '../desktop/model/geometry.ts'

/** The fields in the heading of a description. */
export interface WindowHeading {
  readonly title: string
  readonly process: string
  readonly bounds: Rect
}

const MAX_VALUE_CHARACTERS = 60
const MAX_DESCRIPTION_CHARACTERS = 30
/** The replacement for a secret value. */
const DOTS = '•••'

/**
 * A window as text (observer document, "Get description"): application, title and bounds, the root, then every other
 * element on a line of its own, indented by two blanks per level, and the count of elements.
 */
export function describeWindow(window: WindowHeading, tree: Element): string {
  const { x, y, width, height } = window.bounds
  // The window's bounds are in the heading already.
  const place = sameRect(window.bounds, tree.bounds) ? [] : [placeOf(tree.bounds)]
  const lines = [
    `Application : ${oneLine(window.process)}`,
    `Window      : ${oneLine(window.title)}`,
    `Geometry    : (${x}, ${y})  ${width} × ${height} px`,
    '',
    `Root: ${[...partsOf(tree), ...place].join('  ')}`,
  ]
  addLinesBelow(tree, 2, lines)
  return [...lines, '', `[${summaryOf(tree)}]`].join('\n')
}

function addLinesBelow(parent: Element, level: number, lines: string[]): void {
  for (const child of parent.children) {
    lines.push(`${'  '.repeat(level)}└─ ${[...partsOf(child), placeOf(child.bounds)].join('  ')}`)
    addLinesBelow(child, level + 1, lines)
  }
}

function summaryOf(tree: Element): string {
  const total = `${countNodes(tree)} elements total`
  for (const { focused, role, name } of walk(tree))
    if (focused) return `${total}; focused → ${oneLine(role)} "${oneLine(name)}"`
  return total
}

/** Role, and name, value and state if present. */
function partsOf(element: Element): readonly string[] {
  const { role, name } = element
  const value = element.traits?.secret && element.value ? DOTS : element.value
  const badges = badgesOf(element)
  return [
    oneLine(role),
    ...(name === '' ? [] : [`"${oneLine(name)}"`]),
    ...(value === null ? [] : [`= ${quoted(shortened(value))}`]),
    ...(badges.length > 0 ? [`[${badges.join('  ')}]`] : []),
  ]
}

const badgesOf = ({ focused, enabled, keyboardShortcut, description }: Element): readonly string[] => [
  ...(focused ? ['FOCUSED'] : []),
  ...(enabled ? [] : ['DISABLED']),
  ...(keyboardShortcut ? [`shortcut:${oneLine(keyboardShortcut)}`] : []),
  ...(description ? [`desc:${Array.from(oneLine(description)).slice(0, MAX_DESCRIPTION_CHARACTERS).join('')}`] : []),
]

const placeOf = ({ x, y, width, height }: Rect): string => `@(${x},${y}) ${width}×${height}`

function shortened(value: string): string {
  const characters = Array.from(value.slice(0, 2 * MAX_VALUE_CHARACTERS + 2))
  return characters.length > MAX_VALUE_CHARACTERS ? `${characters.slice(0, MAX_VALUE_CHARACTERS - 1).join('')}…` : value
}

/** A Python string literal: in single quotes, or in double quotes if only those avoid escapes. */
function quoted(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
  const inside = value
    .replaceAll('\\', '\\\\')
    .replace(/(?! )[\p{C}\p{Z}]/gu, escaped)
    .replaceAll(quote, `\\${quote}`)
  return `${quote}${inside}${quote}`
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** `\n`, `\x1b`, `\u2028` or `\U000e0001`. */
function escaped(character: string): string {
  const short = SHORT_ESCAPES[character]
  if (short) return short
  const code = character.codePointAt(0)!
  const [letter, digits] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8]
  return `\\${letter}${code.toString(16).padStart(digits as number, '0')}`
}

/** Text on one line: control characters, line breaks and direction marks become blanks. */
export const oneLine = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
