import * as z from 'zod'
import type { Contract, ResponseBody } from '../contract/contract.ts'
import { describeMismatch, NOT_OFFERED } from '../probe/failure.ts'
import { type Frame, shorten } from '../probe/frame.ts'
import type { HttpResponse } from '../probe/http.ts'
import {
  type InferredBasis,
  isInTier,
  type Requirement,
  type Requirements,
  type StatedBasis,
  TIERS,
  type Tier,
} from '../requirement.ts'
import type { Finding } from './results.ts'

/**
 * Shapes are judged over all frames of a run: every frame of a kind must fit, and at least one must occur. The
 * contract yields one requirement per operation and one per event.
 */
export function shapeRequirements(contract: Contract, others: Requirements = {}): Requirements {
  const tierOf = (covers: readonly string[]) => smallestTier(Object.values(others), covers)
  const operations = Object.entries(contract.operations).map(([name, operation]): [string, Requirement] => [
    operationId(contract, name),
    {
      ...levelOf(operation.optional),
      text: `Every ${contract.errors ? 'success of' : 'answer to'} ${name} has a documented status and the documented fields.`,
      source: operation.source,
      covers: operation.covers,
      tier: tierOf(operation.covers),
    },
  ])
  const events = Object.entries(contract.events).map(([name, shape]): [string, Requirement] => [
    eventId(contract, name),
    {
      ...levelOf(shape.optional),
      text: `Every ${name} has the documented fields.`,
      source: shape.source,
      covers: shape.covers,
      tier: tierOf(shape.covers),
    },
  ])
  return Object.fromEntries([...operations, ...events, ...errorsRequirement(contract)])
}

/** One requirement for the errors of all operations, for documents that do not define their shape. */
function errorsRequirement(contract: Contract): readonly (readonly [string, Requirement])[] {
  if (!contract.errors) return []
  const { because, covers } = contract.errors
  const requirement: Requirement = {
    level: 'SHOULD',
    text: 'Every refusal has a status that clients know, and a body of the usual shape.',
    source: 'what most clients expect',
    basis: { because },
    covers,
  }
  return [[errorsId(contract), requirement]]
}

/** Shapes are part of the document, unless the contract marks them as optional or taken from elsewhere. */
const levelOf = (
  isOptional: boolean | undefined,
):
  | { readonly level: 'MUST'; readonly basis: StatedBasis }
  | { readonly level: 'MAY'; readonly basis: InferredBasis } =>
  isOptional
    ? { level: 'MAY', basis: { because: 'The document does not know it, or calls it optional.' } }
    : { level: 'MUST', basis: { states: 'The document gives the fields and their types.' } }

/** A shape belongs to the smallest tier that includes a requirement covering the same items. */
function smallestTier(others: readonly Requirement[], covers: readonly string[]): Tier {
  const claims = others.filter((one) => one.unchecked === undefined && one.covers.some((item) => covers.includes(item)))
  return TIERS.find((tier) => claims.some((one) => isInTier(one, tier))) ?? 'full'
}

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9_:]+/g, '-')
    .replace(/^-|-$/g, '')
export const operationId = (contract: Contract, name: string) => `${contract.protocol}:shape:${slug(name)}`
const errorsId = (contract: Contract) => `${contract.protocol}:shape:errors`
export const eventId = (contract: Contract, name: string) => `${contract.protocol}:shape:event-${slug(name)}`

/** Judges all frames of a run. Returns findings by requirement id. */
export function judgeFrames(contract: Contract, frames: readonly Frame[]): ReadonlyMap<string, Finding> {
  const findings = new Map<string, Finding>()
  const received = frames.filter((frame) => frame.direction === 'received')
  const missing = unannounced(contract, received)
  const refusals: Violation[] = []
  for (const [name, operation] of Object.entries(contract.operations)) {
    const seen = received.filter((frame) => frame.shape?.startsWith(`${name} `))
    const violations = seen.flatMap((frame) =>
      violation(frame, () => answerProblem(operation.responses, frame.value as HttpResponse)),
    )
    const isApart = ({ frame }: Violation) => contract.errors !== undefined && isRefusal(frame)
    const wrong = violations.filter((one) => !isApart(one))
    refusals.push(...violations.filter(isApart))
    const succeeded = seen.some((frame) => ((frame.value as HttpResponse).status ?? 0) < 400)
    const finding = conclude(`a success of ${name}`, succeeded, wrong)
    const isMissing = isNeverSeen(finding) && operation.capability !== undefined && missing(operation.capability)
    findings.set(
      operationId(contract, name),
      isMissing
        ? {
            status: 'unchecked',
            why: `${NOT_OFFERED}${contract.announces} does not announce ${operation.capability}`,
            frames: [],
          }
        : finding,
    )
  }
  if (contract.errors) findings.set(errorsId(contract), conclude('an error', received.some(isRefusal), refusals))
  for (const [name, shape] of Object.entries(contract.events)) {
    const seen = received.filter((frame) => frame.shape === `event ${name}`)
    const wrong = seen.flatMap((frame) => violation(frame, () => schemaProblem(shape.schema, frame.value)))
    findings.set(eventId(contract, name), conclude(`an event ${name}`, seen.length > 0, wrong))
  }
  return findings
}

/** Whether an answer is an error by its body and a success by its status. */
export function isErrorAsSuccess({ operations }: Contract, { direction, shape = '', value }: Frame): boolean {
  const operation = Object.entries(operations).find(([name]) => shape.startsWith(`${name} `))?.[1]
  if (direction !== 'received' || operation === undefined) return false
  const answer = value as HttpResponse
  if (answer.status >= 400 || answerProblem(operation.responses, answer) === undefined) return false
  const body = jsonOf(answer)
  return Object.entries(operation.responses).some(
    ([status, known]) => Number(status) >= 400 && typeof known === 'object' && known.safeParse(body).success,
  )
}

/** Returns whether the server listed its capabilities without the given one. */
function unannounced({ announces }: Contract, received: readonly Frame[]): (capability: string) => boolean {
  const answer = received.find(
    ({ shape, value }) =>
      announces !== undefined && shape?.startsWith(`${announces} `) && (value as HttpResponse).status === 200,
  )
  const read = Announcement.safeParse(answer && jsonOf(answer.value as HttpResponse))
  return (capability) => read.success && read.data.supports[capability] !== true
}

const Announcement = z.looseObject({ supports: z.record(z.string(), z.unknown()) })

function jsonOf({ text }: HttpResponse): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Messages that the suite itself sent in a wrong shape unintentionally. */
export function findSuiteMistakes(contract: Contract, frames: readonly Frame[]): readonly string[] {
  return frames
    .filter((frame) => frame.direction === 'sent' && frame.shape !== undefined && !frame.deliberate)
    .flatMap((frame) => {
      const schema = sentSchema(contract, frame.shape!)
      const problem = schema && schemaProblem(schema, frame.value)
      return problem ? [`${frame.title}: ${problem}`] : []
    })
}

function sentSchema(contract: Contract, shape: string): z.ZodType | undefined {
  if (shape.startsWith('message ')) return contract.messages[shape.slice('message '.length)]?.schema
  return contract.operations[shape.slice(0, -' body'.length)]?.body
}

interface Violation {
  readonly frame: Frame
  readonly problem: string
}

const isRefusal = ({ value, shape = '' }: Frame): boolean =>
  !shape.startsWith('event ') && ((value as Partial<HttpResponse> | undefined)?.status ?? 0) >= 400

/**
 * Errors have one documented shape, whatever their cause. Other responses may reflect the suite's deliberate mistake.
 */
const isExcused = ({ provoked, shape = '', value }: Frame): boolean =>
  provoked === true && shape !== 'event error' && !(((value as Partial<HttpResponse> | undefined)?.status ?? 0) >= 400)

function violation(frame: Frame, look: () => string | undefined): readonly Violation[] {
  if (isExcused(frame)) return []
  const problem = look()
  return problem === undefined ? [] : [{ frame, problem }]
}

function conclude(what: string, seen: boolean, wrong: readonly Violation[]): Finding {
  const first = wrong[0]
  if (first) {
    const more = wrong.length > 1 ? ` (and ${wrong.length - 1} more)` : ''
    return { status: 'failed', why: `${first.frame.title}: ${first.problem}${more}`, frames: [first.frame] }
  }
  if (!seen) return { status: 'failed', why: `${what} was never seen`, frames: [] }
  return { status: 'passed', frames: [] }
}

/** Whether a shape failed because no frame had it. */
export const isNeverSeen = ({ status, frames }: Finding): boolean => status === 'failed' && frames.length === 0

/** Describes the mismatch of a response; undefined when it fits. */
function answerProblem(answers: Readonly<Record<number, ResponseBody>>, answer: HttpResponse): string | undefined {
  const shape = answers[answer.status]
  if (shape === undefined)
    return `the status ${answer.status} is not documented (${Object.keys(answers).join(', ')} are): ${shorten(answer.text, 200)}`
  if (shape === 'sse' || shape === 'bytes') return undefined
  const type = answer.headers['content-type'] ?? ''
  if (shape === 'empty') return answer.bytes.length === 0 ? undefined : 'the body is to be empty'
  if (shape === 'text') return type.startsWith('text/plain') ? undefined : `the type is to be text/plain, not "${type}"`
  if (shape === 'html') return type.startsWith('text/html') ? undefined : `the type is to be text/html, not "${type}"`
  if (!type.startsWith('application/json')) return `the type is to be application/json, not "${type}"`
  try {
    return schemaProblem(shape, JSON.parse(answer.text))
  } catch {
    return `the body is not JSON: ${shorten(answer.text, 200)}`
  }
}

function schemaProblem(schema: z.ZodType, value: unknown): string | undefined {
  const read = schema.safeParse(value)
  return read.success ? undefined : describeMismatch(read.error, value)
}
