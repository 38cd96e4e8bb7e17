import type { Random } from '../../base/random.ts'
import { shortened } from '../../base/text/to-text.ts'
import { dataSizeOf } from '../data/data-size.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'
import { type ExpansionBudget, spend } from './expansion-budget.ts'
import { type LiveNames, liveText } from './live-text.ts'
import type { Evaluator, Names } from './names.ts'
import { changeEntries, changeItems, nodeOf, type Report, type ScalarNode, type SourceNode } from './source-node.ts'
import { splitTemplate } from './template.ts'

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
