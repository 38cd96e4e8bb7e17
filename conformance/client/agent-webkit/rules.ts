import type { Flow } from '../flow.ts'
import type { Rule } from './requirements.ts'
import type { AgentWebkitServer } from './server.ts'

export type AgentWebkitFlow = Flow<AgentWebkitServer>

const id = (rule: Rule) => `agent-webkit-client:${rule}`
export const ids = (...rules: readonly Rule[]): readonly string[] => rules.map(id)
export const endsWell = (rule: Rule): AgentWebkitFlow['ending'] => ({ how: 'well', id: id(rule) })

/** Milliseconds to wait for unexpected messages of the client. */
export const WATCH_MS = 400

export const correlationProblem = (actual: unknown, expected: string): string | undefined =>
  actual === expected ? undefined : `the reply names ${JSON.stringify(actual)}, not "${expected}"`
