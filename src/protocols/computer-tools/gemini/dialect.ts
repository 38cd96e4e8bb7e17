import { createHash } from 'node:crypto'
import * as z from 'zod'
import { Fault, type FaultCode } from '../../../base/fault.ts'
import type { PictureBudget } from '../../../observer/tools/capture.ts'
import { HTTP_STATUS } from '../../http/status.ts'
import type { ComputerCallOptions, ComputerCallResult, ComputerDialect } from '../dialect.ts'
import { MAX_VENDOR_CALLS, readPart, unknownName, withoutNullFields } from '../input.ts'
import { type ModelScreen, modelScreen } from '../screen.ts'
import {
  type Acknowledgement,
  faultOf,
  hasDone,
  type ModelPicture,
  runActions,
  type StepCaller,
  type StepsOutcome,
  takeScreenshot,
} from '../steps.ts'
import { GEMINI_FUNCTIONS } from './functions.ts'

const Arguments = z.record(z.string(), z.unknown()).nullish()
const Name = z.string().min(1)
const Id = z.string().max(500)

/** A function call of the `generateContent` API. */
export const GeminiFunctionCall = z.looseObject({ id: Id.nullish(), name: Name, args: Arguments })

/** A function call of the Interactions API. */
export const GeminiFunctionStep = z.looseObject({
  type: z.literal('function_call'),
  id: Id,
  name: Name,
  arguments: Arguments,
})

/** A part of a message. Parts of other kinds are not answered. */
const Part = z.looseObject({ functionCall: GeminiFunctionCall.optional() })

const MAX_PARTS = 1000
const Several = z.array(z.unknown()).max(MAX_PARTS)

/** The message of a model. */
const GeminiContent = z.looseObject({ parts: Several })
/** The `functionCalls` of a response. */
const GeminiFunctionCalls = z.looseObject({ functionCalls: Several })
export const GeminiPart = Part

const GeminiRequest = z.union([
  GeminiFunctionCall,
  GeminiFunctionStep,
  GeminiPart,
  GeminiFunctionCalls,
  GeminiContent,
  z.array(z.union([GeminiFunctionCall, GeminiFunctionStep, GeminiPart])),
])

/** A `functionResponse` that answers a function call of `generateContent`. */
export interface GeminiFunctionResponse {
  id?: string
  name: string
  /** `output` is the line for the model, `error` why the call failed. */
  response: Record<string, unknown>
  parts?: { inlineData: { mimeType: string; data: string } }[]
}

/** A `function_result` step that answers a function call of the Interactions API. */
interface GeminiFunctionResult {
  type: 'function_result'
  call_id: string
  name: string
  is_error?: boolean
  result: ({ type: 'text'; text: string } | { type: 'image'; mime_type: 'image/png'; data: string })[]
}

/** The answer in the shape of the request. */
export type GeminiOutput =
  | GeminiFunctionResponse
  | GeminiFunctionResult
  | (GeminiFunctionResponse | GeminiFunctionResult | { functionResponse: GeminiFunctionResponse })[]
  | { functionResponses: GeminiFunctionResponse[] }
  | { role: 'user'; parts: { functionResponse: GeminiFunctionResponse }[] }
  | { functionResponse: GeminiFunctionResponse }

const GeminiOutputSchema = z.looseObject({}).or(z.array(z.looseObject({})))

/** The APIs of Gemini, which describe the tool differently. The newest is last. */
const GEMINI_VERSIONS = ['generateContent', 'interactions'] as const
type GeminiVersion = (typeof GEMINI_VERSIONS)[number]

/** Coordinates do not depend on the size of screenshots, which only limits the cost. */
const GEMINI_BUDGET: PictureBudget = { max_pixels: 10_240_000 }

/** An entry of `tools` in a request to Gemini's API. */
export type GeminiToolDefinition =
  | { computerUse: { environment: 'ENVIRONMENT_DESKTOP' } }
  | { type: 'computer_use'; environment: 'desktop' }

/** The entry of `tools` for an API. */
const geminiDefinition = (version: GeminiVersion): GeminiToolDefinition =>
  version === 'interactions'
    ? { type: 'computer_use', environment: 'desktop' }
    : { computerUse: { environment: 'ENVIRONMENT_DESKTOP' } }

const GeminiToolDefinitionSchema = z.union([
  z.object({ computerUse: z.object({ environment: z.literal('ENVIRONMENT_DESKTOP') }) }),
  z.object({ type: z.literal('computer_use'), environment: z.literal('desktop') }),
])

/** A function call, in whichever form it was sent. */
interface GeminiCall {
  readonly id: string | undefined
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** Whether it is a step of the Interactions API. */
  readonly isStep: boolean
  readonly raw: unknown
  /** Identifies the call: its JSON without the acknowledgement. */
  readonly key: string
  /** Why the model's safety system requires confirmation. */
  readonly decision: string | undefined
  readonly acknowledgement: unknown
}

/** The answer to a function call. */
interface GeminiAnswer {
  readonly call: GeminiCall
  readonly response: Readonly<Record<string, unknown>>
  readonly picture: ModelPicture | undefined
  readonly isError: boolean
}

/** The calls of a request, and how their answers are sent: in the shape of the request. */
interface GeminiCallsInRequest {
  readonly calls: readonly GeminiCall[]
  readonly toOutput: (answers: readonly GeminiAnswer[]) => GeminiOutput
}

/** Reads a function call, an array of them, a part, a message or the `functionCalls` of a response. Throws `BadRequest`. */
function readGeminiCalls(body: unknown): GeminiCallsInRequest {
  if (Array.isArray(body)) {
    const parts = body.some(isPart)
    return several(body, (answers) => (parts ? answers.map(toPart) : answers.map(toResult)))
  }
  const given = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>
  if (given.functionCalls !== undefined) {
    const { functionCalls } = readPart(GeminiFunctionCalls, body)
    return several(functionCalls, (answers) => ({ functionResponses: answers.map(toResponse) }))
  }
  if (given.parts !== undefined) {
    const { parts } = readPart(GeminiContent, body)
    return several(parts, (answers) => ({ role: 'user', parts: answers.map(toPart) }))
  }
  if (isPart(body)) return { calls: [readCall(body)], toOutput: ([answer]) => toPart(answer!) }
  return { calls: [readCall(body)], toOutput: ([answer]) => toResult(answer!) }
}

const isPart = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'functionCall')

/** A part or a step without a function call, such as a thought, is not answered. */
const isCall = (value: unknown): boolean => {
  const { name, functionCall } = (value ?? {}) as { name?: unknown; functionCall?: unknown }
  return name !== undefined || functionCall !== undefined
}

function several(items: readonly unknown[], toOutput: GeminiCallsInRequest['toOutput']): GeminiCallsInRequest {
  const calls = items.filter(isCall).map(readCall)
  if (calls.length === 0) throw new Fault('BadRequest', 'there is no function call')
  if (calls.length > MAX_VENDOR_CALLS)
    throw new Fault('BadRequest', `send at most ${MAX_VENDOR_CALLS} function calls at once`)
  return { calls, toOutput }
}

function readCall(value: unknown): GeminiCall {
  const inner = isPart(value) ? (value as { functionCall: unknown }).functionCall : value
  const isStep = (inner as { type?: unknown } | null | undefined)?.type === 'function_call'
  const read = isStep ? readPart(GeminiFunctionStep, inner) : readPart(GeminiFunctionCall, inner)
  const { safety_acknowledgement: besides, ...raw } = read
  const { safety_acknowledgement: within, ...args } = ((isStep ? read.arguments : read.args) ?? {}) as Readonly<
    Record<string, unknown>
  >
  return {
    id: read.id ?? undefined,
    name: read.name,
    args,
    isStep,
    raw: inner,
    key: JSON.stringify({ ...raw, args: isStep ? undefined : args, arguments: isStep ? args : undefined }),
    decision: decisionIn(args.safety_decision),
    acknowledgement: within ?? besides,
  }
}

/** The explanation of a decision that requires confirmation. Undefined for other decisions. */
function decisionIn(decision: unknown): string | undefined {
  if (typeof decision !== 'object' || decision === null) return undefined
  const { decision: what, explanation } = decision as { decision?: unknown; explanation?: unknown }
  if (what !== 'require_confirmation') return undefined
  return typeof explanation === 'string' && explanation !== '' ? explanation : 'the model requires confirmation'
}

const toResponse = ({ call: { id, name }, response, picture }: GeminiAnswer): GeminiFunctionResponse => ({
  ...(id !== undefined && { id }),
  name,
  response: { ...response },
  ...(picture && { parts: [{ inlineData: { mimeType: 'image/png', data: picture.data } }] }),
})

const toPart = (answer: GeminiAnswer) => ({ functionResponse: toResponse(answer) })

function toResult(answer: GeminiAnswer): GeminiFunctionResponse | GeminiFunctionResult {
  const { call, response, picture, isError } = answer
  if (!call.isStep) return toResponse(answer)
  return {
    type: 'function_result',
    call_id: call.id!,
    name: call.name,
    ...(isError && { is_error: true }),
    result: [
      { type: 'text', text: JSON.stringify(response) },
      ...(picture ? [{ type: 'image' as const, mime_type: 'image/png' as const, data: picture.data }] : []),
    ],
  }
}

/** Executes function calls in order. After the first failure the others are answered as not executed. */
async function runGemini(
  caller: StepCaller,
  body: unknown,
  { display, pointer, acknowledged }: ComputerCallOptions,
): Promise<ComputerCallResult<GeminiOutput>> {
  const { calls, toOutput } = readGeminiCalls(body)
  const screen = { ...(await modelScreen(caller.session, GEMINI_BUDGET, display)), pointer }
  const answers: GeminiAnswer[] = []
  let failed: StepsOutcome | undefined
  for (const functionCall of calls) {
    if (failed) {
      answers.push({ call: functionCall, response: { error: NOT_EXECUTED }, picture: undefined, isError: true })
      continue
    }
    const isAcknowledged = acknowledgementOf(functionCall, acknowledged)
    const outcome = await runFunction(caller, functionCall, screen, isAcknowledged)
    const { id, name, raw } = functionCall
    const picture = await takeScreenshot(caller, screen, hasDone(outcome) ? { id, name } : raw)
    answers.push(answerOf(functionCall, outcome, picture, isAcknowledged))
    if (outcome.fault) failed = outcome
  }
  return {
    output: toOutput(answers),
    ...(failed?.fault && { fault: failed.fault }),
    ...(failed?.confirmation && { confirmation: failed.confirmation }),
  }
}

const NOT_EXECUTED = 'Not executed: an earlier function call failed.'

/** The id of the confirmation that the model's own safety system requires for a call. */
const decisionId = ({ key }: GeminiCall): string =>
  `safety:${createHash('sha256').update(key).digest('hex').slice(0, 16)}`

/** What the sender of a call acknowledges: `true`, or ids of confirmations. */
function acknowledgementOf({ acknowledgement }: GeminiCall, acknowledged: Acknowledgement = false): Acknowledgement {
  if (acknowledged === true || acknowledgement === true || acknowledgement === 'true') return true
  const ids = Array.isArray(acknowledged) ? acknowledged : []
  return typeof acknowledgement === 'string' ? [...ids, acknowledgement] : ids
}

async function runFunction(
  caller: StepCaller,
  functionCall: GeminiCall,
  screen: ModelScreen,
  acknowledged: Acknowledgement,
): Promise<StepsOutcome> {
  const { name, args, decision } = functionCall
  const id = decisionId(functionCall)
  const isConfirmed = acknowledged === true || (acknowledged !== false && acknowledged.includes(id))
  if (decision && !isConfirmed)
    return {
      results: [],
      fault: new Fault('ConfirmationRequired', `acknowledge the safety decision: ${decision}`),
      confirmation: { id, message: decision },
    }
  const translated = await faultOf(() => {
    const definition = GEMINI_FUNCTIONS.get(name)
    if (!definition) throw unknownName('function', name, [...GEMINI_FUNCTIONS.keys()])
    return definition.steps(readPart(definition.input, withoutNullFields(args), name) as never, screen)
  })
  if ('fault' in translated) return { results: [], fault: translated.fault }
  return runActions(caller, [{ raw: functionCall.raw, steps: translated.value }], functionCall.key, acknowledged)
}

/** The answer of a call. The response of the first generation contains a URL, which a desktop does not have. */
function answerOf(
  functionCall: GeminiCall,
  { fault, confirmation }: StepsOutcome,
  picture: ModelPicture | undefined,
  acknowledged: Acknowledgement,
): GeminiAnswer {
  const isAcknowledged = functionCall.decision !== undefined && acknowledged !== false && !confirmation
  const response = {
    ...(fault ? { error: fault.message } : { output: 'Done.' }),
    ...(GEMINI_FUNCTIONS.get(functionCall.name)?.inFirst && { url: 'about:blank' }),
    ...(confirmation && {
      safety_decision: { decision: 'require_confirmation', explanation: confirmation.message },
    }),
    ...(isAcknowledged && { safety_acknowledgement: 'true' }),
  }
  return { call: functionCall, response, picture, isError: fault !== undefined }
}

/** Gemini: function calls of both of its APIs, function responses as answers. */
export const geminiComputer: ComputerDialect<GeminiOutput, GeminiToolDefinition> = {
  versions: GEMINI_VERSIONS,
  run: runGemini,
  define: async (session, options) => {
    await modelScreen(session, GEMINI_BUDGET, options.display)
    return geminiDefinition((options.version ?? GEMINI_VERSIONS.at(-1)!) as GeminiVersion)
  },
  errorOf: geminiError,
  wire: { request: GeminiRequest, response: GeminiOutputSchema, definition: GeminiToolDefinitionSchema },
}

const STATUSES: Partial<Record<FaultCode, string>> = {
  Unauthorized: 'UNAUTHENTICATED',
  PermissionDenied: 'PERMISSION_DENIED',
  SessionNotFound: 'NOT_FOUND',
  Busy: 'UNAVAILABLE',
  Internal: 'INTERNAL',
  StorageFailed: 'INTERNAL',
}

/** The body of an HTTP error of Gemini's API. */
function geminiError({ code, message }: Fault) {
  return { error: { code: HTTP_STATUS[code], message, status: STATUSES[code] ?? 'INVALID_ARGUMENT' } }
}
