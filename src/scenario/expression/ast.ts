import type { ASTNode } from '@marcbachmann/cel-js'
import { REPLACEMENTS } from './functions.ts'

/** A call of a function or of a method. */
export type Call = ASTNode & { readonly op: 'call' | 'rcall' }

export const isCall = (node: ASTNode): node is Call => node.op === 'call' || node.op === 'rcall'

/** A node and all nodes below it. */
export function* nodesOf(node: ASTNode): Iterable<ASTNode> {
  yield node
  for (const part of operandsOf(node)) yield* nodesOf(part)
}

const knownOperands = new WeakMap<ASTNode, readonly ASTNode[]>()

/** The nodes directly below a node, found once for each: parsed texts are kept. */
export function operandsOf(node: ASTNode): readonly ASTNode[] {
  const known = knownOperands.get(node)
  if (known) return known
  const found = nodesIn(node.args)
  knownOperands.set(node, found)
  return found
}

/** The nodes in the arguments of a node, in their order. */
export function nodesIn(args: unknown): readonly ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(nodesIn)
  return typeof args === 'object' && args !== null && 'op' in args ? [args as ASTNode] : []
}

/** Macros whose last arguments run once per item, and whose first argument is a name. */
export const LOOPS = new Set(['map', 'filter', 'all', 'exists', 'exists_one'])
/** Macros whose argument is looked at and not run. */
const UNEVALUATED = new Set(['has'])

/** Nodes that are charged: calls, sums, the bodies of loops, and what is compared or passed to a call. */
function chargedNodes(node: ASTNode): readonly ASTNode[] {
  if (!isCall(node)) return ['==', '!=', 'in'].includes(node.op) ? operandsOf(node) : node.op === '+' ? [node] : []
  const [name] = node.args
  if (UNEVALUATED.has(name)) return []
  const operands = operandsOf(node)
  return [node, ...(node.op === 'rcall' && LOOPS.has(name) ? [operands[0]!, ...operands.slice(2)] : operands)]
}

/** The loops of an expression that are in no other, also those whose result another one runs over. */
function outerLoops(node: ASTNode): readonly ASTNode[] {
  const operands = operandsOf(node)
  if (node.op !== 'rcall' || !LOOPS.has(node.args[0])) return operands.flatMap(outerLoops)
  return [node, ...outerLoops(operands[0]!)]
}

interface Insertion {
  readonly at: number
  readonly text: string
  /** How many characters are replaced. */
  readonly over: number
  /** Orders insertions at the same place. */
  readonly rank: number
}

/**
 * Rewrites a parsed expression so that its evaluation is bounded: puts `charge(…)` around each operation that costs work,
 * or `keep(…)` around a loop, and calls our replacements of CEL's functions. Undefined when the name of a method cannot be
 * located in the text.
 */
export function instrument(text: string, ast: ASTNode): string | undefined {
  const nodes = [...nodesOf(ast)]
  const renames = nodes.flatMap((node) => renameOf(text, node))
  if (renames.includes(undefined)) return undefined
  const ranges = new Map(nodes.flatMap(chargedNodes).map((node) => [`${node.start}-${node.end}`, node]))
  const kept = new Set(outerLoops(ast))
  const charges = [...ranges.values()].flatMap((node) => [
    // Where several open, the longest comes first; where several close, the shortest, and all before the next opens.
    { at: node.start, text: kept.has(node) ? 'keep(' : 'charge(', over: 0, rank: text.length - node.end },
    { at: node.end, text: ')', over: 0, rank: -text.length - node.start - 1 },
  ])
  return insert(text, [...charges, ...renames.filter((rename) => rename !== undefined)])
}

function renameOf(text: string, node: ASTNode): readonly (Insertion | undefined)[] {
  if (node.op !== 'rcall' || !Object.hasOwn(REPLACEMENTS, node.args[0])) return []
  const [name, receiver] = node.args
  const found = /^[\s)]*\.\s*(?=\w)/.exec(text.slice(receiver.end))
  const at = receiver.end + (found?.[0].length ?? 0)
  if (!found || !text.startsWith(name, at)) return [undefined]
  return [{ at, text: `bounded${name[0]!.toUpperCase()}${name.slice(1)}`, over: name.length, rank: 0 }]
}

function insert(text: string, insertions: readonly Insertion[]): string {
  const sorted = [...insertions].sort((a, b) => a.at - b.at || a.rank - b.rank)
  let authored = ''
  let done = 0
  for (const { at, text: inserted, over } of sorted) {
    authored += text.slice(done, at) + inserted
    done = at + over
  }
  return authored + text.slice(done)
}

/** A condition `NAME.FIELD == VALUE` without which an expression cannot be true. */
export interface FieldEquality {
  readonly name: string
  readonly field: string
  /** The other side, which does not mention the name. */
  readonly value: string
}

/** The equalities that an expression joins by `&&`. */
export function equalitiesOf(ast: ASTNode, text: string): readonly FieldEquality[] {
  if (ast.op === '&&') return (ast.args as readonly ASTNode[]).flatMap((side) => equalitiesOf(side, text))
  if (ast.op !== '==') return []
  const [left, right] = ast.args as readonly [ASTNode, ASTNode]
  return [...equality(left, right, text), ...equality(right, left, text)]
}

function equality(side: ASTNode, other: ASTNode, text: string): readonly FieldEquality[] {
  if (side.op !== '.') return []
  const [record, field] = side.args as readonly [ASTNode, unknown]
  if (record.op !== 'id' || typeof field !== 'string') return []
  const name = record.args as string
  const isFixed = [...nodesOf(other)].every(({ op, args }) => op !== 'id' || args !== name)
  return isFixed ? [{ name, field, value: text.slice(other.start, other.end) }] : []
}
