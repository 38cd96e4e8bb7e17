import type { Element } from '../../desktop/model/element.ts'
import type { RoleKind } from '../../desktop/model/role.ts'
import { rolesWhere, rolesWith } from '../../desktop/model/role.ts'
import { oneLine } from '../describe.ts'
import { charactersOf } from '../text/fonts.ts'
import { fractionOf } from '../widgets/widget.ts'

/** The symbols of a sketch. */
export interface SketchSymbols {
  readonly focused: string
  /** After the name, the clearest first. */
  readonly disabled: readonly string[]
  /** Before an item with children. */
  readonly unfolded: string
  readonly folded: string
  /** At a control with a drop-down list. */
  readonly dropped: string
  readonly drop: string
  readonly chosen: string
  readonly track: readonly [left: string, line: string, knob: string, right: string]
  readonly bar: readonly [left: string, full: string, rest: string, right: string]
}

export const ASCII_SYMBOLS: SketchSymbols = {
  focused: '*',
  disabled: [' (disabled)', ' (x)'],
  unfolded: '-',
  folded: '+',
  dropped: '^',
  drop: 'v',
  chosen: '(o)',
  track: ['|', '-', 'o', '|'],
  bar: ['[', '#', '.', ']'],
}

export const BOX_SYMBOLS: SketchSymbols = {
  focused: '●',
  disabled: [' ✗'],
  unfolded: '▼',
  folded: '▶',
  dropped: '▼',
  drop: '▶',
  chosen: '(•)',
  track: ['├', '─', '●', '┤'],
  bar: ['', '▓', '░', ''],
}

/** Splits text into letters for cells. A wide letter is followed by an empty text. */
export function cellsOfText(text: string): readonly string[] {
  const letters = charactersOf(text)
  return WIDE.test(text) ? letters.flatMap((letter) => (WIDE.test(letter) ? [letter, ''] : [letter])) : letters
}

/** Letters that terminals and editors show two cells wide. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

const BRACKETED = rolesWhere(({ sketch }) => sketch.label !== 'plain')

const CENTRED = rolesWhere(({ sketch }) => sketch.label === 'centred')

const isBracketed = (element: Element, kind: RoleKind): boolean =>
  BRACKETED.has(kind) || (kind === 'tab' && element.selected === true)

/** Names are not cut to fewer letters. */
const MIN_SHORTENED_CHARACTERS = 12

/**
 * The label of a control in a row of `room` cells: the most specific one that fits, in brackets as wide as a field or
 * button, otherwise after a blank. Undefined if none fits.
 */
export function controlLabel(
  element: Element,
  kind: RoleKind,
  room: number,
  signs: SketchSymbols,
): readonly string[] | undefined {
  const bracketed = isBracketed(element, kind)
  const most = room - (bracketed ? 2 : 1)
  const wordings = [...wordingsOf(element, kind, signs), ...bareWordings(element, kind, signs)].map(cellsOfText)
  const letters = wordings.find((wording) => wording.length <= most) ?? shortened(wordings.at(-1), most)
  if (!letters || !bracketed) return letters
  const before = CENTRED.has(kind) ? (most - letters.length) >> 1 : 0
  return ['[', ...blanks(before), ...letters, ...blanks(most - letters.length - before), ']']
}

/** The cells of the shortest complete label of a control; 1 if it has none. */
export function labelRoom(element: Element, kind: RoleKind, signs: SketchSymbols): number {
  const shortest = wordingsOf(element, kind, signs).at(-1)
  return shortest === undefined ? 1 : cellsOfText(shortest).length + (isBracketed(element, kind) ? 2 : 1)
}

const blanks = (count: number): readonly string[] => new Array<string>(count).fill(' ')

function shortened(letters: readonly string[] | undefined, most: number): readonly string[] | undefined {
  return letters && most >= MIN_SHORTENED_CHARACTERS ? cutTo(letters, most) : undefined
}

/** The first letters, ending with an ellipsis if some are missing. */
export function cutTo(letters: readonly string[], most: number): readonly string[] {
  if (letters.length <= most) return letters
  const kept = letters.slice(0, Math.max(0, most - 1))
  // A wide letter is not split.
  if (letters[kept.length] === '') return [...kept.slice(0, -1), '…']
  return [...kept, '…']
}

/** These need no label if they have neither a name nor a value. */
const SILENT = rolesWith('silent')

/** Whether an element has neither name nor value and needs no label, or is an empty cell, whose name is that of its column. */
export const isSilent = ({ name, value, role }: Element, kind: RoleKind): boolean =>
  kind === 'separator' ||
  kind === 'splitter' ||
  (kind === 'cell' && value === '') ||
  (name === '' && (value ?? '') === '' && (SILENT.has(kind) || role === ''))

/** The possible labels with state, the most specific first. Empty if no label is needed. */
function wordingsOf(element: Element, kind: RoleKind, signs: SketchSymbols): readonly string[] {
  const bare = bareWordings(element, kind, signs)
  return element.enabled ? bare : signs.disabled.flatMap((sign) => bare.map((wording) => wording + sign))
}

function bareWordings(element: Element, kind: RoleKind, signs: SketchSymbols): readonly string[] {
  if (isSilent(element, kind)) return []
  const focus = element.focused ? signs.focused : ''
  return namesOf(element, kind, signs).map((wording) => focus + wording)
}

/** Without a name, these are labelled by their content. */
const NAMED_BY_PARTS = rolesWith('namedByParts')

function namesOf(element: Element, kind: RoleKind, signs: SketchSymbols): readonly string[] {
  const name = nameOf(element) || (NAMED_BY_PARTS.has(kind) && partsNameOf(element)) || oneLine(element.role)
  const value = shownValue(element)
  const fold = element.expanded ? signs.unfolded : signs.folded
  const drop = element.expanded ? signs.dropped : signs.drop
  const pair = value === '' || value === name ? name : `${name}: ${value}`
  switch (kind) {
    case 'checkbox':
      return [`${element.value === 'mixed' ? '[-]' : element.selected ? '[x]' : '[ ]'} ${name}`]
    case 'radio':
      return [`${element.selected ? signs.chosen : '( )'} ${name}`]
    case 'toggle':
      return [`${element.selected ? '(on)' : '(off)'} ${name}`]
    case 'listitem':
    case 'row':
      return both(element.selected ? '> ' : '', pair, name)
    case 'cell':
      return [`${element.selected ? '> ' : ''}${value === '' ? name : value}`]
    case 'treeitem':
    case 'expander':
      return [`${element.selected ? '> ' : ''}${element.expanded === undefined ? '' : `${fold} `}${name}`]
    case 'slider':
      return [`${name} ${track(element, signs)} ${percentOf(element)}`, `${name} ${percentOf(element)}`]
    case 'progress':
      return [`${name} ${bar(element, signs)} ${percentOf(element)}`, `${name} ${percentOf(element)}`]
    case 'combo':
    case 'date':
      return both('', value === '' ? name : `${name}: ${value} ${drop}`, `${value === '' ? name : value} ${drop}`)
    case 'spinner':
      return both('', `${name}: ${value === '' ? String(element.valueNow ?? '') : value}`, name)
    case 'image':
      return [`(${name})`]
    case 'text':
      return both('', pair, element.name === '' || value !== '' ? value : name)
    case 'link':
      return [`${oneLine(element.role)} "${name}"`, name]
    case 'button':
    case 'splitbutton':
    case 'edit':
      return both('', value === '' ? `${oneLine(element.role)} "${name}"` : pair, name)
    default:
      return both('', pair, name)
  }
}

const both = (mark: string, long: string, short: string): readonly string[] =>
  long === short ? [mark + long] : [mark + long, mark + short]

const GAUGE = 10

function track(element: Element, { track: [left, line, knob, right] }: SketchSymbols): string {
  const at = Math.round((fractionOf(element) ?? 0) * (GAUGE - 1))
  return left + line.repeat(at) + knob + line.repeat(GAUGE - 1 - at) + right
}

function bar(element: Element, { bar: [left, full, rest, right] }: SketchSymbols): string {
  const at = Math.round((fractionOf(element) ?? 0) * GAUGE)
  return left + full.repeat(at) + rest.repeat(GAUGE - at) + right
}

function percentOf(element: Element): string {
  const part = fractionOf(element)
  return part === undefined ? '?' : `${Math.round(part * 100)}%`
}

/** The possible titles of a box, the most specific first. */
export function titlesOf(element: Element, signs: SketchSymbols): readonly (readonly string[])[] {
  const name = nameOf(element)
  const role = oneLine(element.role)
  const mark = element.focused ? signs.focused : ''
  const state = element.enabled ? '' : signs.disabled[0]!
  if (name === '') return [`${mark}${role}${state}`].map(cellsOfText)
  return [`${mark}${role} "${name}"${state}`, `${mark}"${name}"`].map(cellsOfText)
}

/** The value of a large control in lines of at most `width` cells, ending with an ellipsis if there is more. */
export function valueLines(element: Element, width: number, most: number): readonly (readonly string[])[] {
  const text = element.traits?.secret ? shownValue(element) : withoutLastBreaks(element.value ?? '')
  return text === '' ? [] : wrapped(text, width, most)
}

function withoutLastBreaks(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end--
  return text.slice(0, end)
}

/** A text in lines. */
export const textLines = (element: Element, width: number, most: number): readonly (readonly string[])[] =>
  wrapped(wholeValue(element) || oneLine(element.name).trim(), width, most)

function wrapped(text: string, width: number, most: number): readonly (readonly string[])[] {
  const lines: (readonly string[])[] = []
  if (most <= 0 || width <= 0) return lines
  for (const line of linesOf(text)) {
    const rest = oneLine(line.slice(0, width * most * MAX_UNITS).replaceAll('\t', '  '))
    let at = 0
    do {
      if (lines.length === most) return [...lines.slice(0, -1), withMore(lines.at(-1)!, width)]
      const letters = lettersFrom(rest, at, width)
      const kept = letters.slice(0, breakAt(letters, width))
      lines.push(kept)
      for (const letter of kept) at += letter.length
    } while (at < rest.length)
  }
  return lines
}

function* linesOf(text: string): Iterable<string> {
  const breaks = /\r\n|\r|\n/g
  let from = 0
  for (let found = breaks.exec(text); found; found = breaks.exec(text)) {
    yield text.slice(from, found.index)
    from = breaks.lastIndex
  }
  yield text.slice(from)
}

/** A letter of more UTF-16 units than this counts as several. */
const MAX_UNITS = 16
/** Most letters have at most this many units, so this many are read first. */
const TYPICAL_UNITS = 2

/** The letters from an offset: more than fit a line, or all. */
function lettersFrom(text: string, at: number, width: number): readonly string[] {
  const usual = cellsOfText(text.slice(at, at + (width + 2) * TYPICAL_UNITS))
  // The last one may have been cut.
  if (usual.length > width + 1 || at + (width + 2) * TYPICAL_UNITS >= text.length) return usual
  return cellsOfText(text.slice(at, at + (width + 2) * MAX_UNITS))
}

/** A line with an ellipsis after it, or in its last cell if it is full. */
const withMore = (line: readonly string[], width: number): readonly string[] =>
  cutTo(line.length < width ? [...line, '…'] : [...line, ' '], width)

/** The number of letters in a line: whole words, unless a word is longer than half of it. */
function breakAt(letters: readonly string[], width: number): number {
  if (letters.length <= width) return letters.length
  const blank = letters.lastIndexOf(' ', width)
  if (blank >= width / 2) return blank + 1
  return letters[width] === '' ? width - 1 : width
}

const MAX_NAME_CHARACTERS = 30
const MAX_VALUE_CHARACTERS = 20
const RANGES = rolesWith('percentage')

/** The legend entry of an element: role, name, value and state on one line. */
export function legendLabel(element: Element, kind: RoleKind): string {
  const name = shortenedText(nameOf(element), MAX_NAME_CHARACTERS)
  const value = RANGES.has(kind)
    ? fractionOf(element) === undefined
      ? ''
      : percentOf(element)
    : shortenedText(shownValue(element), MAX_VALUE_CHARACTERS)
  return [
    oneLine(element.role),
    ...(name === '' ? [] : [`"${name}"`]),
    ...(value === '' ? [] : [`[${value}]`]),
    ...(element.selected ? ['selected'] : []),
    ...(element.focused ? ['focused'] : []),
    ...(element.enabled ? [] : ['disabled']),
  ].join(' ')
}

/** As in the observer document: a longer text is cut by three letters more and ends with an ellipsis. */
function shortenedText(text: string, most: number): string {
  const letters = charactersOf(text)
  return letters.length > most ? `${letters.slice(0, most - 3).join('')}…` : text
}

/** The maximum row length in UTF-16 units. */
const MAX_ROW_UNITS = 400 * MAX_UNITS

/** A text on one line, cut to what a row can show. */
const rowOf = (text: string): string => oneLine(text.trimStart().slice(0, MAX_ROW_UNITS)).trim()

const nameOf = (element: Element): string => rowOf(element.name)

const partsNameOf = (element: Element): string =>
  element.children
    .map((part) => nameOf(part) || shownValue(part))
    .filter((name) => name !== '')
    .join(' ')

/** The value as one line of any length, or dots. */
const wholeValue = (element: Element): string =>
  element.traits?.secret ? shownValue(element) : oneLine(element.value ?? '').trim()

/** The value in one line, or dots. */
const shownValue = (element: Element): string =>
  element.value === null || element.value === '' ? '' : element.traits?.secret ? '***' : rowOf(element.value)
