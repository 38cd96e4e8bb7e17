import type { FlowContext } from './conversation.ts'

/** Milliseconds to wait for unexpected messages of the client. */
export const WATCH_MS = 500
/** Milliseconds to wait for a client to leave after an event that it cannot read. */
export const GLANCE_MS = 250
/** Milliseconds to wait for a reconnect. */
export const RECONNECT_MS = 10_000
/** The maximum number of connections or requests per second. */
export const MAX_ATTEMPTS_PER_SECOND = 5

/** Builds the requirement ids and the endings for the flows of one requirement set. */
export function requirementIds<Rule extends string>(set: string) {
  const id = (rule: Rule) => `${set}:${rule}`
  return {
    id,
    ids: (...rules: readonly Rule[]): readonly string[] => rules.map(id),
    endsWell: (rule: Rule) => ({ how: 'well', id: id(rule) }) as const,
  }
}

interface ReadServer<Rule> {
  readonly flowContext: FlowContext
  readonly isOpen: boolean
  assess(rule: Rule, problem: string | undefined): boolean
}

/** Lets the client read the sent events, and fails `rule` when it leaves before `end`. */
export async function assertReads<Rule>(server: ReadServer<Rule>, rule: Rule, what: string, end: string) {
  await server.flowContext.pause(GLANCE_MS)
  const isReading = server.isOpen && !server.flowContext.isOver
  if (!isReading) server.assess(rule, `the client left after ${what}, before ${end}`)
}
