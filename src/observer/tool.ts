import type { z } from 'zod'
import type { Fault, FaultCode } from '../base/fault.ts'
import type { Session } from './session.ts'

/**
 * One thing an agent can ask of a desktop. The input schema is the type, the validation, the MCP listing, the OpenAPI
 * page and the conformance contract. A tool never mentions HTTP or MCP.
 */
export interface Tool<Input = unknown> {
  readonly name: string
  /** `act` changes the desktop and spends the action budget; `look` reads it; `manage` concerns the session itself. */
  readonly kind: 'look' | 'act' | 'manage'
  readonly summary: string
  readonly input: z.ZodType<Input>
  /** The fields of the answer besides the envelope. */
  readonly output: z.ZodObject
  /** What a caller can cause here, besides the gates' own refusals. */
  readonly faults: readonly FaultCode[]
  readonly traits: Traits
  readonly run: (call: ToolCall<Input>) => Promise<Answer> | Answer
}

export interface Traits {
  /** Text of the desktop's programs is in the answer; it is marked as such and freed of control characters. */
  readonly untrusted?: boolean
  /** Spends the screenshot budget. */
  readonly picture?: boolean
  /** Answered even when the operator's list denies it. */
  readonly alwaysAllowed?: boolean
  /** Doing it again changes nothing more. */
  readonly idempotent?: boolean
  /** May destroy what a person made. */
  readonly destructive?: boolean
  /** Left out of traces. */
  readonly untraced?: boolean
}

export interface ToolCall<Input> {
  readonly input: Input
  readonly session: Session
  /** The number of this call in its session. */
  readonly stepId: number
  /** Takes a further number, for a tool that is two steps: an action and the look after it. */
  readonly nextStep: () => number
  /** Calls another tool of this session through all gates, as replay does. */
  readonly call: (name: string, args: unknown) => Promise<Outcome>
}

/** What a call came to: the whole body in the document's spelling, and the fault behind a refusal. */
export interface Outcome {
  readonly body: Answer
  readonly fault: Fault | undefined
}

/** The fields of a successful answer, in the document's spelling. */
export type Answer = Readonly<Record<string, unknown>>

/** Gives a tool its input type from its schema. */
export function defineTool<Schema extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'run' | 'traits'> & {
    readonly input: Schema
    readonly traits?: Traits
    readonly run: (call: ToolCall<z.infer<Schema>>) => Promise<Answer> | Answer
  },
): Tool {
  return { traits: {}, ...tool } as Tool
}
