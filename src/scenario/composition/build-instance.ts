import { Fault } from '../../base/fault.ts'
import { type Element, withFields } from '../../desktop/model/element.ts'
import { roleKind } from '../../desktop/model/role.ts'
import { buildElement } from '../build-window.ts'
import { fieldOf, valueAtPlace } from '../data/data-change.ts'
import type { LiveContext, LocalNames } from '../data/scope.ts'
import type { DataValue } from '../expression/data-type.ts'
import { shownChoice, textOfInput } from '../live/bind-input.ts'
import { type ElementTemplate, type FieldTemplate, type PlaceTemplate, SHOWN_FIELDS } from '../live/live-program.ts'
import { evaluateTemplate } from '../live/live-template.ts'
import { fieldValue, misfitOfField } from '../live/prepare-live.ts'
import type { AuthoredElement } from '../schema/element.ts'
import { addressOf } from '../sites/sites.ts'
import type { Around, RefreshWork } from './refresh-work.ts'

/** The element of a template, with its fields as the data have them. */

/** The element of a template with its fields, without the instances below it. */
export function builtInstance(template: ElementTemplate, id: string, around: Around, work: RefreshWork): Element {
  const fields: Record<string, unknown> = { ...template.fixed, id }
  const context = around.item === undefined ? work.context : work.contextNear(work.uid, [around.item])
  const locals: LocalNames = { types: template.locals, values: around.locals }
  for (const field of template.fields) {
    const value = liveFieldValue(field, context, locals, work)
    if (value !== undefined) fields[field.key] = value
  }
  const { bind } = template
  const { choices } = template.fixed
  const value = bind && boundValue(bind, around, work)
  if (bind && bind.field !== 'item' && value !== undefined)
    fields[bind.field] = bind.field === 'value' ? shownChoice(choices, textOfInput(value)) : value
  else if (choices && typeof fields.name === 'string') fields.name = shownChoice(choices, fields.name)
  const bounds = template.window === undefined ? undefined : work.bounds
  return withAddress(buildElement(fields as AuthoredElement, id, bounds, work.desktop), context)
}

/** A link on a page of the browser has its whole address as its value. */
function withAddress(element: Element, { data }: LiveContext): Element {
  const { href } = element.traits ?? {}
  if (href === undefined || element.value !== null || roleKind(element.role) !== 'link') return element
  const { url } = (data.browser ?? {}) as { readonly url?: string }
  const address = addressOf(href, url === '' ? undefined : url)
  return address ? withFields(element, { value: address.href }) : element
}

/** The value of a field that shows the data. Undefined if it has none, which is noted. */
export function liveFieldValue(
  { key, text, isText }: FieldTemplate,
  context: LiveContext,
  locals: LocalNames,
  { program, notes }: RefreshWork,
): DataValue | undefined {
  try {
    const value = fieldValue(evaluateTemplate(program, text, context, { locals }).value, isText)
    const wrong = misfitOfField(key, value)
    const { formatText } = program
    if (wrong === undefined)
      return formatText && typeof value === 'string' && SHOWN_FIELDS.has(key) ? formatText(value) : value
    notes.push(wrong)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    notes.push(`${key}: ${error.message}`)
  }
  return undefined
}

function boundValue(bind: PlaceTemplate, around: Around, { context }: RefreshWork): DataValue | undefined {
  if (!bind.isItem) return valueAtPlace(context.data, { var: [bind.root, ...bind.fields].join('.'), at: [] })
  let value = around.locals[bind.root] as DataValue
  for (const field of bind.fields) value = fieldOf(value, field)
  return value
}
