import * as z from 'zod'
import { type Contract, findOperation } from '../contract/contract.ts'
import type { JsonMessage, ProxiedRequest, Sabotage } from './sabotage.ts'
import { eventId, operationId } from './shapes.ts'
import type { ProtocolSuite } from './suite.ts'

type Json = Readonly<Record<string, unknown>>

/** The path to a field: field names, and `*` for every entry of a list or map. */
type Way = readonly string[]

/** All sabotages of a protocol: those of its rules, and the generated ones. */
export const allSabotages = ({ sabotages, contract, moreGenerated }: ProtocolSuite): readonly Sabotage[] => [
  ...sabotages,
  ...generatedSabotages(contract),
  ...(moreGenerated?.() ?? []),
]

/** Generates sabotages from a contract: for the fields of every success, error and event. */
export function generatedSabotages(contract: Contract): readonly Sabotage[] {
  const operations = Object.entries(contract.operations).flatMap(([name, operation]) =>
    Object.entries(operation.responses).flatMap(([status, answer]): Sabotage[] => {
      if (Number(status) >= 300 || answer === 'sse') return []
      const targets = [operationId(contract, name)]
      const wrongStatus = sabotageStatus(contract, name, Number(status), targets)
      if (typeof answer === 'string') return [wrongStatus]
      return [
        wrongStatus,
        ...breakages(answer).map((broken) => sabotageAnswer(contract, name, Number(status), broken, targets)),
      ]
    }),
  )
  const events = Object.entries(contract.events).flatMap(([name, shape]) =>
    breakages(shape.schema).map((broken) => sabotageEvent(contract, name, broken)),
  )
  return [...operations, ...errorSabotages(contract), ...events]
}

/** Errors have the same shape in all operations, so sabotages exist per status, not per operation. */
function errorSabotages(contract: Contract): readonly Sabotage[] {
  const { protocol } = contract
  const refusals = Object.entries(contract.operations).flatMap(([operation, { responses: answers }]) =>
    Object.entries(answers).flatMap(([status, shape]) =>
      Number(status) >= 400 && typeof shape !== 'string' ? [{ operation, status: Number(status), shape }] : [],
    ),
  )
  return [...new Set(refusals.map(({ status }) => status))].flatMap((status): Sabotage[] => {
    const alike = refusals.filter((one) => one.status === status)
    const targets = alike.map(({ operation }) => operationId(contract, operation))
    const common = { protocol, targets, operations: alike.map(({ operation }) => `${operation} ${status}`) }
    const isRefusal = (request: ProxiedRequest) => {
      const name = findOperation(contract, request.method, request.path)
      return alike.some(({ operation }) => operation === name)
    }
    const shapes = new Set(alike.map(({ shape }) => shape))
    const broken = new Map([...shapes].flatMap(breakages).map((one) => [one.name, one]))
    return [
      {
        ...common,
        name: `error ${status}: answers 499 instead`,
        changeResponse: (answer, request) => {
          if (answer.status === status && isRefusal(request)) answer.status = 499
        },
      },
      ...[...broken.values()].map(
        (one): Sabotage => ({
          ...common,
          name: `error ${status}: ${one.name}`,
          changeResponse: (answer, request) => {
            if (answer.status === status && isRefusal(request)) one.apply(answer.json)
          },
        }),
      ),
    ]
  })
}

/** One way to break a value of a shape. */
export interface Breakage {
  readonly name: string
  apply(value: unknown): unknown
}

/** Drop, rename and retype, for every required field down to the third level. */
export function breakages(shape: z.ZodType): readonly Breakage[] {
  const schema = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Json
  const required = new Map<string, Way>()
  for (const way of requiredFields(schema, schema, 3)) required.set(way.join('.'), way)
  return [...required].flatMap(([path, way]): Breakage[] => [
    { name: `drops ${path}`, apply: (value) => at(value, way, (holder, key) => delete holder[key]) },
    {
      name: `renames ${path}`,
      apply: (value) =>
        at(value, way, (holder, key) => {
          holder[`${key}_`] = holder[key]
          delete holder[key]
        }),
    },
    ...(isAnything(schema, way) ? [] : [{ name: `retypes ${path}`, apply: retype(way) }]),
  ])
}

const retype = (way: Way) => (value: unknown) =>
  at(value, way, (holder, key) => {
    const isObject = typeof holder[key] === 'object' && holder[key] !== null
    holder[key] = isObject ? 7 : { retyped: typeof holder[key] }
  })

/**
 * The paths to required fields of a schema. Of a union, those that any alternative requires; missing fields are not
 * changed.
 */
function requiredFields(root: Json, schema: Json, depth: number): readonly Way[] {
  const here = resolve(root, schema)
  if (depth === 0) return []
  const alternatives = (here.anyOf ?? here.oneOf) as readonly Json[] | undefined
  if (alternatives) {
    const ways = alternatives.flatMap((one) => requiredFields(root, one, depth))
    return [...new Map(ways.map((way) => [way.join('.'), way])).values()]
  }
  if (here.items) return requiredFields(root, here.items as Json, depth).map((way) => ['*', ...way])
  const properties = (here.properties ?? {}) as Readonly<Record<string, Json>>
  return ((here.required ?? []) as readonly string[]).flatMap((key): Way[] => [
    [key],
    ...requiredFields(root, properties[key] ?? {}, depth - 1).map((way) => [key, ...way]),
  ])
}

function resolve(root: Json, schema: Json): Json {
  const ref = schema.$ref as string | undefined
  if (ref === undefined) return schema
  const name = ref.split('/').at(-1)!
  return ref === '#' ? root : (((root.$defs as Json | undefined)?.[name] as Json | undefined) ?? {})
}

/** Whether any value is valid, so that a changed type has no effect. */
function isAnything(root: Json, way: Way): boolean {
  let schema = resolve(root, root)
  for (const step of way) {
    const next = step === '*' ? schema.items : (schema.properties as Json | undefined)?.[step]
    if (next === undefined) return false
    schema = resolve(root, next as Json)
  }
  return Object.keys(schema).length === 0 || holdsAnything(schema)
}

const holdsAnything = (schema: Json): boolean =>
  ((schema.anyOf as readonly Json[] | undefined) ?? []).some((one) => Object.keys(one).length === 0)

/** Changes the first field at a path; returns whether there is one. */
function at(value: unknown, way: Way, change: (holder: Record<string, unknown>, key: string) => void): boolean {
  const [step, ...rest] = way
  if (typeof value !== 'object' || value === null || step === undefined) return false
  if (step === '*') return Object.values(value).some((one) => at(one, rest, change))
  if (!(step in value)) return false
  if (rest.length > 0) return at((value as Record<string, unknown>)[step], rest, change)
  change(value as Record<string, unknown>, step)
  return true
}

function sabotageAnswer(
  contract: Contract,
  operation: string,
  status: number,
  broken: Breakage,
  targets: readonly string[],
): Sabotage {
  return {
    name: `${operation} ${status}: ${broken.name}`,
    protocol: contract.protocol,
    targets,
    changeResponse: (answer, request) => {
      const name = findOperation(contract, request.method, request.path)
      if (name === operation && answer.status === status) broken.apply(answer.json)
    },
  }
}

/** Replaces the status of a success. */
function sabotageStatus(contract: Contract, operation: string, status: number, targets: readonly string[]): Sabotage {
  return {
    name: `${operation} ${status}: answers 299 instead`,
    protocol: contract.protocol,
    targets,
    changeResponse: (answer, request) => {
      const name = findOperation(contract, request.method, request.path)
      if (name === operation && answer.status === status) answer.status = 299
    },
  }
}

function sabotageEvent(contract: Contract, name: string, broken: Breakage): Sabotage {
  const isWhole = (message: JsonMessage) => message.type === name
  return {
    name: `event ${name}: ${broken.name}`,
    protocol: contract.protocol,
    targets: [eventId(contract, name)],
    changeMessages: () => (message) => {
      if (isWhole(message)) broken.apply(message)
      return [message]
    },
    changeFrames: () => (frame) => {
      if (!frame.split('\n').includes(`event: ${name}`)) return [frame]
      return [changeData(frame, broken.apply)]
    },
  }
}

/** Changes the data of a frame. */
export function changeData(frame: string, change: (data: unknown) => void): string {
  return frame.replace(/^data: ?(.*)$/m, (_, text: string) => {
    const data: unknown = JSON.parse(text)
    change(data)
    return `data: ${JSON.stringify(data)}`
  })
}
