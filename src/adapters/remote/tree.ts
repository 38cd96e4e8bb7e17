import { type Element, shaped } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { isSecretRole } from '../../desktop/model/role.ts'
import type { ElementTraits } from '../../desktop/model/traits.ts'
import { isSameTree } from '../../desktop/tree/diff.ts'
import type { RemoteAnswer } from './faults.ts'

const MAX_LEVELS = 1000
const MAX_ELEMENTS = 200_000

/** The value that a Backlot server sends for secret fields. */
const SECRET_VALUE_ON_WIRE = '<filled>'

/**
 * Converts a tree of the other server to elements. Subtrees that equal those of `before`, the last tree of the window, are the same
 * objects again. Returns undefined for anything but a tree.
 */
export function toElements(wire: unknown, before?: Element): Element | undefined {
  let count = 0
  const convert = (value: unknown, before: Element | undefined, level: number): Element => {
    const node = fieldsOf(value)
    if (!node || ++count > MAX_ELEMENTS || level > MAX_LEVELS) throw MALFORMED
    const known = before?.children ?? []
    const byId = new Map(known.map((child) => [child.id, child]))
    const given = Array.isArray(node.children) ? node.children : []
    const children = given.map((child, index) => {
      const id = fieldsOf(child)?.id
      const twin = known[index]?.id === id ? known[index] : byId.get(id as string)
      return convert(child, twin, level + 1)
    })
    const fresh = shaped(elementOf(node, children))
    return before && isSameTree(before, fresh) ? before : fresh
  }
  try {
    return convert(wire, before, 0)
  } catch (thrown) {
    if (thrown === MALFORMED) return undefined
    throw thrown
  }
}

const MALFORMED = new Error('the tree is malformed')

function elementOf(node: RemoteAnswer, children: readonly Element[]): Element {
  const bounds = rectOf(node.bounds)
  if (typeof node.id !== 'string' || typeof node.role !== 'string' || !bounds) throw MALFORMED
  const { value, selected, expanded, value_now: now, value_min: min, value_max: max, identifier } = node
  const traits = traitsOf(node)
  return {
    id: node.id,
    role: node.role,
    name: textOr(node.name, ''),
    value: value === undefined || value === null ? null : String(value),
    bounds,
    enabled: node.enabled !== false,
    focused: node.focused === true,
    keyboardShortcut: textOr(node.keyboard_shortcut, null),
    description: textOr(node.description, null),
    children,
    ...(typeof selected === 'boolean' && { selected }),
    ...(typeof expanded === 'boolean' && { expanded }),
    ...(typeof now === 'number' && { valueNow: now }),
    ...(typeof min === 'number' && { valueMin: min }),
    ...(typeof max === 'number' && { valueMax: max }),
    ...(typeof identifier === 'string' && { identifier }),
    ...(traits && { traits }),
  }
}

/** What the wire tells about the traits. A secret field is recognised by its value, its role or its raw role. */
function traitsOf({
  role,
  hidden,
  truncated,
  child_count: count,
  value,
  identifier,
}: RemoteAnswer): ElementTraits | undefined {
  const isSecret = value === SECRET_VALUE_ON_WIRE || [role, identifier].some((name) => isSecretRole(String(name)))
  if (hidden !== true && truncated !== true && !isSecret) return undefined
  return {
    ...(isSecret && { secret: true }),
    ...(hidden === true && { hidden: true }),
    ...(truncated === true && { childCount: typeof count === 'number' ? count : 0 }),
  }
}

/** A rectangle of whole pixels. Undefined for anything else. */
export function rectOf(value: unknown): Rect | undefined {
  const { x, y, width, height } = fieldsOf(value) ?? {}
  const numbers = [x, y, width, height]
  if (!numbers.every((each) => typeof each === 'number' && Number.isFinite(each))) return undefined
  const [left = 0, top = 0, wide = 0, high = 0] = (numbers as number[]).map(Math.round)
  return { x: left, y: top, width: Math.max(0, wide), height: Math.max(0, high) }
}

const fieldsOf = (value: unknown): RemoteAnswer | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RemoteAnswer) : undefined

function textOr<Other>(value: unknown, other: Other): string | Other {
  return typeof value === 'string' ? value : other
}
