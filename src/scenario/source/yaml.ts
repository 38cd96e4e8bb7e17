import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type LineCounter,
  type Pair,
  type YAMLError,
} from 'yaml'

/** A part of a YAML file that parses but has no value, and the reason. */
export interface InvalidNode {
  readonly node: unknown
  readonly message: string
}

/**
 * Finds aliases without an anchor or inside it, merges of values that are not maps, keys that are lists or maps, and
 * aliases nested too deep.
 */
export function checkYaml(document: Document, depthMost: number): readonly InvalidNode[] {
  const found: InvalidNode[] = []
  const named = new Map<string, unknown>()
  const heights = new Map<unknown, number>()
  const open = new Set<unknown>()
  visit(document.contents, 0)
  return found

  /** The number of levels of lists and maps in a node at a depth. */
  function visit(node: unknown, depth: number): number {
    if (isAlias(node)) return visitAlias(node, node.source, depth)
    if ((isScalar(node) || isCollection(node)) && node.anchor) named.set(node.anchor, node)
    if (!isCollection(node)) return 0
    open.add(node)
    let height = 0
    for (const item of node.items) height = Math.max(height, visitItem(item, depth + 1))
    open.delete(node)
    heights.set(node, height + 1)
    return height + 1
  }

  function visitItem(item: unknown, depth: number): number {
    if (!isPair(item)) return visit(item, depth)
    const height = Math.max(visit(item.key, depth), visit(item.value, depth))
    checkPair(item)
    return height
  }

  function visitAlias(node: unknown, name: string, depth: number): number {
    const target = named.get(name)
    const height = heights.get(target) ?? 0
    if (target === undefined) found.push({ node, message: `there is no anchor &${name} before this alias` })
    else if (open.has(target)) found.push({ node, message: `the alias *${name} stands inside what it names` })
    else if (depth + height > depthMost) found.push({ node, message: 'the file is nested too deep' })
    return height
  }

  function checkPair({ key, value }: Pair): void {
    const name = target(key)
    const unquoted = isMap(key) && key.flow ? '; a text with {{ … }} stands in quotes' : ''
    if (isCollection(name))
      found.push({ node: key, message: `expected a name as the key, found ${kindOf(name)}${unquoted}` })
    if (!isMergeKey(key)) return
    const source = target(value)
    const wrong = (isSeq(source) ? source.items : [value]).find((part) => !isMap(target(part)))
    // An alias without an anchor is reported already.
    if (wrong === undefined && (isSeq(source) || isMap(source))) return
    if (isAlias(wrong) && !named.has(wrong.source)) return
    const message = `<< merges maps; expected a map or an alias of one, found ${kindOf(target(wrong))}`
    found.push({ node: isNothing(wrong) ? key : wrong, message })
  }

  function target(node: unknown): unknown {
    return isAlias(node) ? named.get(node.source) : node
  }
}

/** Whether a key is a YAML 1.1 merge key. A quoted `<<` is a normal key. */
export const isMergeKey = (key: unknown): boolean => isScalar(key) && typeof key.value === 'symbol'

const isNothing = (node: unknown): boolean => !node || (isScalar(node) && node.value === null && !node.source)

function kindOf(node: unknown): string {
  if (isMap(node)) return 'a map'
  if (isSeq(node)) return 'a list'
  return isScalar(node) && node.value !== null ? JSON.stringify(node.value) : 'nothing'
}

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

/** The errors of the parser, in the words of someone who writes scenarios. */
const MESSAGES: Readonly<Record<string, string>> = {
  ALIAS_PROPS: 'an alias such as *name has no anchor or tag of its own',
  BAD_ALIAS: 'there is no name after this * or &',
  BAD_COLLECTION_TYPE: 'this tag does not fit a map or list',
  BAD_DIRECTIVE: 'a line that begins with % has no meaning in a scenario file; put the text in quotes',
  BAD_DQ_ESCAPE: 'unknown escape after \\ in a text in double quotes; write \\\\ for a backslash, or use single quotes',
  BAD_INDENT: 'the indentation of this line does not fit the lines above',
  BAD_PROP_ORDER: 'an anchor or tag stands before the value on the same line',
  BAD_SCALAR_START: 'a text cannot begin with this character; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a list or map cannot begin here; put it on lines of its own',
  BLOCK_IN_FLOW: 'inside of [ ] and { } everything is written with [ ] and { }',
  DUPLICATE_KEY: 'this key stands twice in its map; keys must be unique',
  KEY_OVER_1024_CHARS: 'a key has at most 1024 characters',
  MISSING_CHAR: 'a comma, a colon or a closing bracket is missing before here',
  MULTIPLE_ANCHORS: 'a value has one anchor at most',
  MULTIPLE_DOCS:
    'a scenario file is one document, and --- or ... begins a second one here; remove it, or use another file',
  MULTIPLE_TAGS: 'a value has one tag at most',
  MULTILINE_IMPLICIT_KEY: 'a key stands on one line',
  NON_STRING_KEY: 'a key is a text',
  TAB_AS_INDENT: 'lines are indented by spaces, not by tabs',
  TAG_RESOLVE_FAILED: 'tags such as !name have no meaning in a scenario file; put the text in quotes',
}
const OTHER = 'the text cannot be read from here on'

const asWritten = (lines: LineCounter, { pos: [start, end], code }: YAMLError): YamlProblem => {
  const { line, col } = lines.linePos(start)
  return { place: { line, column: col, length: Math.max(1, end - start) }, message: MESSAGES[code] ?? OTHER }
}

/** Where a part of a line has `{{` outside of quotes. Undefined if it has none. */
function unquotedTemplate(part: string): number | undefined {
  const plain = part.replace(QUOTED, (quoted) => '_'.repeat(quoted.length))
  const at = plain.indexOf('{{')
  return at === -1 || /["']/.test(plain.slice(0, at)) ? undefined : at
}
const QUOTED = /"(?:[^"\\]|\\.)*"|'[^']*'/g

/** The line at an error, or the next one, if it is indented with a tab. */
function tabbedLine(text: string, line: number): SourcePlace | undefined {
  const rows = text.split('\n')
  const number = [line, line + 1].find((each) => /^ *\t\s*[^\s#]/.test(rows[each - 1] ?? ''))
  if (number === undefined) return undefined
  const column = rows[number - 1]!.indexOf('\t') + 1
  return { line: number, column, length: 1 }
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
  const tab = tabbedLine(text, line)
  if (tab) return { place: tab, message: `line ${tab.line} is indented with a tab; lines are indented by spaces` }
  // A value that continues on the next line, before a key: that line is indented too far.
  const template = unquotedTemplate(text.split('\n')[line - 1]!.slice(0, col + 1))
  if (template !== undefined)
    return {
      place: { line, column: template + 1, length: Math.max(2, col - 1 - template) },
      message: 'a text with {{ … }} stands in quotes when it begins with {{, and inside of [ ] and { }',
    }
  if (has('MISSING_CHAR', 'directives-end'))
    return { place: placeOfLine(text, directiveLine(text)), message: MESSAGES.BAD_DIRECTIVE! }
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

/** The first line that begins with %. */
const directiveLine = (text: string): number => text.split('\n').findIndex((row) => row.startsWith('%')) + 1

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

/** A range in the file's text. Lines and columns count from 1. */
export interface SourcePlace {
  /** The file, where it is not the scenario's own. */
  readonly file?: string
  readonly line: number
  readonly column: number
  readonly length: number
}
