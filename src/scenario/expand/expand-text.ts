import type { Random } from '../../base/random.ts'
import { didYouMean, shortened } from '../../base/strings.ts'
import { dataSizeOf } from '../data/run-data.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'
import { evaluatePartially, literalOf, type PartialExpression } from '../expression/partial.ts'
import {
  changeEntries,
  changeItems,
  nodeOf,
  type Report,
  type ScalarNode,
  type SourceNode,
} from '../source/source-node.ts'
import { type ExpansionBudget, MAX_FILLED_CHARACTERS, type Segment, spend, splitTemplate } from '../source/template.ts'
import { type Evaluator, hasName, type Names } from './names.ts'

/** What expanding a file works with. */
export interface Expansion {
  readonly evaluator: Evaluator
  readonly report: Report
  readonly budget: ExpansionBudget
  /** For expressions that draw; left out, they are refused. */
  readonly random?: Random
  /** The names of the running scenario. Left out, every expression must have a value now. */
  readonly live?: LiveNames
}

/** The expansion of a part that must be known before the scenario runs. */
export function withoutLive({ live: _, ...expansion }: Expansion): Expansion {
  return expansion
}

/** A node whose templates are filled, and the generator after the draws. */
export interface Filled {
  readonly node: SourceNode
  readonly random: Random | undefined
}

/** Fills the templates in a node and below it. */
export function evaluateNode(node: SourceNode, names: Names, expansion: Expansion): Filled {
  if (node.kind === 'scalar') return fillScalar(node, names, expansion)
  let { random } = expansion
  const fill = (part: SourceNode) => {
    const filled = evaluateNode(part, names, random ? { ...expansion, random } : expansion)
    random = filled.random
    return filled.node
  }
  const filled =
    node.kind === 'list'
      ? changeItems(node, (item) => [fill(item)])
      : changeEntries(node, (_, entry) => fill(entry.node))
  return { node: filled, random }
}

/**
 * A text that is one expression becomes its value; in a longer text each expression is replaced by what it says. Templates
 * that depend on the running scenario stay.
 */
export function fillScalar(
  node: ScalarNode,
  names: Names,
  { evaluator, report, budget, random, live }: Expansion,
): Filled {
  if (typeof node.value !== 'string' || !node.value.includes('{{')) return { node, random }
  const segments = splitTemplate(node.value)
  if ('message' in segments) {
    report(node.place, segments.message)
    return { node, random }
  }
  const later = live && liveText(segments, names, evaluator, live)
  if (later) {
    if ('message' in later) report(node.place, later.message)
    const isMade = 'text' in later && spend(budget, { characters: later.text.length }, node.place, report)
    return { node: isMade ? { ...node, value: later.text, live: true } : node, random }
  }
  let current = random
  const values: DataValue[] = []
  let isDecimal = false
  for (const segment of segments) {
    if (segment.kind === 'literal') {
      values.push(segment.text)
      continue
    }
    const result = evaluator.evaluate(segment.text, names, current)
    if ('message' in result) {
      report(node.place, `in {{${shortened(segment.text)}}}: ${result.message}`)
      return { node, random }
    }
    current = result.random ?? current
    isDecimal = result.isDecimal
    values.push(result.value instanceof Date ? textOfValue(result.value) : result.value)
  }
  // Counted before they are joined: many parts of a long text would not fit into memory.
  const size = { values: 0, characters: 0 }
  for (const value of values) {
    const { values: parts, characters } = dataSizeOf(value)
    size.values += parts
    size.characters += characters
  }
  if (!spend(budget, size, node.place, report)) return { node, random: current }
  const value = values.length === 1 ? values[0]! : values.map(textOfValue).join('')
  const filled = nodeOf(value, node.place)
  const isWhole = isDecimal && filled.kind === 'scalar' && typeof filled.value === 'number'
  return { node: isWhole ? { ...filled, isDecimal: true } : filled, random: current }
}

/** The names of the running scenario, which templates may use beside those that are known while it is composed. */
interface LiveNames {
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
function liveText(
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
      const authored = textOfValue(result.value)
      const length = text.length + authored.length
      if (length > MAX_FILLED_CHARACTERS)
        return {
          message: `the template makes a text of ${length} characters; at most ${MAX_FILLED_CHARACTERS} are allowed`,
        }
      text += authored.includes('{{') ? `{{ ${JSON.stringify(authored)} }}` : authored
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
