import * as z from 'zod'
import { type Element, memoize } from '../desktop/model/element.ts'
import { type ChangedFields, diffTrees, type TreeChange, toJsonPatch } from '../desktop/tree/diff.ts'
import { withoutClosed } from '../desktop/tree/modal.ts'

const ESC = '\u001b'

/**
 * Removes terminal escape sequences (CSI, OSC, two-byte) and control characters other than tab and line ends, so that text
 * of a program cannot control the reader's terminal.
 */
export function stripControls(text: string): string {
  if (!hasControl(text)) return text
  let clean = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    const code = character.charCodeAt(0)
    if (character === ESC || code === 0x9b || code === 0x9d) {
      at = endOfEscape(text, at)
      continue
    }
    if (isControl(code)) continue
    clean += character
  }
  return clean
}

const isControl = (code: number): boolean =>
  (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || (code >= 0x7f && code <= 0x9f)

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (isControl(text.charCodeAt(at))) return true
  return false
}

/** The index of the last character of the escape sequence that starts at `at`. */
function endOfEscape(text: string, at: number): number {
  const first = text[at]
  const kind = first === '\u009b' ? '[' : first === '\u009d' ? ']' : text[at + 1]
  const from = first === ESC ? at + 2 : at + 1
  if (kind === '[') {
    let end = from
    while (end < text.length && (text.charCodeAt(end) < 0x40 || text.charCodeAt(end) > 0x7e)) end++
    return end
  }
  if (kind === ']') {
    for (let end = from; end < text.length; end++) {
      if (text[end] === '\u0007' || text[end] === '\u009c') return end
      if (text[end] === ESC && text[end + 1] === '\\') return end + 1
    }
    return text.length
  }
  return Math.min(at + 1, text.length)
}

/** Shapes that several tools share, in the document's spelling (observer document, "v1" and "Version 2"). */

export const Bounds = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .meta({ id: 'Bounds', description: 'Absolute screen pixels' })

/** Scales a box and rounds it to whole pixels. */
export const scaleBounds = ({ x, y, width, height }: z.infer<typeof Bounds>, by: number): z.infer<typeof Bounds> => ({
  x: Math.round(x * by),
  y: Math.round(y * by),
  width: Math.round(width * by),
  height: Math.round(height * by),
})

export interface WireElement {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly value: string | null
  readonly bounds: z.infer<typeof Bounds>
  readonly enabled: boolean
  readonly focused: boolean
  readonly keyboard_shortcut: string | null
  readonly description: string | null
  readonly children: readonly WireElement[]
  readonly selected?: boolean
  readonly expanded?: boolean
  readonly value_now?: number
  readonly value_min?: number
  readonly value_max?: number
  readonly identifier?: string
  /** In the tree but not visible. */
  readonly hidden?: boolean
  /** Some children, or a part of a long text, are omitted. */
  readonly truncated?: boolean
  readonly child_count?: number
}

export const WireElement: z.ZodType<WireElement> = z
  .object({
    id: z.string(),
    name: z.string(),
    role: z.string(),
    value: z.string().nullable(),
    bounds: Bounds,
    enabled: z.boolean(),
    focused: z.boolean(),
    keyboard_shortcut: z.string().nullable(),
    description: z.string().nullable(),
    get children() {
      return z.array(WireElement)
    },
    selected: z.boolean().optional(),
    expanded: z.boolean().optional(),
    value_now: z.number().optional(),
    value_min: z.number().optional(),
    value_max: z.number().optional(),
    identifier: z.string().optional(),
    hidden: z.boolean().optional(),
    truncated: z.boolean().optional(),
    child_count: z.int().optional(),
  })
  .meta({ id: 'Element' }) as unknown as z.ZodType<WireElement>

interface Measures {
  /** Elements, the root included. */
  readonly count: number
  /** Levels below the root. */
  readonly height: number
}

/** The measures of all trees from this module. The JSON serialiser recognises trees by them. */
const measures = new WeakMap<WireElement, Measures>()

export const isWireTree = (value: object): value is WireElement => measures.has(value as WireElement)

/** Converts an element to the document's spelling. Cached per node, so an unchanged subtree is the same object again. */
export const toWireElement: (element: Element) => WireElement = memoize((element): WireElement => {
  const wire: WireElement = {
    id: element.id,
    name: stripControls(element.name),
    role: stripControls(element.role),
    value: element.value === null ? null : stripControls(element.value),
    bounds: element.bounds,
    enabled: element.enabled,
    focused: element.focused,
    keyboard_shortcut: element.keyboardShortcut === null ? null : stripControls(element.keyboardShortcut),
    description: element.description === null ? null : stripControls(element.description),
    ...(element.selected !== undefined && { selected: element.selected }),
    ...(element.expanded !== undefined && { expanded: element.expanded }),
    ...(element.valueNow !== undefined && { value_now: element.valueNow }),
    ...(element.valueMin !== undefined && { value_min: element.valueMin }),
    ...(element.valueMax !== undefined && { value_max: element.valueMax }),
    ...(element.identifier !== undefined && { identifier: stripControls(element.identifier) }),
    ...(element.traits?.hidden && { hidden: true }),
    ...(element.traits?.childCount !== undefined && { truncated: true, child_count: element.traits.childCount }),
    children: element.children.map(toWireElement),
  }
  // Leaves are serialised quickly without a mark.
  return wire.children.length > 0 ? markWireTree(wire) : wire
})

/** Cuts a tree below `depth` levels. A cut node has its number of children. Returns the same tree when nothing is cut. */
export function cutDepth(tree: WireElement, depth: number): WireElement {
  if (measure(tree).height <= depth) return tree
  if (depth <= 0)
    return markWireTree({
      ...tree,
      children: [],
      truncated: true,
      child_count: tree.child_count ?? tree.children.length,
    })
  return markWireTree({ ...tree, children: tree.children.map((child) => cutDepth(child, depth - 1)) })
}

/** Marks a tree, so that its text counts as sanitized and its JSON is cached. */
export function markWireTree(tree: WireElement): WireElement {
  measures.set(tree, measure(tree))
  return tree
}

/** The number of elements in a result. */
export const countWireElements = (tree: WireElement | null): number => (tree === null ? 0 : measure(tree).count)

const LEAF: Measures = { count: 1, height: 0 }

/** Subtrees with known measures are not traversed. */
function measure(tree: WireElement): Measures {
  if (tree.children.length === 0) return LEAF
  const known = measures.get(tree)
  if (known) return known
  let count = 1
  let height = 0
  for (const child of tree.children) {
    const below = measure(child)
    count += below.count
    height = Math.max(height, below.height + 1)
  }
  return { count, height }
}

/** Opaque fields, which contain no text of programs. */
const OPAQUE = new Set([
  'data',
  'screenshot_b64',
  'tree_hash',
  'tree_token',
  'base_token',
  'snapshot_id',
  'confirm_token',
])

/** Removes control characters from all strings of a value. Returns the same value if it has none. Trees have none already. */
export function sanitize<T>(value: T): T {
  if (typeof value === 'string') return stripControls(value) as T
  if (typeof value !== 'object' || value === null || isWireTree(value)) return value
  if (Array.isArray(value)) {
    const dirty = value.some((item) => sanitize(item) !== item)
    return (dirty ? value.map(sanitize) : value) as T
  }
  const fields = value as Record<string, unknown>
  let copy: Record<string, unknown> | undefined
  for (const key in fields) {
    const field = fields[key]
    if (typeof field !== 'object' && (typeof field !== 'string' || OPAQUE.has(key))) continue
    const shown = sanitize(field)
    if (shown === field) continue
    copy ??= { ...fields }
    copy[key] = shown
  }
  return (copy ?? value) as T
}

export type DiffFormat = 'custom' | 'json-patch'

/** The document's names for the fields of an element that a change can replace. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  keyboardShortcut: 'keyboard_shortcut',
  valueNow: 'value_now',
  valueMin: 'value_min',
  valueMax: 'value_max',
  childCount: 'child_count',
}

/** Changes, like trees, contain no control characters. */
const wireValue = (value: unknown): unknown => (typeof value === 'string' ? stripControls(value) : value)

const wireName = (field: string): string => WIRE_NAMES[field] ?? field

/** The changes that turn one tree, as observations show it, into the other when applied in order (observer document, "observe"). */
export function wireChanges(before: Element, after: Element, format: DiffFormat): readonly unknown[] {
  const changes = diffTrees(withoutClosed(before), withoutClosed(after))
  if (format === 'custom') return changes.map(toWireChange)
  return toJsonPatch(changes, wireName, toWireElement).map((step) =>
    'value' in step ? { ...step, value: wireValue(step.value) } : step,
  )
}

function toWireChange(change: TreeChange): unknown {
  if (change.op === 'replace') return { op: change.op, path: change.path, fields: toWireFields(change.fields) }
  if (change.op === 'add')
    return { op: change.op, path: change.path, node: toWireElement(change.node) satisfies WireElement }
  return change
}

function toWireFields(changed: ChangedFields): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  for (const name of Object.keys(changed)) fields[wireName(name)] = wireValue(changed[name as keyof ChangedFields])
  return fields
}
