import type { Flow } from '../../client/flow.ts'
import { requirementIds } from '../../client/flow-helpers.ts'
import type { ClientRule } from './requirements.ts'
import type { AgentWebkitServer } from './server.ts'

export type AgentWebkitFlow = Flow<AgentWebkitServer>

export const { ids, endsWell } = requirementIds<ClientRule>('agent-webkit-client')

/** Milliseconds to wait for unexpected messages of the client. */
export const TURN_WATCH_MS = 400

export const correlationProblem = (actual: unknown, expected: string): string | undefined =>
  actual === expected ? undefined : `the reply names ${JSON.stringify(actual)}, not "${expected}"`
