import type { FastifyInstance } from 'fastify'
import { Fault } from '../base/fault.ts'
import { DesktopSessions } from '../observer/session/sessions.ts'
import type { DoorDefinition } from '../protocols/door.ts'
import type { ServerAccess } from '../protocols/http/guard.ts'
import { observerRest } from '../protocols/observer-rest/server.ts'
import { OBSERVER_DOORS } from '../protocols/registry.ts'
import type { MemorySession } from './memory-session.ts'

/** The sessions of a server that has one only. */
export const oneSession = (session: MemorySession['session']): DesktopSessions =>
  new DesktopSessions({
    first: session,
    open: () => Promise.reject(new Fault('Busy', 'a test desktop has one session')),
    ids: session.ids,
    operatorClock: session.operatorClock,
    limit: 0,
    ttlMs: 0,
  })

/**
 * Creates the REST server of a session in memory. It does not listen; `inject` sends requests to it.
 * @param doors Further ways to call the tools, by default all.
 * @param report Receives unexpected internal errors. By default it throws them.
 */
export function createFastifyApp(
  { session }: Pick<MemorySession, 'session'>,
  guard: Partial<ServerAccess> = {},
  doors: readonly DoorDefinition[] = OBSERVER_DOORS,
  report: (bug: unknown) => void = (bug) => {
    throw bug
  },
): Promise<FastifyInstance> {
  return observerRest({
    sessions: oneSession(session),
    doors,
    access: { hosts: [], origins: [], token: undefined, ...guard },
    config: { path: '', error: null },
    report,
  })
}
