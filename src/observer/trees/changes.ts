import type { Element } from '../../desktop/model/element.ts'
import { type ChangedFields, diffTrees, type TreeChange, toJsonPatch } from '../../desktop/tree/diff.ts'
import { withoutClosed } from '../../desktop/tree/modal.ts'
import { toWireElement, type WireElement } from '../wire/element.ts'
import { stripControls } from '../wire/strip-controls.ts'

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
