import { Fault } from '../../../base/fault.ts'
import { MAX_VENDOR_CALLS, readPart } from '../input.ts'
import type { ModelPicture } from '../steps.ts'
import {
  GeminiContent,
  GeminiFunctionCall,
  GeminiFunctionCalls,
  type GeminiFunctionResponse,
  type GeminiFunctionResult,
  GeminiFunctionStep,
  type GeminiOutput,
} from './wire.ts'

/** A function call, in whichever form it was sent. */
export interface GeminiCall {
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
export interface GeminiAnswer {
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
export function readGeminiCalls(body: unknown): GeminiCallsInRequest {
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
