import { Fault } from '../../base/fault.ts'
import type { DataValue } from '../expression/data-type.ts'
import type { LiveContext, LocalNames } from './evaluate.ts'
import { evaluateTemplate, type LiveSource } from './live-template.ts'

/** Keys of effects whose texts may also have placeholders such as `{id.value}`; the effect fills both when it applies. */
const FILLED_LATER: ReadonlySet<string> = new Set(
  'name value description title file path text copy_to move_to clipboard toast log'.split(' '),
)
/** In these parts of an effect, too. */
const FILLED_PARTS: ReadonlySet<string> = new Set(['append', 'open', 'actions'])
const FILLED_IN_PARTS: ReadonlySet<string> = new Set(['name', 'value', 'title'])
/** These parts are evaluated when they apply, and the fields of an event when it is emitted. */
const APPLIED_LATER: ReadonlySet<string> = new Set(['set', 'when', 'with'])

/** The value with its live templates evaluated, or why one has no value. */
export type Resolved<T> = { readonly value: T } | { readonly message: string }

/**
 * Evaluates the live templates in a value and below it. Values without templates keep their identity.
 * @param locals Names of this place, such as `row`.
 */
export function resolveLive<T>(source: LiveSource, value: T, context: LiveContext, locals?: LocalNames): Resolved<T> {
  return catchFault(() => resolve(value, (text) => evaluateTemplate(source, text, context, { locals }).value, []))
}

/** Like `resolveLive`, but leaves the texts that an effect fills itself, and templates about one row. */
export function resolveEffect<T>(source: LiveSource, effect: T, context: LiveContext): Resolved<T> {
  return catchFault(() =>
    resolve(
      effect,
      (text, path) =>
        isFilledLater(path) || isAboutRow(source, text) ? text : evaluateTemplate(source, text, context).value,
      [],
    ),
  )
}

function isFilledLater(path: readonly string[]): boolean {
  const [first = ''] = path
  if (path.length === 1) return FILLED_LATER.has(first)
  return path.some((key) => APPLIED_LATER.has(key)) || (FILLED_PARTS.has(first) && FILLED_IN_PARTS.has(path.at(-1)!))
}

/** Whether a template can be evaluated only for one row. */
const isAboutRow = ({ scope, templates }: LiveSource, text: string): boolean =>
  /\brow\b/.test(text) &&
  (templates.get(text) ?? []).some(
    (segment) => segment.kind === 'expression' && 'message' in scope.compile(segment.text),
  )

function catchFault<T>(compute: () => T): Resolved<T> {
  try {
    return { value: compute() }
  } catch (error) {
    if (error instanceof Fault) return { message: error.message }
    throw error
  }
}

type EvaluateText = (text: string, path: readonly string[]) => DataValue

function resolve<T>(value: T, evaluate: EvaluateText, path: readonly string[]): T {
  if (typeof value === 'string') return (value.includes('{{') ? evaluate(value, path) : value) as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => resolve<unknown>(item, evaluate, path))
    return (items.every((item, index) => item === value[index]) ? value : items) as T
  }
  const entries = Object.entries(value)
  const changed = entries.map(([name, part]) => [name, resolve<unknown>(part, evaluate, [...path, name])] as const)
  return changed.every(([, part], index) => part === entries[index]![1]) ? value : (Object.fromEntries(changed) as T)
}
