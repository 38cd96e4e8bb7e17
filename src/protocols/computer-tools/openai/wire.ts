import * as z from 'zod'
import type { PictureBudget } from '../../../observer/tools/capture.ts'
import { MAX_ACTIONS } from '../input.ts'
import type { PixelSize } from '../screen.ts'

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

/** The versions of OpenAI's computer tool, the newest last. */
export const OPENAI_VERSIONS = ['computer_use_preview', 'computer'] as const
export type OpenAiVersion = (typeof OPENAI_VERSIONS)[number]

/** The largest screenshot that the models take without scaling. */
export const OPENAI_BUDGET: PictureBudget = { max_pixels: 10_240_000 }

/** An entry of `tools` in a request to OpenAI's Responses API. */
export type OpenAiToolDefinition =
  | { type: 'computer' }
  | {
      type: 'computer_use_preview'
      display_width: number
      display_height: number
      environment: 'linux' | 'mac' | 'windows'
    }

/** The names of platforms in OpenAI's dialect. All others are Linux. */
export const OPENAI_PLATFORMS: Readonly<Record<string, 'mac' | 'windows'>> = { Darwin: 'mac', Windows: 'windows' }

/** The entry of `tools` for a version. */
export const openAiDefinition = (
  version: OpenAiVersion,
  { width, height }: PixelSize,
  platform: string,
): OpenAiToolDefinition =>
  version === 'computer'
    ? { type: version }
    : {
        type: version,
        display_width: width,
        display_height: height,
        environment: OPENAI_PLATFORMS[platform] ?? 'linux',
      }

export const OpenAiToolDefinitionSchema = z.object({
  type: z.enum(OPENAI_VERSIONS),
  display_width: z.int().optional(),
  display_height: z.int().optional(),
  environment: z.enum(['linux', 'mac', 'windows']).optional(),
})
