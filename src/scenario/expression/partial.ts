import { type ASTNode, ParseError, type SourceRange } from '@marcbachmann/cel-js'
import { isCall, LOOPS, nodesIn, operandsOf } from './ast.ts'
import type { DataValue } from './data-type.ts'
import { MAX_EXPRESSION_LENGTH, parseExpression } from './environment.ts'
import { SCREEN_FUNCTION_NAMES } from './functions.ts'

/** What the names of an expression stand for while a scenario is loaded. */
export interface PartialScope {
  /** Whether the value of a name is known. */
  isKnown(name: string): boolean
  /** The expression that a name stands for, when its value is known only in the running scenario. */
  expressionOf(name: string): string | undefined
  /** Whether a name that is not known belongs to the running scenario. */
  isLive(name: string): boolean
  /** Computes an expression of known names. */
  evaluate(
    text: string,
  ): { readonly value: DataValue | Date; readonly isDecimal: boolean } | { readonly message: string }
  /** A name for a value that cannot be written out, such as a list. */
  nameFor(value: DataValue): string
}

/**
 * An expression of which everything known is written out, so that it depends on the running scenario only. `known`: it
 * does not depend on the running scenario.
 */
export type PartialExpression = { readonly known: true } | { readonly text: string } | { readonly message: string }

/** Computes the known parts of an expression. An invalid expression counts as known: evaluating it reports the problem. */
export function evaluatePartially(text: string, scope: PartialScope): PartialExpression {
  if (text.length > MAX_EXPRESSION_LENGTH) return { known: true }
  try {
    const root = parseExpression(text)
    const { isLive, isOnlyLive } = namesStandFor(outlineOf(root), scope)
    if (!isLive) return { known: true }
    if (isOnlyLive) return { text: text.trim() }
    const facts = new Map<ASTNode, Facts>()
    factsOf(root, new Set(), scope, facts)
    return rewritten(text, root, scope, facts)
  } catch (error) {
    if (error instanceof ParseError) return { known: true }
    throw error
  }
}

/** What an expression mentions, whatever its names stand for. */
interface Outline {
  /** The names that are no variables of its loops, in their order. */
  readonly names: readonly string[]
  readonly readsScreen: boolean
}

const outlines = new WeakMap<ASTNode, Outline>()

/** The outline of a parsed expression, found once for each. */
function outlineOf(root: ASTNode): Outline {
  const known = outlines.get(root)
  if (known) return known
  const names: string[] = []
  let readsScreen = false
  const visit = (node: ASTNode, bound: ReadonlySet<string>): void => {
    const loop = loopOf(node)
    if (node.op === 'id') {
      if (!bound.has(node.args)) names.push(node.args)
    } else if (loop) {
      visit(loop.list, bound)
      const inner = new Set([...bound, loop.variable])
      for (const part of loop.body) visit(part, inner)
    } else {
      readsScreen ||= node.op === 'call' && SCREEN_FUNCTION_NAMES.has(node.args[0])
      for (const part of operandsOf(node)) visit(part, bound)
    }
  }
  visit(root, new Set())
  const outline = { names, readsScreen }
  outlines.set(root, outline)
  return outline
}

/** Whether an expression depends on the running scenario, and whether nothing in it is to be written out. */
function namesStandFor(
  { names, readsScreen }: Outline,
  scope: PartialScope,
): { readonly isLive: boolean; readonly isOnlyLive: boolean } {
  let isLive = readsScreen
  let isOnlyLive = true
  for (const name of names) {
    if (scope.expressionOf(name) !== undefined) isLive = true
    else if (!scope.isKnown(name)) {
      isLive = scope.isLive(name) || isLive
      continue
    }
    isOnlyLive = false
  }
  return { isLive, isOnlyLive }
}

interface Facts {
  readonly isLive: boolean
  readonly isKnown: boolean
  /** Variables of loops that the node mentions. */
  readonly locals: ReadonlySet<string>
  /** Whether it draws from the seed. */
  readonly draws: boolean
}

const NOTHING: Facts = { isLive: false, isKnown: false, locals: new Set(), draws: false }
const DRAWING = new Set(['pick', 'between', 'chance', 'shuffle'])

function factsOf(node: ASTNode, bound: ReadonlySet<string>, scope: PartialScope, all: Map<ASTNode, Facts>): Facts {
  const facts = compute()
  all.set(node, facts)
  return facts

  function compute(): Facts {
    if (node.op === 'id') {
      const name = node.args
      if (bound.has(name)) return { ...NOTHING, locals: new Set([name]) }
      if (scope.expressionOf(name) !== undefined) return { ...NOTHING, isLive: true }
      return scope.isKnown(name) ? { ...NOTHING, isKnown: true } : { ...NOTHING, isLive: scope.isLive(name) }
    }
    const loop = loopOf(node)
    if (loop) {
      const outer = factsOf(loop.list, bound, scope, all)
      const inner = new Set([...bound, loop.variable])
      const body = together(loop.body.map((part) => factsOf(part, inner, scope, all)))
      const locals = [...body.locals].filter((name) => name !== loop.variable || bound.has(name))
      return together([outer, { ...body, locals: new Set(locals) }])
    }
    const parts = together(operandsOf(node).map((part) => factsOf(part, bound, scope, all)))
    const name = isCall(node) ? node.args[0] : ''
    return {
      ...parts,
      isLive: parts.isLive || (node.op === 'call' && SCREEN_FUNCTION_NAMES.has(name)),
      draws: parts.draws || DRAWING.has(name),
    }
  }
}

const together = (parts: readonly Facts[]): Facts => ({
  isLive: parts.some(({ isLive }) => isLive),
  isKnown: parts.some(({ isKnown }) => isKnown),
  locals: new Set(parts.flatMap(({ locals }) => [...locals])),
  draws: parts.some(({ draws }) => draws),
})

interface Loop {
  readonly list: ASTNode
  readonly variable: string
  readonly body: readonly ASTNode[]
}

function loopOf(node: ASTNode): Loop | undefined {
  if (node.op !== 'rcall' || !LOOPS.has(node.args[0])) return undefined
  const [, list, given] = node.args
  const [variable, ...body] = nodesIn(given)
  return variable?.op === 'id' ? { list, variable: variable.args, body } : undefined
}

interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

function rewritten(
  text: string,
  root: ASTNode,
  scope: PartialScope,
  facts: ReadonlyMap<ASTNode, Facts>,
): PartialExpression {
  const replacements: Replacement[] = []
  let problem: string | undefined
  visit(root)
  if (problem !== undefined) return { message: problem }
  const length = replacements.reduce((sum, part) => sum + part.text.length - (part.end - part.start), text.length)
  if (length > MAX_EXPRESSION_LENGTH)
    return {
      message: `the expression has ${length} characters with its values written out; at most ${MAX_EXPRESSION_LENGTH} are allowed`,
    }
  let authored = ''
  let done = 0
  for (const { start, end, text: replacement } of replacements) {
    authored += text.slice(done, start) + replacement
    done = end
  }
  return { text: (authored + text.slice(done)).trim() }

  function visit(node: ASTNode): void {
    const known = facts.get(node)
    if (known && (known.isKnown || known.isLive)) {
      const bound = known.locals.size > 0 || known.draws
      const expression = node.op === 'id' && known.isLive ? scope.expressionOf(node.args) : undefined
      if (expression !== undefined)
        replacements.push({ ...node.range, text: /^\w+$/.test(expression) ? expression : `(${expression})` })
      else if (known.isLive || bound || !fold(node)) for (const part of operandsOf(node)) visit(part)
    }
  }

  /** Replaces a node by its value. False when its text cannot be cut out of the expression. */
  function fold(node: ASTNode): boolean {
    const range = node.op === 'id' ? node.range : wholeRange(text, node.range)
    if (!range) return false
    const result = scope.evaluate(text.slice(range.start, range.end))
    if ('message' in result) problem ??= result.message
    else {
      const literal = literalOf(result.value, result.isDecimal) ?? scope.nameFor(result.value as DataValue)
      replacements.push({ ...range, text: literal })
    }
    return true
  }
}

/** The range of a node with all parentheses that it opens or closes. Undefined when these are not found. */
function wholeRange(text: string, { start, end }: SourceRange): SourceRange | undefined {
  let open = 0
  let missing = 0
  for (let at = start; at < end; at++) {
    const character = text[at]!
    if (character === '"' || character === "'") {
      for (at++; at < end && text[at] !== character; at++) if (text[at] === '\\') at++
    } else if (character === '(') open++
    else if (character === ')') {
      if (open > 0) open--
      else missing++
    }
  }
  let from = start
  for (; missing > 0; missing--) {
    from = text.slice(0, from).trimEnd().length - 1
    if (text[from] !== '(') return undefined
  }
  let to = end
  for (; open > 0; open--) {
    to += text.slice(to).search(/\S/)
    if (text[to++] !== ')') return undefined
  }
  return { start: from, end: to }
}

/** A value as it is written in an expression. Undefined for lists and records. */
export function literalOf(value: DataValue | Date, isDecimal: boolean): string | undefined {
  if (value instanceof Date) return `timestamp(${JSON.stringify(value.toISOString())})`
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'number') return undefined
  const digits = isDecimal && Number.isInteger(value) ? `${value}.0` : String(value)
  return /^\d+(\.\d+)?$/.test(digits) ? digits : /^-\d+(\.\d+)?$/.test(digits) ? `(${digits})` : undefined
}
