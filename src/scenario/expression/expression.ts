import {
  type ASTNode,
  EvaluationError,
  ParseError,
  type SourceRange,
  TypeError as TypeProblem,
} from '@marcbachmann/cel-js'
import { Fault } from '../../base/fault.ts'
import { LruCache } from '../../base/lru-cache.ts'
import type { Random } from '../../base/random.ts'
import { didYouMean, shortened } from '../../base/strings.ts'
import { equalitiesOf, type FieldEquality, instrument, isCall, nodesIn, nodesOf, operandsOf } from './ast.ts'
import { openBudget } from './budget.ts'
import { fromCel, toCel } from './cel-value.ts'
import { ANY, type DataType, type DataValue } from './data-type.ts'
import {
  createCelEnvironment,
  type ExpressionEnvironment,
  MAX_EXPRESSION_LENGTH,
  type NameTypes,
  parseExpression,
} from './environment.ts'
import { type EvaluationContext, SCREEN_FUNCTION_NAMES, type ScreenReader } from './functions.ts'

/** The values of the names of a scope. Times are dates. */
export type Values = Readonly<Record<string, DataValue | Date>>

/** An expression that was parsed and type-checked. */
export interface Expression {
  readonly text: string
  readonly type: DataType
  /** The names of the scope that it mentions. */
  readonly names: ReadonlySet<string>
  /** The functions that it calls, without methods. */
  readonly calls: ReadonlySet<string>
  /** What it reads of the screen under names that are written out. */
  readonly reads: readonly ScreenRead[]
  /** The fields that it reads of names of the scope, such as `event.row.total`. */
  readonly fields: ReadonlySet<string>
  /** The texts that it compares with a name or a field, such as `state == "done"`. */
  readonly comparisons: readonly TextComparison[]
  /** Equalities without which it is not true. */
  readonly equalities: readonly FieldEquality[]
  /**
   * Runs the expression.
   * @param random The generator that `pick`, `between`, `chance` and `shuffle` draw from. Left out, they throw.
   * @param screen What functions such as `value` read. Left out, they throw.
   * @returns The value, and the generator after the draws.
   * @throws `BadRequest` when the value cannot be computed or takes too much work.
   */
  evaluate(values: Values, random?: Random, screen?: ScreenReader): Evaluated
}

/** A call of a function that reads the screen, such as `value("note")`. */
export interface ScreenRead {
  readonly function: string
  readonly argument: string
}

/** A name or the path of a field, and a text that is compared with it. */
export interface TextComparison {
  readonly path: string
  readonly text: string
}

/** The result of an expression. */
export interface Evaluated {
  readonly value: DataValue | Date
  readonly random: Random | undefined
}

/** Why an expression cannot be used, and where: offsets in its text. */
export interface ExpressionProblem {
  readonly message: string
  readonly start: number
  readonly end: number
}

/** Compiles expressions over one scope. */
export interface ExpressionCompiler {
  /** @returns The expression, or the first problem of its text. */
  compile(text: string): Expression | ExpressionProblem
}

export const isProblem = (compiled: Expression | ExpressionProblem): compiled is ExpressionProblem =>
  'message' in compiled

/** Functions of CEL that are left out. */
const REFUSED: Readonly<Record<string, string>> = { bind: 'write the value out where it is used' }

/**
 * Prepares a compiler for expressions over the names of a scope.
 * @param happenings The names that calls of `happened` may have. Any by default.
 */
export function createCompiler(scope: NameTypes, happenings?: readonly string[]): ExpressionCompiler {
  const runtime: EvaluationContext = { budget: openBudget().budget, random: undefined, values: {} }
  const environment = createCelEnvironment(scope, runtime)
  return { compile: (text) => compile(text, { scope, happenings, environment, runtime }) }
}

/**
 * The name and the fields of the list that an expression selects items of: `orders`, `form.lines`, or a filter or the first items
 * of one. Undefined for what is computed.
 */
export function selectedPath(text: string): { readonly root: string; readonly fields: readonly string[] } | undefined {
  return pathOfNode(parseExpression(text))
}

/** The names that an expression mentions, also those of its loops. None if it is no expression. */
export function namesMentioned(text: string): ReadonlySet<string> {
  try {
    return new Set([...nodesOf(parseExpression(text))].flatMap(({ op, args }) => (op === 'id' ? [args] : [])))
  } catch (error) {
    if (error instanceof ParseError) return new Set()
    throw error
  }
}

/** Functions that return some of the items of their first argument. */
const SELECTING: ReadonlySet<string> = new Set(['take', 'search'])

function pathOfNode(node: ASTNode): ReturnType<typeof selectedPath> {
  if (node.op === 'id') return { root: node.args, fields: [] }
  if (node.op === '.') {
    const [record, field] = node.args as readonly [ASTNode, unknown]
    const path = pathOfNode(record)
    return path && typeof field === 'string' ? { ...path, fields: [...path.fields, field] } : undefined
  }
  if (node.op === 'call' && SELECTING.has(node.args[0])) return pathOfNode(nodesIn(node.args[1])[0]!)
  return node.op === 'rcall' && node.args[0] === 'filter' ? pathOfNode(node.args[1]) : undefined
}

const MAX_COMPILERS = 200
/** The most compiled expressions that are kept for one set of types. */
const MAX_EXPRESSIONS = 10_000
/** The most sets of names that have a number. */
const MAX_NUMBERS = 10_000

/** Names with their types, and a number that only the same names with the same types have. */
export interface NumberedNames {
  readonly number: number
  types(): NameTypes
}

/** Compilers by the types of their names. Each compiles a text once, so that the seeds of a file share the work. */
export class CompilerCache {
  readonly #compilers = new LruCache<number, ExpressionCompiler>(MAX_COMPILERS)
  readonly #numbers = new Map<string, number>()
  #last = 0

  /** Names that extend no others. */
  names(types: NameTypes): NumberedNames {
    return { number: this.#numberOf(textOfTypes(types)), types: () => types }
  }

  /** Names with others over them. Their number is found without a look at the first ones, which may be many. */
  extended(names: NumberedNames, added: NameTypes): NumberedNames {
    return {
      number: this.#numberOf(`${names.number} ${textOfTypes(added)}`),
      types: () => ({ ...names.types(), ...added }),
    }
  }

  /** @param happenings As in `createCompiler`. */
  compilerFor({ number, types }: NumberedNames, happenings?: readonly string[]): ExpressionCompiler {
    const key = happenings ? this.#numberOf(`${number} ${JSON.stringify(happenings)}`) : number
    return this.#compilers.get(key) ?? this.#compilers.keep(key, compileOnce(createCompiler(types(), happenings)))
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    if (this.#numbers.size >= MAX_NUMBERS) this.#numbers.clear()
    this.#numbers.set(text, ++this.#last)
    return this.#last
  }
}

const typeTexts = new WeakMap<NameTypes, string>()

/** Names and their types as a text, which is made once for the same object. */
export function textOfTypes(types: NameTypes): string {
  const text = typeTexts.get(types) ?? JSON.stringify(types)
  typeTexts.set(types, text)
  return text
}

/** A compiler that compiles each text once. */
function compileOnce(compiler: ExpressionCompiler): ExpressionCompiler {
  const known = new LruCache<string, ReturnType<ExpressionCompiler['compile']>>(MAX_EXPRESSIONS)
  return { compile: (text) => known.get(text) ?? known.keep(text, compiler.compile(text)) }
}

interface Compilation {
  readonly scope: NameTypes
  readonly happenings: readonly string[] | undefined
  readonly environment: ExpressionEnvironment
  readonly runtime: EvaluationContext
}

function compile(text: string, compilation: Compilation): Expression | ExpressionProblem {
  const all = { start: 0, end: text.length }
  if (text.length > MAX_EXPRESSION_LENGTH)
    return {
      message: `the expression has ${text.length} characters; at most ${MAX_EXPRESSION_LENGTH} are allowed`,
      ...all,
    }
  const { scope, environment, happenings } = compilation
  try {
    const { ast } = environment.cel.parse(text)
    const missing = missingFunction(ast, environment)
    if (missing) return missing
    const unknown = happenings && unknownHappening(ast, happenings)
    if (unknown) return unknown
    const checked = environment.cel.check(text)
    if (checked.error) return problemOf(checked.error, scope, text)
    const type = environment.dataTypeOf(checked.type ?? 'dyn')
    if (!type) return { message: `the expression gives a ${checked.type}, which is not a value`, ...all }
    const unsearchable = unknownSearchField(ast, text, environment)
    if (unsearchable) return unsearchable
    const bounded = instrument(text, ast)
    if (bounded === undefined) return { message: 'a comment may not stand before the name of a method', ...all }
    const nodes = [...nodesOf(ast)]
    const calls = new Set(nodes.flatMap(({ op, args }) => (op === 'call' ? [args[0]] : [])))
    const names = nodes.flatMap(({ op, args }) => (op === 'id' && Object.hasOwn(scope, args) ? [args] : []))
    return {
      text,
      type,
      names: new Set(names),
      calls,
      reads: nodes.flatMap(screenReadOf),
      fields: new Set(nodes.flatMap((node) => fieldPathOf(node) ?? [])),
      comparisons: nodes.flatMap(comparisonsOf),
      equalities: equalitiesOf(ast, text),
      evaluate: evaluator(text, bounded, new Set(names), compilation),
    }
  } catch (thrown) {
    if (thrown instanceof ParseError) {
      const problem = problemOf(thrown, scope, text)
      return { ...problem, message: `${problem.message}${hintOf(text)}` }
    }
    if (thrown instanceof TypeProblem) return problemOf(thrown, scope, text)
    throw thrown
  }
}

/** Operators of other languages, and what they are here. */
const OPERATORS: readonly (readonly [found: RegExp, hint: string])[] = [
  [/(?:^|[^=!<>])=(?:[^=]|$)/, 'write == to compare'],
  [/\band\b/, 'write && for and'],
  [/\bor\b/, 'write || for or'],
  [/\bnot\b/, 'write ! for not'],
]

/** What may be meant by an expression that does not parse. Empty if nothing is known. */
function hintOf(text: string): string {
  const bare = text.replace(/"[^"]*"|'[^']*'/g, '""')
  const [, hint] = OPERATORS.find(([found]) => found.test(bare)) ?? []
  return hint === undefined ? '' : `; ${hint}`
}

/** Functions of other languages, and those that do the same here. */
const OTHER_FUNCTIONS: Readonly<Record<string, string>> = {
  len: 'size(…)',
  length: 'size(…)',
  str: 'string(…)',
  includes: 'LIST.exists(item, …) or TEXT.contains(…)',
  toLowerCase: 'lower()',
  toUpperCase: 'upper()',
}

/** The first call of a function that does not exist or that is left out. */
function missingFunction(ast: ASTNode, { functions }: ExpressionEnvironment): ExpressionProblem | undefined {
  for (const { args, start, end } of [...nodesOf(ast)].filter(isCall)) {
    const [name] = args
    if (Object.hasOwn(REFUSED, name)) return { message: `${name} is not available; ${REFUSED[name]}`, start, end }
    if (!functions.has(name)) {
      const other = Object.hasOwn(OTHER_FUNCTIONS, name) ? `; write ${OTHER_FUNCTIONS[name]}` : undefined
      const hint = other ?? didYouMean(name, functions)
      return { message: `unknown function ${JSON.stringify(name)}${hint}`, start, end }
    }
  }
  return undefined
}

/** The first `happened("name")` of what cannot happen. */
function unknownHappening(ast: ASTNode, happenings: readonly string[]): ExpressionProblem | undefined {
  for (const { args } of [...nodesOf(ast)].filter(isCall)) {
    const [name, operands] = args
    const [operand] = name === 'happened' ? nodesIn(operands) : []
    if (operand?.op !== 'value' || typeof operand.args !== 'string' || happenings.includes(operand.args)) continue
    const hint = didYouMean(operand.args, happenings)
    const listed = happenings.length === 0 ? '; there are none' : `; there are ${happenings.join(', ')}`
    const message = `there is no event, reaction or timer ${JSON.stringify(operand.args)}${hint || listed}`
    return { message, start: operand.start, end: operand.end }
  }
  return undefined
}

/** The first field in a call of `search` that its records do not have. */
function unknownSearchField(
  ast: ASTNode,
  text: string,
  { cel, dataTypeOf }: ExpressionEnvironment,
): ExpressionProblem | undefined {
  for (const { args } of [...nodesOf(ast)].filter(isCall)) {
    const [name, operands] = args
    if (name !== 'search') continue
    const [records, , ...others] = nodesIn(operands)
    // The type of a list that depends on the name of a loop is not known here.
    const type = dataTypeOf(cel.check(text.slice(records!.start, records!.end)).type ?? 'dyn')
    if (type?.kind !== 'list' || type.items.kind !== 'record') continue
    const known = Object.keys(type.items.fields)
    for (const { op, args: value, start, end } of others.flatMap((each) =>
      each.op === 'list' ? operandsOf(each) : each,
    ))
      if (op === 'value' && typeof value === 'string' && !known.includes(value))
        return { message: unknown('field', value, known), start, end }
  }
  return undefined
}

function screenReadOf({ op, args }: ASTNode): readonly ScreenRead[] {
  if (op !== 'call' || !SCREEN_FUNCTION_NAMES.has(args[0])) return []
  const [operand] = nodesIn(args[1])
  return operand?.op === 'value' && typeof operand.args === 'string'
    ? [{ function: args[0], argument: operand.args }]
    : []
}

/** The path of a field of a name, such as `event.row.total` for `event.row["total"]`. Undefined for other nodes. */
function fieldPathOf({ op, args }: ASTNode): string | undefined {
  if (op !== '.' && op !== '[]') return undefined
  const [of, field] = args
  const name = typeof field === 'string' ? field : field.op === 'value' ? field.args : undefined
  const parent = of.op === 'id' ? of.args : fieldPathOf(of)
  return typeof name === 'string' && parent !== undefined ? `${parent}.${name}` : undefined
}

function comparisonsOf(node: ASTNode): readonly TextComparison[] {
  if (!['==', '!=', 'in'].includes(node.op)) return []
  const operands = operandsOf(node)
  const path = operands
    .map((each) => (each.op === 'id' ? each.args : fieldPathOf(each)))
    .find((each) => each !== undefined)
  if (path === undefined) return []
  return operands
    .flatMap((each) => (each.op === 'list' ? operandsOf(each) : [each]))
    .flatMap(({ op, args }) => (op === 'value' && typeof args === 'string' ? [{ path, text: args }] : []))
}

function evaluator(
  text: string,
  bounded: string,
  names: ReadonlySet<string>,
  { scope, environment, runtime }: Compilation,
): Expression['evaluate'] {
  const run = environment.cel.parse(bounded)
  return (values, random, screen) => {
    const { budget, close } = openBudget()
    runtime.budget = budget
    runtime.random = random
    runtime.screen = screen
    const needed: Record<string, unknown> = {}
    for (const name of names) {
      const value = values[name] ?? null
      needed[name] = value instanceof Date ? value : toCel(value, scope[name] ?? ANY, environment.classOf)
    }
    runtime.values = needed
    try {
      return { value: fromCel(run(needed)), random: runtime.random }
    } catch (thrown) {
      throw faultOf(thrown, text)
    } finally {
      close()
    }
  }
}

function faultOf(thrown: unknown, text: string): unknown {
  const cause = thrown instanceof EvaluationError && thrown.cause instanceof Fault ? thrown.cause : thrown
  if (cause instanceof Fault) return cause
  if (!(cause instanceof EvaluationError) && !(cause instanceof RangeError)) return thrown
  return new Fault(
    'BadRequest',
    `the expression ${JSON.stringify(shortened(text))} has no value: ${firstLine(cause.message)}`,
  )
}

const firstLine = (text: string): string => text.split('\n')[0]!

function problemOf(error: Error & { readonly range?: SourceRange }, scope: NameTypes, text: string): ExpressionProblem {
  const { start, end } = error.range ?? { start: 0, end: text.length }
  return { message: messageOf(firstLine(error.message), scope), start, end }
}

function messageOf(message: string, scope: NameTypes): string {
  const [, name] = /^Unknown variable: (\S+)/.exec(message) ?? []
  if (name !== undefined) return unknown('name', name, Object.keys(scope))
  const [, field] = /^No such key: (\S+)/.exec(message) ?? []
  if (field !== undefined) return unknown('field', field, [...fieldsIn(Object.values(scope))])
  const [, call] = /^found no matching overload for '(.*)'$/.exec(message) ?? []
  if (call !== undefined) return `no function takes these arguments: ${call}`
  const [, operator, left, right] = /^No such overload: (\S+) (\S+) (\S+)$/i.exec(swapped(message)) ?? []
  if (operator === '+' && [left, right].includes('string'))
    return `+ joins two texts; write string(…) around the ${left === 'string' ? right : left}`
  return message.replace(/\brecord\d+\b/g, 'record').replace(/^[A-Z]/, (first) => first.toLowerCase())
}

/** `No such overload: int + string` with the operator first. */
const swapped = (message: string): string => message.replace(/: (\S+) (\S+) (\S+)$/, ': $2 $1 $3')

function unknown(kind: string, name: string, known: readonly string[]): string {
  const list = known.length === 0 ? `there are no ${kind}s here` : `the ${kind}s here are ${known.join(', ')}`
  return `unknown ${kind} ${JSON.stringify(name)}${
    didYouMean(
      name,
      known.filter((each) => each !== name),
    ) || `; ${list}`
  }`
}

function fieldsIn(types: readonly DataType[]): ReadonlySet<string> {
  const found = new Set<string>()
  const open = [...types]
  for (let type = open.pop(); type; type = open.pop()) {
    if (type.kind === 'list') open.push(type.items)
    if (type.kind !== 'record') continue
    for (const [name, field] of Object.entries(type.fields)) {
      found.add(name)
      open.push(field)
    }
  }
  return found
}
