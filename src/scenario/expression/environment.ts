import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import { LruCache } from '../../base/lru-cache.ts'
import { nodesIn } from './ast.ts'
import { charge } from './budget.ts'
import type { ClassOf, RecordClass } from './cel-value.ts'
import { ANY, BOOL, type DataType, DOUBLE, INT, mapFields, STRING, TIMESTAMP } from './data-type.ts'
import { type EvaluationContext, FUNCTIONS, REPLACEMENTS, SCREEN_FUNCTIONS } from './functions.ts'
import { type KeptLoop, type LoopSource, loopOf, type NodeRunner, runLoop } from './kept-loops.ts'

/** The length of an expression: the parser of a longer one could need more stack than there is. */
export const MAX_EXPRESSION_LENGTH = 2000
const LIMITS = { maxAstNodes: 500, maxDepth: 40, maxListElements: 1000, maxMapEntries: 100, maxCallArguments: 8 }

const MAX_PARSED_CHARACTERS = 200_000
const parsedTexts = new LruCache<string, { readonly ast: ASTNode; readonly weight: number }>(
  MAX_PARSED_CHARACTERS,
  ({ weight }) => weight,
)

/**
 * Parses an expression without checking its names. Texts parsed last are kept, so the result must not be changed.
 * Throws the `ParseError` of an invalid text.
 */
export function parseExpression(text: string): ASTNode {
  const known = parsedTexts.get(text) ?? parsedTexts.keep(text, { ast: PARSER.parse(text).ast, weight: text.length })
  return known.ast
}
const PARSER = new Environment({ homogeneousAggregateLiterals: false, limits: LIMITS })

const usable = new Map<string, boolean>()

/** Whether a name can stand for a value: it is not a word of CEL, such as `in`, or a type, such as `list`. */
export function isExpressionName(name: string): boolean {
  const known = usable.get(name)
  if (known !== undefined) return known
  const isUsable = canRegister(name)
  if (usable.size < MAX_CHECKED_NAMES) usable.set(name, isUsable)
  return isUsable
}

const MAX_CHECKED_NAMES = 10_000

function canRegister(name: string): boolean {
  try {
    new Environment().registerVariable(name, 'dyn')
    return PARSER.parse(name).ast.op === 'id'
  } catch {
    return false
  }
}

/** The names that expressions may use, with their types. */
export type NameTypes = Readonly<Record<string, DataType>>

/** CEL with our functions, and the types of a scope. */
export interface ExpressionEnvironment {
  readonly cel: Environment
  readonly classOf: ClassOf
  /** The names of all functions. */
  readonly functions: ReadonlySet<string>
  /** The data type that CEL calls by a name; undefined for a type that data cannot hold, such as a duration. */
  dataTypeOf(celName: string): DataType | undefined
}

type RecordType = DataType & { readonly kind: 'record' }

const TIMESTAMP_NAME = 'google.protobuf.Timestamp'
const CEL_NAMES: ReadonlyMap<string, DataType> = new Map([
  ['bool', BOOL],
  ['int', INT],
  ['double', DOUBLE],
  ['string', STRING],
  ['dyn', ANY],
  ['null', ANY],
  ['list', { kind: 'list', items: ANY }],
  [TIMESTAMP_NAME, TIMESTAMP],
])

/** The class of each record type, the same in all environments, so that converted data serve them all. */
const recordClasses = new WeakMap<DataType, RecordClass>()
/** Types with the same fields share a class: the types of records in records would otherwise multiply. */
const classesByShape = new LruCache<string, RecordClass>(10_000)
const classIds = new WeakMap<RecordClass, number>()
let classCount = 0

function recordClassOf(type: RecordType): RecordClass {
  const known = recordClasses.get(type)
  if (known) return known
  const shape = JSON.stringify(mapFields(type.fields, shapeOf))
  const made = classesByShape.get(shape) ?? class {}
  classesByShape.keep(shape, made)
  recordClasses.set(type, made)
  if (!classIds.has(made)) classIds.set(made, ++classCount)
  return made
}

/** A name for a type in the shape of a record. */
const shapeOf = (type: DataType): string => {
  if (type.kind === 'record') return `record ${classIds.get(recordClassOf(type))}`
  return type.kind === 'list' ? `list of ${shapeOf(type.items)}` : type.kind
}

/** Prepares functions, operators, record types and names. What a function may spend and draw is in `runtime`. */
export function createCelEnvironment(scope: NameTypes, runtime: EvaluationContext): ExpressionEnvironment {
  const cel = new Environment({ homogeneousAggregateLiterals: false, limits: LIMITS })
  for (const { signature, call } of [...FUNCTIONS, ...SCREEN_FUNCTIONS, ...Object.values(REPLACEMENTS).flat()])
    cel.registerFunction(
      signature.replaceAll('timestamp', TIMESTAMP_NAME),
      (...args: never[]) => call(runtime, ...args),
      { async: false },
    )
  registerArithmetic(cel)
  registerCharge(cel, runtime)
  const records = new Map<RecordClass, { readonly name: string; readonly made: RecordClass; readonly type: DataType }>()
  const recordOf = (type: RecordType) => {
    const made = recordClassOf(type)
    const known = records.get(made)
    if (known) return known
    const fields = mapFields(type.fields, nameOf)
    const record = { name: `record${records.size + 1}`, made, type }
    cel.registerType(record.name, { ctor: made, fields })
    records.set(made, record)
    return record
  }
  const nameOf = (type: DataType): string => {
    if (type.kind === 'record') return recordOf(type).name
    if (type.kind === 'list') return `list<${nameOf(type.items)}>`
    return type.kind === 'any' ? 'dyn' : type.kind === 'timestamp' ? TIMESTAMP_NAME : type.kind
  }
  const dataTypeOf = (celName: string): DataType | undefined => {
    const [, itemName] = /^list<(.+)>$/.exec(celName) ?? []
    if (itemName !== undefined) {
      const items = dataTypeOf(itemName)
      return items && { kind: 'list', items }
    }
    if (celName.startsWith('map')) return ANY
    return CEL_NAMES.get(celName) ?? [...records.values()].find(({ name }) => name === celName)?.type
  }
  for (const [name, type] of Object.entries(scope)) if (isExpressionName(name)) cel.registerVariable(name, nameOf(type))
  const functions = new Set(cel.getDefinitions().functions.flatMap(({ name }) => (OWN_MACROS.has(name) ? [] : [name])))
  return { cel, functions, classOf: (type) => recordOf(type).made, dataTypeOf }
}

/** CEL does not mix integers and decimal numbers; authors do. */
function registerArithmetic(cel: Environment): void {
  for (const [operator, apply] of Object.entries(ARITHMETIC)) {
    cel.registerOperator(`int ${operator} double: double`, (a: bigint, b: number) => apply(Number(a), b))
    cel.registerOperator(`double ${operator} int: double`, (a: number, b: bigint) => apply(a, Number(b)))
  }
  // Registers the other order and `!=` too.
  cel.registerOperator('int == double', (a: bigint | number, b: bigint | number) => Number(a) === Number(b))
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
}

interface Charged extends LoopSource {
  readonly operand: ASTNode
  /** The operand, if it is a loop whose results are kept. Undefined before it runs. */
  loop: KeptLoop | undefined | null
}
interface Checker {
  check(node: ASTNode, context: unknown): unknown
}

/** What `instrument` puts into expressions, and nobody writes. */
const OWN_MACROS: ReadonlySet<string> = new Set(['charge', 'keep'])

/** `charge(…)` and `keep(…)` are macros, so that the type of their operand is kept. `keep` is about the loops that are in no other. */
function registerCharge(cel: Environment, runtime: EvaluationContext): void {
  const all = new WeakMap<ASTNode, Charged>()
  const sourceOf = (node: ASTNode) => {
    const [operand] = node.op === 'call' ? nodesIn(node.args[1]) : []
    return operand && all.get(operand)
  }
  const register = (name: string, run: (evaluator: NodeRunner, charged: Charged, context: unknown) => unknown) =>
    cel.registerFunction(`${name}(ast): dyn`, ({ args }: { args: readonly [ASTNode] }) => {
      const charged: Charged = { operand: args[0], given: undefined, loop: undefined }
      all.set(args[0], charged)
      return {
        async: false,
        typeCheck: (checker: Checker, _: unknown, context: unknown) => checker.check(charged.operand, context),
        evaluate: (evaluator: NodeRunner, _: unknown, context: unknown) =>
          charged.given ?? charge(runtime.budget, run(evaluator, charged, context)),
      }
    })
  register('charge', (evaluator, { operand }, context) => evaluator.run(operand, context))
  register('keep', (evaluator, charged, context) => {
    if (charged.loop === undefined) charged.loop = loopOf(charged.operand, sourceOf) ?? null
    const { loop, operand } = charged
    return loop ? runLoop(loop, evaluator, context, runtime) : evaluator.run(operand, context)
  })
}
