import type { RequirementSet } from '../requirement.ts'
import { agentWebkitItems } from './agent-webkit/items.ts'
import { streamRequirements } from './agent-webkit/streams.ts'
import { turnRequirements } from './agent-webkit/turns.ts'

/** What the agent-webkit wire protocol 1.0 asks of a server. */
export const agentWebkit = {
  protocol: 'agent-webkit',
  document: 'agent-webkit wire protocol 1.0',
  items: agentWebkitItems,
  requirements: { ...streamRequirements, ...turnRequirements },
} as const satisfies RequirementSet
