import { observerItems } from '../observer/document.ts'
import type { RequirementSet } from '../requirement.ts'
import { actingRequirements } from './observer/acting.ts'
import { changeRequirements } from './observer/changes.ts'
import { confirmationRequirements } from './observer/confirmation.ts'
import { gateRequirements } from './observer/gates.ts'
import { limitRequirements } from './observer/limits.ts'
import { mcpRequirements } from './observer/mcp.ts'
import { mcpHttpRequirements } from './observer/mcp-http.ts'
import { scenarioRequirements } from './observer/scenarios.ts'
import { screenRequirements } from './observer/screen.ts'
import { selectorRequirements } from './observer/selectors.ts'
import { serverRequirements } from './observer/server.ts'
import { storyRequirements } from './observer/story.ts'

/** The requirements of the OS Screen Observer for servers: REST versions 1 and 2, and MCP. */
export const observer = {
  protocol: 'observer',
  document: 'OS Screen Observer, API for LLM tool use, version 2',
  groups: {
    'O-E': 'Endpoints',
    'O-X': 'Error codes',
    'O-C': 'Conditions to wait for',
    'O-P': 'Predicates',
    'O-S': 'Selectors',
    'O-F': 'Filters of trees',
    'O-G': 'Gates',
    'O-R': 'Rules',
    'O-M': 'MCP',
  },
  items: observerItems,
  requirements: {
    ...screenRequirements,
    ...serverRequirements,
    ...actingRequirements,
    ...storyRequirements,
    ...gateRequirements,
    ...confirmationRequirements,
    ...selectorRequirements,
    ...changeRequirements,
    ...scenarioRequirements,
    ...limitRequirements,
    ...mcpRequirements,
    ...mcpHttpRequirements,
  },
} as const satisfies RequirementSet
