import type { LineCounter, YAMLError } from 'yaml'
import type { SourcePlace } from './source-position.ts'

/** A YAML syntax problem, in plain words. */
interface YamlProblem {
  readonly place: SourcePlace
  readonly message: string
}

/** Errors that do not break the structure, so later errors are still valid. */
const LOCAL: ReadonlySet<string> = new Set(['DUPLICATE_KEY', 'BAD_ALIAS', 'BAD_DQ_ESCAPE', 'TAG_RESOLVE_FAILED'])

const INDENTATION =
  'the indentation of this line does not fit the lines above: the keys of a map, and the items of a list, begin at the same column'

/** The problems that the parser found, up to the first that breaks the structure. Later ones are guesses. */
export function yamlProblems(text: string, lines: LineCounter, errors: readonly YAMLError[]): readonly YamlProblem[] {
  const inOrder = [...errors].sort((a, b) => a.pos[0] - b.pos[0])
  const structural = inOrder.findIndex(({ code }) => !LOCAL.has(code))
  if (structural === -1) return inOrder.map((error) => asWritten(lines, error))
  const first = inOrder[structural]!
  const same = inOrder.filter(({ pos, code }) => pos[0] === first.pos[0] && !LOCAL.has(code))
  return [
    ...inOrder.slice(0, structural).map((error) => asWritten(lines, error)),
    structuralProblem(text, lines, first, same),
  ]
}

const asWritten = (lines: LineCounter, { pos: [start, end], message }: YAMLError): YamlProblem => {
  const { line, col } = lines.linePos(start)
  return { place: { line, column: col, length: Math.max(1, end - start) }, message }
}

/** `same`: all structural errors at the same position. */
function structuralProblem(
  text: string,
  lines: LineCounter,
  first: YAMLError,
  same: readonly YAMLError[],
): YamlProblem {
  const { line, col } = lines.linePos(first.pos[0])
  const has = (code: string, words = '') => same.some((error) => error.code === code && error.message.includes(words))
  // A value that continues on the next line, before a key: that line is indented too far.
  if (has('MULTILINE_IMPLICIT_KEY')) return { place: lineAfter(text, line), message: INDENTATION }
  const atIndentation = col === 1 && /^[ ]/.test(text.slice(first.pos[0]))
  if (
    has('BAD_INDENT', 'same column') ||
    has('MISSING_CHAR', 'without - indicator') ||
    (atIndentation && has('BLOCK_AS_IMPLICIT_KEY'))
  )
    return { place: lineAfter(text, line - 1), message: INDENTATION }
  if (has('TAB_AS_INDENT'))
    return { place: placeOfLine(text, line), message: 'lines are indented by spaces, not by tabs' }
  if (has('BLOCK_AS_IMPLICIT_KEY'))
    return { ...asWritten(lines, first), message: 'a text with a colon and a blank in it stands in quotes' }
  const unclosed = /[Ee]nd with a ([\]}])|closing (["'])quote/.exec(same.map(({ message }) => message).join())
  if (unclosed) return { ...asWritten(lines, first), message: notClosed(unclosed[1] ?? unclosed[2]!) }
  return asWritten(lines, first)
}

const OPENING: Readonly<Record<string, string>> = { ']': 'a list that begins with [', '}': 'a map that begins with {' }

const notClosed = (closing: string): string =>
  `${OPENING[closing] ?? `a text that begins with ${closing}`} is not closed before here; a ${closing} is missing`

/** The first line after a line that is neither empty nor a comment. */
function lineAfter(text: string, line: number): SourcePlace {
  const rows = text.split('\n')
  const next = rows.findIndex((row, index) => index >= line && /^\s*[^\s#]/.test(row))
  return placeOfLine(text, next === -1 ? line : next + 1)
}

/** The text of a line without its indentation. */
function placeOfLine(text: string, line: number): SourcePlace {
  const row = text.split('\n')[line - 1] ?? ''
  const indent = row.length - row.trimStart().length
  return { line, column: indent + 1, length: Math.max(1, row.trimEnd().length - indent) }
}
