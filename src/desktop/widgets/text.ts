import { type Element, MAX_TEXT_CHARACTERS } from '../model/element.ts'
import type { EditHistory, TextVersion } from '../model/traits.ts'
import { graphemes } from '../model/unicode.ts'

/** The state of an edited text: the caret is at `at`, the selection extends from `from` to it, in UTF-16 units. */
export interface EditState {
  readonly text: string
  readonly at: number
  readonly from: number
  /** The column that vertical moves aim for, during such moves. */
  readonly column?: number
}

export type Unit = 'character' | 'word' | 'all'

/** A painted line of a text, as a range of offsets. The next line may start where it ends. */
export interface TextLine {
  readonly from: number
  readonly to: number
}

const MAX_VERSIONS = 50
const MAX_VERSIONS_CHARACTERS = 200_000
/** No character with its marks is longer than this, so only this much around the caret is examined. */
const MAX_CLUSTER_CHARACTERS = 64

/** The edit state of a field. In an untouched field the caret is at the end. */
export function editStateOf(element: Element): EditState {
  const text = element.value ?? ''
  const { caret } = element.traits ?? {}
  if (!caret) return { text, at: text.length, from: text.length }
  const at = Math.min(caret.at, text.length)
  const from = Math.min(caret.from, text.length)
  return caret.column === undefined ? { text, at, from } : { text, at, from, column: caret.column }
}

/** Applies an edit state to a field. Changes of the text can be undone, moves of the caret cannot. */
export function withEditState(element: Element, editing: EditState): Element {
  const before = editStateOf(element)
  const { at, from, column } = editing
  const caret = column === undefined ? { at, from } : { at, from, column }
  if (editing.text === before.text) {
    if (at === before.at && from === before.from && column === before.column) return element
    return { ...element, traits: { ...element.traits, caret } }
  }
  const history = remember(element.traits?.history, before)
  return { ...element, value: editing.text, traits: { ...element.traits, caret, history } }
}

/** The selected range in text order. Both ends are the caret if nothing is selected. */
export const selectedRange = ({ at, from }: EditState): { readonly start: number; readonly end: number } => ({
  start: Math.min(at, from),
  end: Math.max(at, from),
})

export function selectedText(editing: EditState): string {
  const { start, end } = selectedRange(editing)
  return editing.text.slice(start, end)
}

/** Replaces the selection by text, cut to `maxLength`. */
export function insert(editing: EditState, text: string, maxLength = MAX_TEXT_CHARACTERS): EditState {
  const { start, end } = selectedRange(editing)
  const kept = editing.text.length - (end - start)
  const fitting = text.length <= maxLength - kept ? text : wholeCharacters(text, Math.max(0, maxLength - kept))
  const at = start + fitting.length
  return { text: editing.text.slice(0, start) + fitting + editing.text.slice(end), at, from: at }
}

/** Removes the selection, otherwise the text between the caret and the end of a move by `unit`. */
export function remove(editing: EditState, direction: 1 | -1, unit: Unit): EditState {
  const range = editing.at === editing.from ? { ...editing, at: reach(editing, direction, unit) } : editing
  const { start, end } = selectedRange(range)
  if (start === end) return editing
  return { text: editing.text.slice(0, start) + editing.text.slice(end), at: start, from: start }
}

/**
 * Moves the caret. `extend` keeps the start of the selection. A move without it collapses a selection to its near side.
 */
export function move(editing: EditState, direction: 1 | -1, unit: Unit, extend: boolean): EditState {
  const { start, end } = selectedRange(editing)
  if (!extend && unit === 'character' && start !== end) return caretAt(editing, direction === 1 ? end : start, false)
  return caretAt(editing, reach(editing, direction, unit), extend)
}

/** Moves up or down by whole lines, towards the column where the movement began. */
export function moveLines(editing: EditState, lines: readonly TextLine[], by: number, extend: boolean): EditState {
  const { text, at } = editing
  const here = lineAt(lines, at)
  const column = editing.column ?? at - lines[here]!.from
  const target = here + by
  if (target < 0) return { ...caretAt(editing, 0, extend), column }
  if (target >= lines.length) return { ...caretAt(editing, text.length, extend), column }
  const place = Math.min(lines[target]!.from + column, lastPlace(text, lines, target))
  return { ...caretAt(editing, clusterStart(text, place), extend), column }
}

/** Moves to the beginning or the end of the line that the caret is in. */
export function moveInLine(
  editing: EditState,
  lines: readonly TextLine[],
  direction: 1 | -1,
  extend: boolean,
): EditState {
  const here = lineAt(lines, editing.at)
  return caretAt(editing, direction === 1 ? lastPlace(editing.text, lines, here) : lines[here]!.from, extend)
}

/** The line that a place is in. */
export const lineAt = (lines: readonly TextLine[], at: number): number =>
  Math.max(
    0,
    lines.findLastIndex(({ from }) => from <= at),
  )

/** The last offset of a line. At a soft break, the end of the line is already the start of the next one. */
function lastPlace(text: string, lines: readonly TextLine[], line: number): number {
  const { from, to } = lines[line]!
  return lines[line + 1]?.from === to ? Math.max(from, clusterStart(text, to - 1)) : to
}

export function caretAt(editing: EditState, at: number, extend: boolean): EditState {
  const place = Math.max(0, Math.min(at, editing.text.length))
  return { text: editing.text, at: place, from: extend ? editing.from : place }
}

export const selectAll = ({ text }: EditState): EditState => ({ text, at: text.length, from: 0 })

/** Selects the word, or the run of other characters, at `at`, as a double click does. */
export function selectWord(editing: EditState, at: number): EditState {
  const { text } = editing
  const start = wordStart(text, at)
  const end = wordEnd(text, at)
  return { text, from: start, at: end }
}

/** Selects the line at `at` with its line feed, as a triple click does. */
export function selectLine(editing: EditState, at: number): EditState {
  const { text } = editing
  const next = text.indexOf('\n', at)
  return { text, from: lineStart(text, at), at: next < 0 ? text.length : next + 1 }
}

/**
 * The field before its last change, or after the change that was undone. Returns the same field at the end of the
 * history.
 */
export function undoOrRedo(element: Element, direction: 'undo' | 'redo'): Element {
  const history = element.traits?.history ?? { undo: [], redo: [] }
  const version = history[direction].at(-1)
  if (!version) return element
  const here: TextVersion = { text: element.value ?? '', at: editStateOf(element).at }
  const back = direction === 'undo' ? 'redo' : 'undo'
  const left = { ...history, [direction]: history[direction].slice(0, -1), [back]: [...history[back], here] }
  const caret = { at: version.at, from: version.at }
  return { ...element, value: version.text, traits: { ...element.traits, caret, history: left } }
}

/** Keeps the newest versions, fewer of a long text. */
function remember(history: EditHistory | undefined, before: EditState): EditHistory {
  const undo = [...(history?.undo ?? []), { text: before.text, at: before.at }]
  const fitting = Math.max(1, Math.floor(MAX_VERSIONS_CHARACTERS / Math.max(1, before.text.length)))
  return { undo: undo.slice(-Math.min(MAX_VERSIONS, fitting)), redo: [] }
}

/** Where a move of the caret ends. */
function reach({ text, at }: EditState, direction: 1 | -1, unit: Unit): number {
  if (unit === 'all') return direction === 1 ? text.length : 0
  if (unit === 'word') return direction === 1 ? afterWord(text, at) : beforeWord(text, at)
  return direction === 1 ? clusterEnd(text, at) : clusterStart(text, at - 1)
}

const lineStart = (text: string, at: number): number => (at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

/** Whether a character is a letter, digit or picture, including marks. All characters beyond the first plane are. */
const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}\p{M}\p{Extended_Pictographic}_\u{10000}-\u{10ffff}]/u.test(character)
const isBlank = (character: string | undefined): boolean => character !== undefined && /^\s+$/.test(character)

/** Skips blanks, then one run of characters of the same kind. */
function beforeWord(text: string, at: number): number {
  const place = backWhile(text, at, isBlank)
  return place === 0 ? 0 : wordStart(text, place - 1)
}

function afterWord(text: string, at: number): number {
  const place = onWhile(text, at, isBlank)
  return place === text.length ? place : wordEnd(text, place)
}

const wordStart = (text: string, at: number): number =>
  backWhile(text, clusterStart(text, at), alike(characterNear(text, at)))

const wordEnd = (text: string, at: number): number =>
  onWhile(text, clusterStart(text, at), alike(characterNear(text, at)))

/** The character at a place, at the end of the text the one before it. */
const characterNear = (text: string, at: number): string | undefined =>
  characterAt(text, clusterStart(text, at)) ?? characterBefore(text, text.length)

/** Longer runs of characters of one kind take several moves. */
const MAX_WORD_CHARACTERS = 2000

function backWhile(text: string, at: number, fits: (character: string | undefined) => boolean): number {
  let place = at
  for (let count = 0; count < MAX_WORD_CHARACTERS; count++) {
    const each = characterBefore(text, place)
    if (each === undefined || !fits(each)) break
    place -= each.length
  }
  return place
}

function onWhile(text: string, at: number, fits: (character: string | undefined) => boolean): number {
  let place = at
  for (let count = 0; count < MAX_WORD_CHARACTERS; count++) {
    const each = characterAt(text, place)
    if (each === undefined || !fits(each)) break
    place += each.length
  }
  return place
}

const characterAt = (text: string, at: number): string | undefined =>
  at < text.length ? text.slice(at, clusterEnd(text, at)) : undefined
const characterBefore = (text: string, at: number): string | undefined =>
  at > 0 ? text.slice(clusterStart(text, at - 1), at) : undefined

function alike(sample: string | undefined): (character: string | undefined) => boolean {
  if (isWordCharacter(sample)) return isWordCharacter
  if (isBlank(sample)) return isBlank
  return (character) => !isWordCharacter(character) && !isBlank(character)
}

/** The start of the character, including marks, that contains the unit at `at`. */
export function clusterStart(text: string, at: number): number {
  if (at <= 0) return 0
  if (at >= text.length) return text.length
  if (areApart(text, at)) return at
  const from = Math.max(0, at - MAX_CLUSTER_CHARACTERS)
  const segment = graphemes()
    .segment(text.slice(from, at + MAX_CLUSTER_CHARACTERS))
    .containing(at - from)
  return segment ? from + segment.index : at
}

function clusterEnd(text: string, at: number): number {
  if (at >= text.length) return text.length
  if (at + 1 < text.length && areApart(text, at + 1)) return at + 1
  const segment = graphemes()
    .segment(text.slice(at, at + MAX_CLUSTER_CHARACTERS))
    .containing(0)
  return segment ? at + segment.segment.length : at + 1
}

/** Characters below this never combine; most texts need no segmenter. */
const FIRST_MARK = 0x300
const areApart = (text: string, at: number): boolean =>
  text.charCodeAt(at) < FIRST_MARK && text.charCodeAt(at - 1) < FIRST_MARK && text[at] !== '\n'

/** The first `length` units of a text, fewer if that would split a character. */
export const wholeCharacters = (text: string, length: number): string => text.slice(0, clusterStart(text, length))
