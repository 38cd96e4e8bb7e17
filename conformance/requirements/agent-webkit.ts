import { agentWebkitItems } from '../agent-webkit/document.ts'
import type { RequirementSet } from '../requirement.ts'
import { streamRequirements } from './agent-webkit/streams.ts'
import { turnRequirements } from './agent-webkit/turns.ts'

/** The requirements of the agent-webkit wire protocol 1.0 for servers. */
export const agentWebkit = {
  protocol: 'agent-webkit',
  document: 'agent-webkit wire protocol 1.0',
  groups: {
    'W-E': 'Endpoints',
    'W-M': 'Messages of the client',
    'W-V': 'Events',
    'W-X': 'Statuses and codes',
    'W-F': 'Frames',
    'W-R': 'Resuming',
    'W-T': 'Turns',
    'W-D': 'Implied by the document',
  },
  items: agentWebkitItems,
  requirements: { ...streamRequirements, ...turnRequirements },
} as const satisfies RequirementSet
