import * as z from 'zod'
import type { PictureBudget } from '../../../observer/tools/capture.ts'

const Arguments = z.record(z.string(), z.unknown()).nullish()
const Name = z.string().min(1)
const Id = z.string().max(500)

/** A function call of the `generateContent` API. */
export const GeminiFunctionCall = z.looseObject({ id: Id.nullish(), name: Name, args: Arguments })
export type GeminiFunctionCall = z.infer<typeof GeminiFunctionCall>

/** A function call of the Interactions API. */
export const GeminiFunctionStep = z.looseObject({
  type: z.literal('function_call'),
  id: Id,
  name: Name,
  arguments: Arguments,
})
export type GeminiFunctionStep = z.infer<typeof GeminiFunctionStep>

/** A part of a message. Parts of other kinds are not answered. */
const Part = z.looseObject({ functionCall: GeminiFunctionCall.optional() })

const MAX_PARTS = 1000
const Several = z.array(z.unknown()).max(MAX_PARTS)

/** The message of a model. */
export const GeminiContent = z.looseObject({ parts: Several })
/** The `functionCalls` of a response. */
export const GeminiFunctionCalls = z.looseObject({ functionCalls: Several })
export const GeminiPart = Part

export const GeminiRequest = z.union([
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
export interface GeminiFunctionResult {
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

export const GeminiOutputSchema = z.looseObject({}).or(z.array(z.looseObject({})))

/** The APIs of Gemini, which describe the tool differently. The newest is last. */
export const GEMINI_VERSIONS = ['generateContent', 'interactions'] as const
export type GeminiVersion = (typeof GEMINI_VERSIONS)[number]

/** Coordinates do not depend on the size of screenshots, which only limits the cost. */
export const GEMINI_BUDGET: PictureBudget = { max_pixels: 10_240_000 }

/** An entry of `tools` in a request to Gemini's API. */
export type GeminiToolDefinition =
  | { computerUse: { environment: 'ENVIRONMENT_DESKTOP' } }
  | { type: 'computer_use'; environment: 'desktop' }

/** The entry of `tools` for an API. */
export const geminiDefinition = (version: GeminiVersion): GeminiToolDefinition =>
  version === 'interactions'
    ? { type: 'computer_use', environment: 'desktop' }
    : { computerUse: { environment: 'ENVIRONMENT_DESKTOP' } }

export const GeminiToolDefinitionSchema = z.union([
  z.object({ computerUse: z.object({ environment: z.literal('ENVIRONMENT_DESKTOP') }) }),
  z.object({ type: z.literal('computer_use'), environment: z.literal('desktop') }),
])
