import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  Scalar,
  visit,
  type YAMLError,
  type YAMLMap,
  YAMLParseError,
} from 'yaml'
import { shortened } from '../../base/strings.ts'
import { nodesFromYaml, type SourceNode } from './source-node.ts'
import { checkYaml, type InvalidNode, isMergeKey, type SourcePlace, yamlProblems } from './yaml.ts'

/** The keys from the root of a file to a value. Numbers are indexes in lists. */
export type KeyPath = readonly (string | number)[]

/** A YAML file as a value, with the position of each part in the text. */
export interface Source {
  readonly value: unknown
  /** The position of the value at a path, or of its nearest existing ancestor. */
  valuePlace(path: KeyPath): SourcePlace
  /** The position of the last key of a path. */
  keyPlace(path: KeyPath): SourcePlace
  /** The values with their places, for composing. */
  nodes(file: string): SourceNode
}

/** The problems that make a text invalid YAML. */
export interface UnreadableSource {
  readonly unreadable: readonly UnreadablePart[]
}

interface UnreadablePart {
  readonly place: SourcePlace
  readonly message: string
  /** `yaml` by default: the text is not YAML. */
  readonly kind?: 'yaml' | 'size' | 'value'
}

/** The message of a part that cannot be read. */
export const unreadableMessage = ({ message, kind = 'yaml' }: UnreadablePart): string =>
  kind === 'yaml' ? `not valid YAML: ${message}` : message

const MAX_ALIASES = 100
const MAX_DEPTH = 200
const START: SourcePlace = { line: 1, column: 1, length: 1 }

/** Under these keys, `5`, `1.0` and `true` are read as text. */
const TEXT_KEYS: ReadonlySet<unknown> = new Set(
  `name rich value title process handle uid id identifier target_id target_name text_regex value_regex description placeholder icon
  avatar badge subtitle   keyboard_shortcut modal_to window window_uid transition_to initial_state in about task tags theme clipboard selector regex
  expected equals title_regex expected_hash message text keys option_name element_id
  folder file src path copy_to move_to element open close focus move toast log emit menu
  href navigate
  happened changed changed_var from_id from_selector`.split(/\s+/),
)
/** All values below these keys are text. */
const TEXT_MAPS: ReadonlySet<unknown> = new Set(['files'])

/** Whether the value of a key is a text, even when it looks like a number. */
export const isTextKey = (key: string): boolean => TEXT_KEYS.has(key)

/** Other schemas own the content of these keys, so it is not converted. */
const FOREIGN_KEYS: ReadonlySet<unknown> = new Set(['agent', 'model'])

/** Reads YAML 1.2. `match` and the boolean `true` (YAML 1.1's reading of an unquoted `on`) become `on`. */
export function readSource(text: string): Source | UnreadableSource {
  const depth = bracketDepth(text)
  if (depth > MAX_DEPTH)
    return {
      unreadable: [
        { place: START, message: `brackets are nested ${depth} deep; at most ${MAX_DEPTH} are allowed`, kind: 'size' },
      ],
    }
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: true,
    prettyErrors: false,
    stringKeys: false,
    // The parser would compare each key with all keys before it.
    uniqueKeys: false,
  })
  const errors = [...document.errors, ...repeatedKeys(document)]
  if (errors.length > 0) return { unreadable: yamlProblems(text, lines, errors) }
  const deep = tooDeep(document)
  if (deep)
    return {
      unreadable: [
        {
          place: rangePlace(lines, deep) ?? START,
          message: `the file is nested too deep; at most ${MAX_DEPTH} levels are allowed`,
          kind: 'size',
        },
      ],
    }
  const meaningless = checkYaml(document, MAX_DEPTH)
  if (meaningless.length > 0)
    return {
      unreadable: meaningless.map(({ node, message }) => ({ place: rangePlace(lines, node) ?? START, message })),
    }
  restoreTexts(document)
  renameTriggers(document)
  const lost = lostValues(document)
  if (lost.length > 0)
    return {
      unreadable: lost.map(({ node, message }) => ({
        place: rangePlace(lines, node) ?? START,
        message,
        kind: 'value',
      })),
    }
  const value = plainValue(document)
  if (value === TOO_MANY_ALIASES)
    return { unreadable: [{ place: START, message: 'its aliases repeat too many values; write fewer *aliases' }] }
  const nodes = new Map<string, SourceNode>()
  return {
    value,
    valuePlace: (path) => follow(document, lines, path, 'value'),
    keyPlace: (path) => follow(document, lines, path, 'key'),
    nodes: (file) => {
      const known = nodes.get(file) ?? nodesFromYaml(document, lines, file)
      nodes.set(file, known)
      return known
    },
  }
}

const TOO_MANY_ALIASES = Symbol('too many aliases')

function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    // Aliases without an anchor are reported before.
    if (error instanceof ReferenceError) return TOO_MANY_ALIASES
    throw error
  }
}

/** Brackets make the parser recurse before there is a tree whose depth could be checked. */
function bracketDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth)
    if (character === ']' || character === '}') depth = Math.max(0, depth - 1)
  }
  return deepest
}

/** The errors for duplicate keys, in the parser's words. */
function repeatedKeys({ contents }: Document): readonly YAMLError[] {
  const errors: YAMLError[] = []
  const open: unknown[] = [contents]
  while (open.length > 0) {
    const node = open.pop()
    if (isPair(node)) open.push(node.key, node.value)
    if (!isCollection(node)) continue
    const seen = new Set<unknown>()
    for (const item of node.items) {
      open.push(item)
      if (!isMap(node) || !isPair(item) || !isScalar(item.key)) continue
      const { value, range } = item.key
      const start = range?.[0] ?? 0
      if (seen.has(value))
        errors.push(new YAMLParseError([start, start + 1], 'DUPLICATE_KEY', 'Map keys must be unique'))
      seen.add(value)
    }
  }
  return errors
}

function tooDeep(document: Document): unknown {
  let found: unknown
  visit(document, {
    Collection(_, node, ancestors) {
      if (ancestors.length <= 2 * MAX_DEPTH) return undefined
      found = node
      return visit.BREAK
    },
  })
  return found
}

function restoreTexts(document: Document): void {
  visit(document, {
    Pair(_, pair, ancestors) {
      const key = isScalar(pair.key) ? pair.key.value : undefined
      if (FOREIGN_KEYS.has(key)) return visit.SKIP
      if (isData(ancestors)) return visit.SKIP
      if (TEXT_MAPS.has(key) && isMap(pair.value)) for (const { value } of pair.value.items) restoreText(value)
      if (TEXT_KEYS.has(key))
        for (const value of isSeq(pair.value) ? pair.value.items : [pair.value]) restoreText(value)
      return undefined
    },
  })
}

/** Whether a pair is a variable, or part of an entry that changes one: such values keep their types under any key. */
function isData(ancestors: readonly unknown[]): boolean {
  const above = ancestors.flatMap((node) => (isPair(node) && isScalar(node.key) ? [node.key.value] : []))
  const map = ancestors.at(-1)
  return above[0] === 'vars' || (isMap(map) && map.has('var') && !above.includes('with'))
}

/** Scalars whose value is not what is written: numbers with too many digits, and texts with half a character. */
function lostValues(document: Document): readonly InvalidNode[] {
  const found: InvalidNode[] = []
  visit(document, {
    Scalar(_, node) {
      const { value, source = '' } = node
      if (typeof value === 'number' && !isExact(value, source))
        found.push({
          node,
          message: `the number ${shortened(source, 60)} cannot be kept exactly; expected at most 15 digits, or a text in quotes`,
        })
      else if (typeof value === 'string' && /\p{Surrogate}/u.test(value))
        found.push({ node, message: 'the text holds half of a surrogate pair, which is not a character' })
    },
  })
  return found
}

/** Whether a number is kept as it is written. */
function isExact(value: number, source: string): boolean {
  if (/^[-+]?\.(inf|nan)$/i.test(source)) return true
  if (!Number.isFinite(value)) return false
  if (Number.isInteger(value) && !/[.eE]/.test(source)) return Number.isSafeInteger(value)
  const [mantissa = ''] = source.toLowerCase().split('e')
  const digits = mantissa.replace(/[^\d]/g, '').replace(/^0+|0+$/g, '')
  return digits.length <= MAX_DIGITS || digits === value.toExponential().split('e')[0]!.replace(/[^\d]/g, '')
}
/** Every decimal number with so many digits has a value of its own. */
const MAX_DIGITS = 15

function restoreText(scalar: unknown): void {
  if (!isScalar(scalar) || scalar.source === undefined || scalar.type !== Scalar.PLAIN) return
  if (typeof scalar.value === 'number' || typeof scalar.value === 'boolean') scalar.value = scalar.source
}

function renameTriggers(document: Document): void {
  for (const owner of ownersOfTriggers(document.contents))
    for (const list of ['reactions', 'timers', 'faults']) {
      const items = owner.get(list)
      if (!isSeq(items)) continue
      for (const item of items.items)
        if (isMap(item))
          for (const { key } of item.items)
            if (isScalar(key) && (key.value === true || key.value === 'match')) key.value = 'on'
    }
}

/** What has reactions: the file, its components, and the pages of its sites. */
function ownersOfTriggers(root: unknown): readonly YAMLMap[] {
  if (!isMap(root)) return []
  const pages = mapsIn(root.get('sites')).flatMap((site) => mapsIn(site.get('pages')))
  return [root, ...mapsIn(root.get('components')), ...pages]
}

const mapsIn = (map: unknown): readonly YAMLMap[] =>
  isMap(map) ? map.items.flatMap(({ value }) => (isMap(value) ? value : [])) : []

function follow(document: Document, lines: LineCounter, path: KeyPath, part: 'key' | 'value'): SourcePlace {
  let node: unknown = document.contents
  let key: unknown
  let place = rangePlace(lines, node) ?? START
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(document)
    const pair = isMap(node) ? pairOf(document, node.items, segment) : undefined
    const next = isSeq(node) ? node.items[Number(segment)] : pair?.value
    if (next === undefined && !pair) return place
    key = pair?.key ?? next
    node = next
    place = rangePlace(lines, node) ?? rangePlace(lines, key) ?? place
  }
  return part === 'key' ? (rangePlace(lines, key) ?? place) : place
}

function pairOf(document: Document, pairs: readonly unknown[], name: string | number): Pair | undefined {
  const all = pairs.filter((pair) => isPair(pair))
  const own = all.find(({ key }) => isScalar(key) && String(key.value) === String(name))
  if (own) return own
  for (const { key, value } of all) {
    if (!isMergeKey(key)) continue
    const merged = isAlias(value) ? value.resolve(document) : value
    for (const part of isSeq(merged) ? merged.items : [merged]) {
      const map = isAlias(part) ? part.resolve(document) : part
      const found = isMap(map) ? pairOf(document, map.items, name) : undefined
      if (found) return found
    }
  }
  return undefined
}

function rangePlace(lines: LineCounter, node: unknown): SourcePlace | undefined {
  if (!hasRange(node)) return undefined
  const [start, end] = node.range
  const { line, col } = lines.linePos(start)
  return { line, column: col, length: Math.max(1, end - start) }
}

const hasRange = (node: unknown): node is { readonly range: readonly [number, number, number] } =>
  typeof node === 'object' && node !== null && Array.isArray((node as { range?: unknown }).range)
