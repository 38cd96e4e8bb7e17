import * as z from 'zod'
import { MAX_ACTIONS } from '../input.ts'

/** A safety check of a `computer_call`, which a person acknowledges. */
export const OpenAiSafetyCheck = z.looseObject({
  id: z.string().min(1).max(500),
  code: z.string().nullish(),
  message: z.string().nullish(),
})
export interface OpenAiSafetyCheck {
  id: string
  code?: string | null
  message?: string | null
}

const SafetyChecks = z.array(OpenAiSafetyCheck).max(MAX_ACTIONS).nullish()
const Action = z.looseObject({ type: z.string() })

/** A `computer_call` item of OpenAI's Responses API, with the checks that a person has acknowledged. */
export const OpenAiComputerCall = z.looseObject({
  type: z.literal('computer_call'),
  call_id: z.string().min(1).max(500),
  action: Action.nullish().describe('The action of a call of computer_use_preview'),
  actions: z.array(Action).max(MAX_ACTIONS).nullish().describe('The actions of a call of computer'),
  pending_safety_checks: SafetyChecks,
  acknowledged_safety_checks: SafetyChecks.describe('The checks that a person has acknowledged'),
})
export type OpenAiComputerCall = z.infer<typeof OpenAiComputerCall>

/** The `computer_call_output` item that answers a `computer_call`. */
export interface OpenAiCallOutput {
  type: 'computer_call_output'
  call_id: string
  output: { type: 'computer_screenshot'; image_url: string; detail: 'original' }
  /** The pending checks of the call that were acknowledged. */
  acknowledged_safety_checks?: OpenAiSafetyCheck[]
}

export const OpenAiCallOutputSchema = z.object({
  type: z.literal('computer_call_output'),
  call_id: z.string(),
  output: z.object({
    type: z.literal('computer_screenshot'),
    image_url: z.string().describe('A data URL of a PNG'),
    detail: z.literal('original'),
  }),
  acknowledged_safety_checks: z.array(OpenAiSafetyCheck).optional(),
})
