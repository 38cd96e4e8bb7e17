import { CHANGEABLE_FIELDS, type Element, withFields } from '../../desktop/model/element.ts'
import type { ElementTraits, InstanceOf } from '../../desktop/model/traits.ts'
import type { Metrics } from '../../desktop/style/metrics.ts'
import { withTraits } from '../../desktop/tree/element-ref.ts'
import { parseTyped } from '../data/run-data.ts'
import { needsLayout } from '../layout/layout.ts'
import type { BindTemplate, FieldTemplate } from '../live/live-program.ts'
import { type InstanceSource, instanceOf } from './instance.ts'

/** An instance that is made again keeps what the user changed in the one with its id: the caret, the scroll offset, a choice. */

/** What adopting finds out about the window. */
export interface Adoption {
  readonly metrics: Metrics
  needsLayout: boolean
}

interface NewInstance {
  readonly instance: InstanceOf & { readonly source: InstanceSource }
  /** The fields that always show the data. */
  readonly controlled: readonly FieldTemplate[]
  readonly bind: BindTemplate | undefined
  /** The parent of the earlier instance, if it has the same one now. */
  readonly parent: Element | undefined
  readonly adoption: Adoption
}

const FIELDS = [...CHANGEABLE_FIELDS, 'identifier'] as const
type Field = (typeof FIELDS)[number]

/** The fields and traits that a key of the file decides about. */
const KEYS: Readonly<Record<string, readonly string[]>> = { rich: ['rich', 'name'], src: ['picture'], file: ['path'] }
const fieldsOf = (key: string): readonly string[] =>
  KEYS[key] ?? [key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]

/** A built element with what the user changed in an earlier instance with its id. */
export function withWidgetState(built: Element, known: Element | undefined, next: NewInstance): Element {
  const earlier = known && instanceOf(known)?.source.built
  if (!known || !earlier || known.role !== built.role) return withTraits(built, { instance: next.instance })
  return merged(known, earlier, built, next)
}

/** An instance whose inputs are the same, with its live fields as the data have them. */
export function restored(element: Element, adoption: Adoption, parent: Element | undefined): Element {
  const instance = instanceOf(element)
  if (!instance || clean.has(element)) return element
  const { template, built } = instance.source
  const { fields: controlled, bind } = template
  // Without live fields there is nothing that a user could have changed back.
  const own =
    controlled.length === 0 ? element : merged(element, built, built, { instance, controlled, bind, parent, adoption })
  const below = element.children.map((child) => restored(child, adoption, element))
  const isSame = below.every((child, index) => child === element.children[index])
  const next = isSame ? own : withFields(own, { children: below })
  clean.add(next)
  return next
}

/** Instances that show the data, so that nothing has to be restored in them. */
const clean = new WeakSet<Element>()

function merged(known: Element, earlier: Element, built: Element, next: NewInstance): Element {
  const controlled = namesOf(next.controlled)
  const fields: Partial<Record<Field, unknown>> = {}
  for (const field of FIELDS) {
    const isNew = built[field] !== earlier[field] || controlled.has(field)
    if (isNew && built[field] !== known[field] && !isTyped(field, known, built, next)) fields[field] = built[field]
  }
  const traits: Record<string, unknown> = {}
  const [was, is, has] = [earlier.traits ?? NONE, built.traits ?? NONE, known.traits ?? NONE]
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)]) as Set<keyof ElementTraits>) {
    if (name === 'instance' || isEqual(has[name], is[name])) continue
    if (!isEqual(was[name], is[name]) || controlled.has(name)) traits[name] = is[name]
  }
  const hasNewContent = 'value' in fields || 'selected' in fields || 'valueNow' in fields
  if ('value' in fields) Object.assign(traits, { caret: undefined, history: undefined })
  if (hasNewContent && has.invalid) {
    traits.invalid = undefined
    fields.description = built.description
  }
  const placed = {
    ...(isEqual(earlier.layout, built.layout) ? {} : { layout: built.layout }),
    ...(isEqual(earlier.place, built.place) ? {} : { place: built.place }),
  }
  let after = withFields(known, { ...fields, ...placed } as Partial<Element>)
  if (Object.keys(traits).length > 0) after = withTraits(after, { ...traits })
  if (after !== known && (!next.parent || needsLayout(known, after, next.parent, next.adoption.metrics)))
    next.adoption.needsLayout = true
  return has.instance === next.instance ? after : withTraits(after, { instance: next.instance })
}

const NONE: ElementTraits = {}

const namesByFields = new WeakMap<readonly FieldTemplate[], ReadonlySet<string>>()

/** The fields and traits that live fields decide about. */
function namesOf(fields: readonly FieldTemplate[]): ReadonlySet<string> {
  const known = namesByFields.get(fields)
  if (known) return known
  const names = new Set(fields.flatMap(({ key }) => fieldsOf(key)))
  namesByFields.set(fields, names)
  return names
}

/** Whether the user typed the value that the data have, in another spelling such as `1.50`. */
function isTyped(field: Field, known: Element, built: Element, { bind }: NewInstance): boolean {
  if (field !== 'value' || bind?.field !== 'value' || known.value === null || built.value === null) return false
  const typed = parseTyped(known.value, bind.type)
  return typed !== undefined && typed === parseTyped(built.value, bind.type)
}

/** The children that are no instances: those that come with the element, such as links, and those that the desktop added. */
export function ownChildren(known: Element, earlier: Element, built: Element): readonly Element[] {
  const own = known.children.filter(({ traits }) => !traits?.instance)
  const isSame = earlier.children.every(
    ({ id, name }, at) => built.children[at]?.id === id && built.children[at]?.name === name,
  )
  if (isSame && earlier.children.length === built.children.length) return own
  const replaced = new Set(earlier.children.map(({ id }) => id))
  return [...built.children, ...own.filter(({ id }) => !replaced.has(id))]
}

const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
