import * as z from 'zod'

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
