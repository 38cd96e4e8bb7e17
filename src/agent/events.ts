import * as z from 'zod'

/** The events of a chat, in order. Protocols only translate them. */
export type AgentEvent = Stamp & EventBody

export interface Stamp {
  readonly runId: string
  /** Milliseconds since the Unix epoch on the session's clock. */
  readonly atMs: number
  /** Whether the event belongs to a nested agent inside a `spawn_agent` call. */
  readonly subagent: boolean
}

export type EventBody =
  | { readonly type: 'run_started'; readonly text: string }
  /** `closing`: whether this is the last message of its run; undefined if the model decides that while it streams. */
  | { readonly type: 'message_start'; readonly messageId: string; readonly closing: boolean | undefined }
  | { readonly type: 'thinking_delta'; readonly messageId: string; readonly text: string }
  | { readonly type: 'text_delta'; readonly messageId: string; readonly text: string }
  | { readonly type: 'tool_call_start'; readonly messageId: string; readonly callId: string; readonly tool: string }
  /** A piece of the arguments as JSON. The joined pieces of a call are its arguments. */
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
      /** The ids of refused calls, for clients that execute calls themselves. */
      readonly refused?: readonly string[]
    }
  /** Markdown. */
  | { readonly type: 'plan'; readonly text: string }
  | {
      readonly type: 'permission_request'
      /** The id of the call that needs permission, unique across all sessions. */
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
  /** A hook of the host waits for a decision, which arrives like a permission decision. */
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
      /** The result as the model reads it. */
      readonly text: string
      readonly output: unknown
    }
  | { readonly type: 'profile_switched'; readonly profileId: string; readonly profileName: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'server_status'; readonly server: string; readonly status: string }
  /** A fault that drops the connection. The run continues. */
  | { readonly type: 'disconnect' }
  /** An error. The run ends after a `fatal` one. */
  | { readonly type: 'error'; readonly code: string; readonly message: string; readonly fatal: boolean }
  | {
      readonly type: 'run_ended'
      readonly outcome: 'finished' | 'stopped' | 'failed'
      /** The reason of a failure. */
      readonly failure?: string
      /** The text of the last message. */
      readonly text: string
      readonly usage: Usage
      readonly durationMs: number
      /** The number of messages that the model wrote. */
      readonly turns: number
      readonly contextTokens: number
      readonly maxContextTokens: number
    }
  /** Follows the end of the run that filled the context. */
  | { readonly type: 'context_compressed'; readonly before: number; readonly after: number; readonly summary: string }

export type ToolCallArguments = Readonly<Record<string, unknown>>

export interface ToolCall {
  readonly id: string
  /** The id from the model's provider, if it sent one. */
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

const Option = z.object({
  value: z.string().describe('The answer if this option is chosen').optional(),
  label: z.string(),
  description: z.string().optional(),
})

const Question = z.object({
  id: z.string().describe('The key of the answer').optional(),
  question: z.string(),
  header: z.string().describe('A word or two above the question').optional(),
  type: z.enum(['single', 'multiple', 'text', 'textarea']).default('single'),
  options: z.array(Option).default([]),
  required: z.boolean().optional(),
  placeholder: z.string().optional(),
  allow_other: z.boolean().describe('Whether other answers than the options are allowed').optional(),
})

/** Questions that the agent asks the user in one form. */
export const QuestionForm = z.object({
  title: z.string().default('A question'),
  description: z.string().optional(),
  questions: z.array(Question).min(1),
})
export type QuestionForm = z.infer<typeof QuestionForm>

/** Answers by question id: one value or several. */
export type Answers = Readonly<Record<string, string | readonly string[]>>

/** Returns the id of a question, or its position if it has none. */
export const questionId = (form: QuestionForm, index: number): string => form.questions[index]?.id ?? `q${index + 1}`

/** Formats the answers for the model. Ignores ids without a question. */
export function readAnswers(form: QuestionForm, answers: Answers): string {
  const lines = form.questions.map((question, index) => {
    const answer = answers[questionId(form, index)]
    const given = answer === undefined ? '(no answer)' : [answer].flat().join(', ')
    return `${question.question} ${given}`
  })
  return lines.join('\n')
}
