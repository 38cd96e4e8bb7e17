import { Fault } from '../../base/fault.ts'
import type { Random } from '../../base/random.ts'
import { shortened } from '../../base/text/to-text.ts'
import { MAX_FILLED_CHARACTERS } from '../expand/expansion-budget.ts'
import { type Segment, splitTemplate } from '../expand/template.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'
import { dataSizeOf } from './data-size.ts'
import { evaluateLive, type LiveContext, type LocalNames } from './evaluate.ts'
import type { LiveScope } from './scope.ts'

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
export interface LiveSource {
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
