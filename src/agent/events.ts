import type { QuestionForm } from './tools/form.ts'

/** Everything a chat can do, in the order it happens. A protocol only translates these. */
export type AgentEvent = Stamp & EventBody

export interface Stamp {
  readonly runId: string
  /** Milliseconds since the Unix epoch, by the session's clock. */
  readonly atMs: number
  /** Whether a nested agent does it, inside a `spawn_agent` call. */
  readonly subagent: boolean
}

export type EventBody =
  | { readonly type: 'run_started'; readonly text: string }
  /** `closing`: whether it is the last message of its run; undefined where the model decides that while it speaks. */
  | { readonly type: 'message_start'; readonly messageId: string; readonly closing: boolean | undefined }
  | { readonly type: 'thinking_delta'; readonly messageId: string; readonly text: string }
  | { readonly type: 'text_delta'; readonly messageId: string; readonly text: string }
  | { readonly type: 'tool_call_start'; readonly messageId: string; readonly callId: string; readonly tool: string }
  /** A piece of the arguments as JSON; the pieces of a call joined are its arguments. */
  | {
      readonly type: 'tool_call_delta'
      readonly messageId: string
      readonly callId: string
      readonly tool: string
      readonly json: string
    }
  | { readonly type: 'tool_call_end'; readonly callId: string; readonly tool: string }
  | {
      readonly type: 'message_end'
      readonly messageId: string
      readonly thinking: string
      readonly text: string
      readonly calls: readonly ToolCall[]
      readonly because: 'end' | 'calls' | 'stopped'
      /** The ids of calls that are not made, for clients that carry calls out. */
      readonly refused?: readonly string[]
    }
  /** Markdown. */
  | { readonly type: 'plan'; readonly text: string }
  | {
      readonly type: 'permission_request'
      /** The id of the call it is about; unique over all sessions. */
      readonly requestId: string
      readonly tool: string
      readonly args: ToolCallArguments
      readonly description: string
      readonly details: string | undefined
    }
  | {
      readonly type: 'permission_decided'
      readonly requestId: string
      readonly allowed: boolean
      readonly by: 'client' | 'timeout' | 'stop'
    }
  | { readonly type: 'question'; readonly requestId: string; readonly form: QuestionForm }
  | { readonly type: 'question_answered'; readonly requestId: string }
  /** A hook of the host waits for a decision, which comes as a permission does. */
  | {
      readonly type: 'hook_request'
      readonly requestId: string
      readonly hook: string
      readonly input: ToolCallArguments
    }
  | { readonly type: 'tool_started'; readonly callId: string; readonly tool: string; readonly args: ToolCallArguments }
  | {
      readonly type: 'tool_result'
      readonly callId: string
      readonly tool: string
      readonly args: ToolCallArguments
      readonly ok: boolean
      /** What the model reads. */
      readonly text: string
      readonly output: unknown
    }
  | { readonly type: 'profile_switched'; readonly profileId: string; readonly profileName: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'server_status'; readonly server: string; readonly status: string }
  /** The connection is to be dropped, as a fault; the run goes on. */
  | { readonly type: 'disconnect' }
  /** A `fatal` one is followed by the end of the run. */
  | { readonly type: 'error'; readonly code: string; readonly message: string; readonly fatal: boolean }
  | {
      readonly type: 'run_ended'
      readonly outcome: 'finished' | 'stopped' | 'failed'
      /** Why it failed. */
      readonly failure?: string
      /** The text of the last message. */
      readonly text: string
      readonly usage: Usage
      readonly durationMs: number
      /** How many messages the model made. */
      readonly turns: number
      readonly contextTokens: number
      readonly maxContextTokens: number
    }
  /** Comes after the end of the run that filled the context. */
  | { readonly type: 'context_compressed'; readonly before: number; readonly after: number; readonly summary: string }

export type ToolCallArguments = Readonly<Record<string, unknown>>

export interface ToolCall {
  readonly id: string
  /** The id that the model's provider gave the call, where it gave one. */
  readonly providerId?: string
  readonly tool: string
  readonly args: ToolCallArguments
}

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

export const addUsage = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  costUsd: one.costUsd + other.costUsd,
})
