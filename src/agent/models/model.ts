import type { ToolCallArguments } from '../events.ts'
import type { ImageContent, ModelContext } from '../history/history.ts'
import type { Profile } from '../profiles/profiles.ts'
import type { ToolDescription } from '../tools/toolbox.ts'

/**
 * What decides a turn. It is a coroutine: it yields steps, the engine does them and hands back what came of each, so
 * that a script, a real model and a recording all run through the same engine.
 */
export interface Model {
  readonly name: string
  /** Steps of one run, until the agent has answered. */
  run(request: ModelRequest): ModelSteps
}

export type ModelSteps = AsyncGenerator<ModelStep, void, ModelStepResult>

export interface ModelRequest {
  /** What the person says, as the model reads it. */
  readonly text: string
  readonly images: readonly ImageContent[]
  /** What was said before and, at the end, the message itself. */
  readonly context: ModelContext
  /** 1 for the first message of the session; nested agents are counted by themselves. */
  readonly turn: number
  /** Whether it is the task of a nested agent. */
  readonly nested: boolean
  readonly profile: Profile
  /** The model the client asked for, if it did. */
  readonly model: string | undefined
  readonly tools: readonly ToolDescription[]
  /** The state of the scenario right now. */
  readonly state: () => string | undefined
  readonly signal: AbortSignal
}

/** One thing for the engine to do. Thoughts and texts come in pieces, one or several; those of one message are joined. */
export type ModelStep =
  | { readonly do: 'think'; readonly text: string | readonly string[]; readonly closing?: boolean | undefined }
  | { readonly do: 'say'; readonly text: string | readonly string[]; readonly closing?: boolean | undefined }
  /** Markdown. */
  | { readonly do: 'plan'; readonly text: string }
  /** Ends the message; several calls are one message's. */
  | { readonly do: 'call'; readonly calls: readonly CallRequest[] }
  /** `contextTokens` replaces the engine's estimate of how full the window is. */
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
  /** The id that the model's provider gave the call. */
  readonly providerId?: string
  readonly args: ToolCallArguments
  /** The arguments in the pieces a model made them of; left out, the engine cuts them itself. */
  readonly pieces?: readonly string[]
  /** Why the call must not be made: the model reads this instead of a result. */
  readonly problem?: string
  /** The person is asked first. */
  readonly permission?: { readonly description?: string; readonly details?: string }
  /** The nested agent of a `spawn_agent` call; its last words are the result. */
  readonly agent?: ModelSteps
}

/** What came of a step; of anything but a call, nothing. */
export interface ModelStepResult {
  readonly results: readonly CallResult[]
}

export interface CallResult {
  readonly callId: string
  readonly ok: boolean
  readonly text: string
  readonly output: unknown
  /** What the tool shows. */
  readonly images?: readonly ImageContent[]
}

export const NO_RESULTS: ModelStepResult = { results: [] }
