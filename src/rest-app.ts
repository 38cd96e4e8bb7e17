import type { FastifyInstance } from 'fastify'
import { Fault } from './base/fault.ts'
import type { MemorySession } from './memory-session.ts'
import { Sessions } from './observer/session/sessions.ts'
import { observerRest, type RestAccess } from './protocols/observer-rest/server.ts'

/** The REST server of a session in memory. It does not listen; requests are handed to it with `inject`. */
export function restAppOf(
  { session }: Pick<MemorySession, 'session'>,
  guard: Partial<RestAccess> = {},
): Promise<FastifyInstance> {
  return observerRest({
    sessions: new Sessions({
      first: session,
      open: () => Promise.reject(new Fault('Busy', 'a rehearsal has one desktop')),
      ids: session.ids,
      operatorClock: session.operatorClock,
      limit: 0,
      ttlMs: 0,
    }),
    access: { hosts: [], origins: [], token: undefined, ...guard },
    config: { path: '', error: null },
    report: (bug) => {
      throw bug
    },
  })
}
