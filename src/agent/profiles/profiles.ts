import * as z from 'zod'
import { PermissionRule } from './permissions.ts'

/** The backend and the model of a profile that names none. */
export const SCRIPTED = 'scripted'

/** Who the agent is: its tools, its model and its window. Spelled as in a profiles file. */
export const Profile = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  description: z.string().default(''),
  enabled_tools: z.array(z.string()).describe('Tools it may use; left out: every tool').optional(),
  llm_backend: z.string().default(SCRIPTED),
  model: z.string().default(SCRIPTED),
  system_prompt: z.string().optional(),
  planning_enabled: z.boolean().default(false),
  thinking_enabled: z.boolean().default(true),
  permissions: z
    .array(PermissionRule)
    .default([])
    .describe('Which calls are asked about, allowed or denied; the first rule that fits counts'),
  max_context_tokens: z.int().min(100).default(65_536),
})
export type Profile = z.infer<typeof Profile>

/** The profile of a session that names none. */
export const DEFAULT_PROFILE: Profile = Profile.parse({
  id: 'default',
  name: 'Assistant',
  description: 'Answers questions and uses the desktop.',
})
