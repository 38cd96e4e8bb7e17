import { didYouMean } from '../../base/text/suggest.ts'
import { shortened } from '../../base/text/to-text.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'
import { evaluatePartially, literalOf, type PartialExpression } from '../expression/partial.ts'
import { MAX_FILLED_CHARACTERS } from './expansion-budget.ts'
import { type Evaluator, hasName, type Names } from './names.ts'
import type { Segment } from './template.ts'

/** The names of the running scenario, which templates may use beside those that are known while it is composed. */
export interface LiveNames {
  /** Whether the file has variables, so that an unknown name may be meant as one. */
  readonly hasVariables: boolean
  readonly all: ReadonlySet<string>
  /** A name for a value that cannot be written out in an expression. */
  nameFor(value: DataValue): string
}

/** Computes what is known in an expression. An unknown name is a message if the expression depends on the running scenario. */
export function evaluatePart(text: string, names: Names, evaluator: Evaluator, live: LiveNames): PartialExpression {
  let unknown: string | undefined
  const result = evaluatePartially(text, {
    isKnown: (name) => names.values.has(name),
    expressionOf: (name) => names.expressions?.get(name),
    isLive: (name) => {
      const isLive = live.all.has(name)
      if (!isLive && !hasName(names, name)) unknown ??= name
      return isLive
    },
    evaluate: (part) => evaluator.evaluate(part, names),
    nameFor: live.nameFor,
  })
  const isReported = unknown !== undefined && (live.hasVariables || !('known' in result))
  return isReported && !('message' in result) ? { message: unknownName(unknown!, names, live) } : result
}

function unknownName(name: string, { values, expressions }: Names, { all }: LiveNames): string {
  const known = [...values.keys(), ...(expressions?.keys() ?? []), ...all]
  const hint = didYouMean(name, known) || `; the names here are ${known.join(', ')}`
  return `unknown name ${JSON.stringify(name)}${hint}`
}

/**
 * A text with templates, in which everything known is written out. Undefined if nothing in it depends on the running
 * scenario.
 */
export function liveText(
  segments: readonly Segment[],
  names: Names,
  evaluator: Evaluator,
  live: LiveNames,
): { readonly text: string } | { readonly message: string } | undefined {
  const parts = segments.map((segment) => ({
    segment,
    part: segment.kind === 'literal' ? { known: true as const } : evaluatePart(segment.text, names, evaluator, live),
  }))
  let text = ''
  for (const { segment, part } of parts)
    if ('message' in part) return { message: `in {{${shortened(segment.text)}}}: ${part.message}` }
  if (!parts.some(({ part }) => 'text' in part)) return undefined
  for (const { segment, part } of parts) {
    if ('text' in part) text += `{{ ${part.text} }}`
    else if (segment.kind === 'literal') text += segment.text
    else {
      const result = evaluator.evaluate(segment.text, names)
      if ('message' in result) return { message: `in {{${shortened(segment.text)}}}: ${result.message}` }
      const written = textOfValue(result.value)
      const length = text.length + written.length
      if (length > MAX_FILLED_CHARACTERS)
        return {
          message: `the template makes a text of ${length} characters; at most ${MAX_FILLED_CHARACTERS} are allowed`,
        }
      text += written.includes('{{') ? `{{ ${JSON.stringify(written)} }}` : written
    }
  }
  return { text }
}

/** An expression without braces, in which everything known is written out. */
export function liveExpression(
  text: string,
  names: Names,
  evaluator: Evaluator,
  live: LiveNames,
): { readonly text: string } | { readonly message: string } {
  const part = evaluatePart(text, names, evaluator, live)
  if (!('known' in part)) return part
  const result = evaluator.evaluate(text, names)
  // Parameters are known to the running scenario too, and it reports what is wrong.
  if ('message' in result) return { text }
  return { text: literalOf(result.value, result.isDecimal) ?? live.nameFor(result.value as DataValue) }
}
