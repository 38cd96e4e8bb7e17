import type { Element } from '../desktop/element.ts'
import type { Kind } from '../desktop/role.ts'
import { fractionOf } from './widgets/widget.ts'

/** What a sketch writes on a control: `text` in its place, in brackets as wide as the control when `isBracketed`. */
export interface ControlLabel {
  readonly text: string
  readonly isBracketed: boolean
}

/** A control's label in one row of at most `room` letters, or undefined when it cannot be read in so few. */
export function controlLabel(element: Element, kind: Kind, room: number): ControlLabel | undefined {
  const isBracketed = BRACKETED.has(kind) || (kind === 'tab' && element.selected === true)
  const most = isBracketed ? room - 2 : room
  const text = wordingsOf(element, kind).find((wording) => lengthOf(wording) <= most) ?? elided(element, kind, most)
  return text === undefined ? undefined : { text, isBracketed }
}

const BRACKETED: ReadonlySet<Kind> = new Set<Kind>([
  'button',
  'splitbutton',
  'edit',
  'combo',
  'spinner',
  'date',
  'document',
])

/** What it may be called, the longest and best first. */
function wordingsOf(element: Element, kind: Kind): readonly string[] {
  const core = coreOf(element, kind)
  const focus = element.focused ? '*' : ''
  const marked = element.enabled ? [] : [`${focus}${core} (disabled)`]
  const shorter = kind === 'slider' || kind === 'progress' ? [`${nameOf(element)} ${percentOf(element)}`] : []
  return [...marked, `${focus}${core}`, ...shorter.map((wording) => focus + wording)].filter(
    (wording) => wording.trim() !== '',
  )
}

function coreOf(element: Element, kind: Kind): string {
  const name = nameOf(element)
  const value = shownValue(element)
  switch (kind) {
    case 'checkbox':
      return `${element.value === 'mixed' ? '[-]' : element.selected ? '[x]' : '[ ]'} ${name}`
    case 'radio':
      return `${element.selected ? '(o)' : '( )'} ${name}`
    case 'toggle':
      return `${element.selected ? '(on)' : '(off)'} ${name}`
    case 'listitem':
    case 'row':
    case 'cell':
      return `${element.selected ? '> ' : ''}${name}${value === '' || value === name ? '' : `: ${value}`}`
    case 'treeitem':
      return `${element.expanded === undefined ? '' : element.expanded ? '- ' : '+ '}${name}`
    case 'slider':
      return `${name} ${gauge(element, '-', 'o', '-')} ${percentOf(element)}`
    case 'progress':
      return `${name} [${gauge(element, '#', '', '.')}] ${percentOf(element)}`
    case 'combo':
    case 'date':
      return `${value === '' ? name : `${name}: ${value}`} v`
    case 'spinner':
      return `${name}: ${value === '' ? String(element.valueNow ?? '') : value}`
    case 'image':
      return `(${name})`
    case 'separator':
      return ''
    case 'text':
      return name === '' ? value : name
    default:
      return value === '' || value === name ? name : `${name}: ${value}`
  }
}

const GAUGE = 10

function gauge(element: Element, full: string, knob: string, rest: string): string {
  const filled = Math.round((fractionOf(element) ?? 0) * (GAUGE - knob.length))
  return full.repeat(filled) + knob + rest.repeat(GAUGE - knob.length - filled)
}

function percentOf(element: Element): string {
  const part = fractionOf(element)
  return part === undefined ? '?' : `${Math.round(part * 100)}%`
}

/** Fewer letters of a name say too little. */
const ELIDED_LEAST = 8

function elided(element: Element, kind: Kind, most: number): string | undefined {
  const wording = wordingsOf(element, kind).at(-1)
  if (wording === undefined || most < ELIDED_LEAST) return undefined
  return `${Array.from(wording)
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`
}

/** What a box with something in it may be called, the longest first. */
export function titlesOf(element: Element): readonly string[] {
  const name = nameOf(element)
  const role = oneLine(element.role)
  const mark = element.focused ? '*' : ''
  const state = element.enabled ? '' : ' (disabled)'
  if (name === '') return [`${mark}${role}${state}`]
  return [`${mark}${role} "${name}"${state}`, `${mark}"${name}"`]
}

const NAME_LONGEST = 30
const VALUE_LONGEST = 20
const RANGES: ReadonlySet<Kind> = new Set<Kind>(['slider', 'scrollbar', 'progress'])

/** What the legend says about an element: role, name, value and state on one line. */
export function legendLabel(element: Element, kind: Kind): string {
  const name = cut(nameOf(element), NAME_LONGEST)
  const value = cut(shownValue(element), VALUE_LONGEST)
  return [
    oneLine(element.role),
    ...(name === '' ? [] : [`"${name}"`]),
    ...(RANGES.has(kind)
      ? fractionOf(element) === undefined
        ? []
        : [percentOf(element)]
      : value === ''
        ? []
        : [`[${value}]`]),
    ...(element.selected ? ['selected'] : []),
    ...(element.focused ? ['focused'] : []),
    ...(element.enabled ? [] : ['disabled']),
  ].join(' ')
}

const cut = (text: string, most: number): string =>
  lengthOf(text) > most
    ? `${Array.from(text)
        .slice(0, most - 3)
        .join('')}…`
    : text

const nameOf = (element: Element): string => oneLine(element.name)

/** The value in one line, or dots. */
const shownValue = (element: Element): string =>
  element.value === null || element.value === '' ? '' : element.traits?.secret ? '***' : oneLine(element.value)

/** Text without line breaks and other control characters. */
export const oneLine = (text: string): string => text.replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029]+/g, ' ').trim()

const lengthOf = (text: string): number => Array.from(text).length
