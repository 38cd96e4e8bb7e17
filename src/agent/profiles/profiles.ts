import * as z from 'zod'
import { PermissionRule } from './permissions.ts'

/** The default backend and model of a profile. */
export const SCRIPTED = 'scripted'

/** An agent profile: its tools, model and context window. Keys are spelled as in a profiles file. */
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
    .describe('Rules that ask about, allow or deny calls; the first match applies'),
  max_context_tokens: z.int().min(100).default(65_536),
})
export type Profile = z.infer<typeof Profile>

/** The default profile of a session. */
export const DEFAULT_PROFILE: Profile = Profile.parse({
  id: 'default',
  name: 'Assistant',
  description: 'Answers questions and uses the desktop.',
})
