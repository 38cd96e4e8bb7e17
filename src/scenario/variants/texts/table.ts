import { escapePattern } from '../../../base/pattern/pattern.ts'
import type { TextRewrite } from './rewrite-texts.ts'

/** Texts and their replacements. `{{ name }}` in both stands for any text. */
export type TextTable = Readonly<Record<string, string>>

interface Pair {
  readonly from: readonly string[]
  readonly holes: readonly string[]
  readonly to: string
}

/** Rewrites texts by a table. A pattern is replaced as a whole if the table has it, otherwise the texts in it are. */
export function tableRewrite(table: TextTable): TextRewrite & { has(text: string): boolean } {
  const open: Pair[] = Object.entries(table).flatMap(([from, to]) =>
    from.includes('{{') ? [{ from: from.split(HOLE), holes: from.match(HOLE) ?? [], to }] : [],
  )
  const fragments = fragmentsOf(table)
  const find = (text: string): string | undefined => {
    if (Object.hasOwn(table, text)) return table[text]
    for (const pair of open) {
      const filled = fill(pair, text)
      if (filled !== undefined) return filled
    }
    return undefined
  }
  return {
    has: (text) => find(text) !== undefined,
    text: (text) => find(text) ?? text,
    pattern: (source) => (Object.hasOwn(table, source) ? table[source]! : inPattern(source, fragments)),
  }
}

const HOLE = /\{\{[^}]*\}\}/g

/** The replacement with what the holes of `from` match in the text. */
function fill({ from, holes, to }: Pair, text: string): string | undefined {
  const [first = ''] = from
  if (!text.startsWith(first)) return undefined
  const found = new Map<string, string>()
  let at = first.length
  for (let index = 0; index < holes.length; index++) {
    const next = from[index + 1] ?? ''
    const isLast = index === holes.length - 1
    const end = isLast ? (text.endsWith(next) ? text.length - next.length : -1) : text.indexOf(next, at)
    if (end < at) return undefined
    found.set(holes[index]!.replace(/\s+/g, ''), text.slice(at, end))
    at = end + next.length
  }
  return to.replace(HOLE, (hole) => found.get(hole.replace(/\s+/g, '')) ?? hole)
}

/** Texts between the holes of sources, and those of their replacements, the longest first. */
function fragmentsOf(table: TextTable): readonly (readonly [from: string, to: string])[] {
  const cut = (text: string) => text.split(/\{\{[^}]*\}\}|\{[\w.-]+\}/g)
  return Object.entries(table)
    .flatMap(([from, to]) => {
      const [before, after] = [cut(from), cut(to)]
      return before.length === after.length
        ? before.map((part, index) => [part.trim(), after[index]!.trim()] as const)
        : []
    })
    .filter(([from, to]) => from.length >= MIN_FRAGMENT && from !== to)
    .sort(([a], [b]) => b.length - a.length)
}

const MIN_FRAGMENT = 3

/** Replaces whole words of a pattern that are texts of the table, from left to right. */
function inPattern(source: string, fragments: readonly (readonly [string, string])[]): string {
  let result = ''
  for (let at = 0; at < source.length; ) {
    const found = startsWord(source, at) ? fragmentAt(source, at, fragments) : undefined
    if (found) {
      result += escapePattern(found.to)
      at += found.length
    } else {
      const step = source[at] === '\\' ? 2 : 1
      result += source.slice(at, at + step)
      at += step
    }
  }
  return result
}

function fragmentAt(source: string, at: number, fragments: readonly (readonly [string, string])[]) {
  for (const [from, to] of fragments)
    for (const written of new Set([escapePattern(from), from]))
      if (source.startsWith(written, at) && endsWord(source, at + written.length)) return { to, length: written.length }
  return undefined
}

const LETTER = /[\p{L}\p{N}]/u
const startsWord = (text: string, at: number): boolean =>
  at === 0 || !LETTER.test(text[at - 1]!) || (text[at - 2] === '\\' && /[bdswDSWAz]/.test(text[at - 1]!))
const endsWord = (text: string, at: number): boolean =>
  at >= text.length || !LETTER.test(text[at]!) || !LETTER.test(text[at - 1] ?? '')
