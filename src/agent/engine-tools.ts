import * as z from 'zod'
import { QuestionForm } from './events.ts'
import type { ToolDescription } from './toolbox.ts'

/** The engine's own tools. They act on the conversation rather than on the desktop. */
export const ASK_USER = 'ask_user'
export const ASK_PERMISSION = 'ask_permission'
export const SPAWN_AGENT = 'spawn_agent'
export const SWITCH_PROFILE = 'switch_profile'

export const SpawnInput = z.object({ task: z.string().min(1).describe('What the nested agent is to do') })
export const SwitchInput = z.object({ profile_id: z.string().min(1).describe('The profile to switch to') })

const schema = (type: z.ZodType) => z.toJSONSchema(type, { io: 'input' })

export const ENGINE_TOOLS: readonly ToolDescription[] = [
  {
    name: ASK_USER,
    description: 'Ask the person one or more questions and wait for the answers.',
    input: schema(QuestionForm),
  },
  {
    name: SPAWN_AGENT,
    description: 'Let a nested agent do a task of its own and report what came of it.',
    input: schema(SpawnInput),
  },
  {
    name: SWITCH_PROFILE,
    description: 'Continue as another profile from the next message on.',
    input: schema(SwitchInput),
  },
]

/** Returns the engine tools that work with these capabilities. */
export const engineTools = ({ questions }: Pick<ProtocolCapabilities, 'questions'>): readonly ToolDescription[] =>
  ENGINE_TOOLS.filter(({ name }) => name !== ASK_USER || questions === 'ask')

/** How a protocol runs calls and asks the user. */
export interface ProtocolCapabilities {
  /** The maximum number of concurrent calls of one message. */
  readonly parallel: number
  /** Whether results are emitted one by one, or all together in order after the last. */
  readonly results: 'each' | 'together'
  /** `ask`, or the fixed answer of a protocol that cannot ask. */
  readonly permissions: 'ask' | 'allow'
  readonly questions: 'ask' | 'skip'
  /** Unanswered permission requests are denied after this time. */
  readonly permissionTimeoutMs?: number
}
