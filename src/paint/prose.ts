import { type Element, walk } from '../desktop/element.ts'
import { type Rect, sameRect } from '../desktop/geometry.ts'

/** What the heading of a description says. */
export interface Described {
  readonly title: string
  readonly process: string
  readonly bounds: Rect
}

const VALUE_LONGEST = 60
const DESCRIPTION_LONGEST = 30
/** For a secret value. */
const DOTS = '•••'

/**
 * A window as text (observer document, "Get description"): application, title and place, the root, then every other
 * element on a line of its own, two blanks further in for each level, and how many there are.
 */
export function describeWindow(window: Described, tree: Element): string {
  const elements = [...walk(tree)]
  const focused = elements.find((element) => element.focused)
  const total = `${elements.length} elements total`
  const { x, y, width, height } = window.bounds
  const isElsewhere = !sameRect(window.bounds, tree.bounds)
  return [
    `Application : ${oneLine(window.process)}`,
    `Window      : ${oneLine(window.title)}`,
    `Geometry    : (${x}, ${y})  ${width} × ${height} px`,
    '',
    `Root: ${[...partsOf(tree), ...(isElsewhere ? [placeOf(tree.bounds)] : [])].join('  ')}`,
    ...linesBelow(tree, 2),
    '',
    focused ? `[${total}; focused → ${oneLine(focused.role)} "${oneLine(focused.name)}"]` : `[${total}]`,
  ].join('\n')
}

function linesBelow(parent: Element, level: number): readonly string[] {
  return parent.children.flatMap((child) => [
    `${'  '.repeat(level)}└─ ${[...partsOf(child), placeOf(child.bounds)].join('  ')}`,
    ...linesBelow(child, level + 1),
  ])
}

function partsOf(element: Element): readonly string[] {
  const { role, name } = element
  const value = element.traits?.secret && element.value ? DOTS : element.value
  const badges = badgesOf(element)
  return [
    oneLine(role),
    ...(name === '' ? [] : [`"${oneLine(name)}"`]),
    ...(value === null ? [] : [`= ${quoted(shortened(value, VALUE_LONGEST))}`]),
    ...(badges.length > 0 ? [`[${badges.join('  ')}]`] : []),
  ]
}

function badgesOf({ focused, enabled, selected, expanded, keyboardShortcut, description }: Element): readonly string[] {
  return [
    ...(focused ? ['FOCUSED'] : []),
    ...(enabled ? [] : ['DISABLED']),
    ...(selected === true ? ['SELECTED'] : []),
    ...(expanded === true ? ['EXPANDED'] : []),
    ...(keyboardShortcut ? [`shortcut:${oneLine(keyboardShortcut)}`] : []),
    ...(description ? [`desc:${oneLine(description).slice(0, DESCRIPTION_LONGEST)}`] : []),
  ]
}

const placeOf = ({ x, y, width, height }: Rect): string => `@(${x},${y}) ${width}×${height}`

const shortened = (value: string, most: number): string =>
  value.length > most ? `${value.slice(0, most - 1)}…` : value

/** As Python writes a text: in single quotes, in double ones when only those spare an escape. */
function quoted(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
  const inside = value
    .replace(/\\/g, '\\\\')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t')
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return `${quote}${quote === "'" ? inside.replace(/'/g, "\\'") : inside}${quote}`
}

const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
