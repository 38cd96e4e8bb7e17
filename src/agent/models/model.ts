import type { ToolCallArguments } from '../events.ts'
import type { ImageContent, ModelContext } from '../history/history.ts'
import type { Profile } from '../profiles.ts'
import type { ToolDescription } from '../toolbox.ts'

/**
 * Decides the steps of a turn. A model is a coroutine: it yields steps, and the engine performs each and returns the
 * result. Scripts, real models and recordings therefore run through the same engine.
 */
export interface Model {
  readonly name: string
  /** Yields the steps of one run, until the agent has answered. */
  run(request: ModelRequest): ModelSteps
}

export type ModelSteps = AsyncGenerator<ModelStep, void, ModelStepResult>

export interface ModelRequest {
  /** The text of the user message for the model. */
  readonly text: string
  readonly images: readonly ImageContent[]
  /** The conversation so far, which ends with the message itself. */
  readonly context: ModelContext
  /** The turn number, from 1. Nested agents are counted separately. */
  readonly turn: number
  /** Whether the message is the task of a nested agent. */
  readonly nested: boolean
  readonly profile: Profile
  /** The model that the client requested, if any. */
  readonly model: string | undefined
  readonly tools: readonly ToolDescription[]
  /** Returns the current state of the scenario. */
  readonly state: () => string | undefined
  readonly signal: AbortSignal
}

/** A step for the engine. Thoughts and texts have one or more pieces, which are joined within a message. */
export type ModelStep =
  | { readonly do: 'think'; readonly text: string | readonly string[]; readonly closing?: boolean | undefined }
  | { readonly do: 'say'; readonly text: string | readonly string[]; readonly closing?: boolean | undefined }
  /** Markdown. */
  | { readonly do: 'plan'; readonly text: string }
  /** Ends the message. All calls of the step belong to it. */
  | { readonly do: 'call'; readonly calls: readonly CallRequest[] }
  /** `contextTokens` replaces the engine's estimate of the tokens in the window. */
  | {
      readonly do: 'use'
      readonly inputTokens?: number
      readonly outputTokens?: number
      readonly costUsd?: number
      readonly contextTokens?: number
    }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'fail'; readonly code: string; readonly message: string; readonly fatal: boolean }
  | { readonly do: 'disconnect' }
  | { readonly do: 'status'; readonly server: string; readonly status: string }
  | { readonly do: 'hook'; readonly hook: string; readonly input: ToolCallArguments }
  | { readonly do: 'compress' }

export interface CallRequest {
  readonly tool: string
  /** The id from the model's provider. */
  readonly providerId?: string
  readonly args: ToolCallArguments
  /** The arguments as streamed by the model. If missing, the engine splits them itself. */
  readonly pieces?: readonly string[]
  /** The reason to refuse the call. The model reads it instead of a result. */
  readonly problem?: string
  /** Whether the user is asked first. */
  readonly permission?: { readonly description?: string; readonly details?: string }
  /** The steps of the nested agent of a `spawn_agent` call. Its last message is the result. */
  readonly agent?: ModelSteps
}

/** The results of a step. Empty for all steps except calls. */
export interface ModelStepResult {
  readonly results: readonly CallResult[]
}

export interface CallResult {
  readonly callId: string
  readonly ok: boolean
  readonly text: string
  readonly output: unknown
  /** The images that the tool returned. */
  readonly images?: readonly ImageContent[]
}

export const NO_RESULTS: ModelStepResult = { results: [] }
