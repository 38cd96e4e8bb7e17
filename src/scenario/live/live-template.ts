import { Fault } from '../../base/fault.ts'
import type { Random } from '../../base/random.ts'
import { shortened } from '../../base/strings.ts'
import { dataSizeOf } from '../data/run-data.ts'
import { evaluateLive, type LiveContext, type LiveScope, type LocalNames } from '../data/scope.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'
import { MAX_FILLED_CHARACTERS, type Segment, splitTemplate } from '../source/template.ts'

/** The texts of a scenario that hold live templates, split at their braces. In other texts `{{` is text. */
export type LiveTemplates = ReadonlyMap<string, readonly Segment[]>

/** Splits the texts with live templates of a scenario. They are valid, since the file was expanded. */
export function liveTemplatesOf(texts: Iterable<string>): LiveTemplates {
  const templates = new Map<string, readonly Segment[]>()
  for (const text of texts) {
    const segments = splitTemplate(text)
    if (!('message' in segments)) templates.set(text, segments)
  }
  return templates
}

/** What live templates are evaluated with. */
interface LiveSource {
  readonly scope: LiveScope
  readonly templates: LiveTemplates
}

/** A value, and the generator after the draws. */
export interface LiveValue {
  readonly value: DataValue
  readonly random: Random | undefined
}

/**
 * The value of a text: of its expression when it is one, otherwise a text with each expression replaced. A text without a
 * live template is its own value.
 * @param fillText What happens with the text between expressions.
 * @throws `BadRequest` when an expression has no value.
 */
export function evaluateTemplate(
  { scope, templates }: LiveSource,
  text: string,
  context: LiveContext,
  { locals, random, fillText = (literal) => literal }: TemplateOptions = {},
): LiveValue {
  const segments = templates.get(text)
  if (!segments) return { value: fillText(text), random }
  let current = random
  const values = segments.map((segment) => {
    if (segment.kind === 'literal') return fillText(segment.text)
    const result = evaluateLive(scope, segment.text, context, locals, current)
    if ('message' in result) throw new Fault('BadRequest', `in {{${shortened(segment.text)}}}: ${result.message}`)
    current = result.random
    return result.value instanceof Date ? textOfValue(result.value) : result.value
  })
  if (values.length === 1) return { value: values[0]!, random: current }
  const length = values.reduce<number>((sum, value) => sum + dataSizeOf(value).characters, 0)
  if (length > MAX_FILLED_CHARACTERS)
    throw new Fault(
      'BadRequest',
      `the template makes a text of ${length} characters; at most ${MAX_FILLED_CHARACTERS} are allowed`,
    )
  return { value: values.map(textOfValue).join(''), random: current }
}

export interface TemplateOptions {
  readonly locals?: LocalNames | undefined
  readonly random?: Random | undefined
  readonly fillText?: (literal: string) => string
}

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
