import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { problemsIn } from '../../base/problems.ts'
import { HARNESS_HINT } from '../../observer/gates/audience.ts'
import type { Session } from '../../observer/session.ts'
import type { Sessions } from '../../observer/sessions.ts'
import { audienceOf, type HarnessGuard } from './audience.ts'
import { send } from './sending.ts'

/** Body of `POST /sessions`. */
export const Opening = z
  .strictObject({
    scenario: z.string().min(1).optional(),
    seed: z.int().optional(),
    audience: z
      .enum(['all', 'agent'])
      .optional()
      .describe('agent: callers need the harness_token of the answer for the tools of the harness'),
  })
  .prefault({})

/** The session that a path below `/sessions/ID` is about, else the first one. */
export const sessionOf =
  (sessions: Sessions) =>
  (request: FastifyRequest): Session => {
    const { sessionId } = request.params as { readonly sessionId?: string }
    return sessionId === undefined ? sessions.first : sessions.get(sessionId)
  }

/** Opening, listing and closing desktops. Each answers the observer's routes below its base URL. */
export function sessionRoutes(app: FastifyInstance, sessions: Sessions, harness: HarnessGuard): void {
  const forHarness = (request: FastifyRequest, session = sessions.first): void => {
    if (audienceOf(session, request.headers, harness) === 'harness') return
    throw new Fault('PermissionDenied', `opening, listing and closing sessions is for the harness; ${HARNESS_HINT}`)
  }

  app.post('/sessions', async (request, reply) => {
    forHarness(request)
    const asked = Opening.safeParse(request.body ?? {})
    if (!asked.success) throw new Fault('BadRequest', problemsIn(asked.error))
    const session = await sessions.open(asked.data)
    return send(reply, { status: 201, body: { ok: true, ...about(session), ...tokenOf(session) } })
  })
  app.get('/sessions', async (request, reply) => {
    forHarness(request)
    const listed = sessions.list().map(({ session, openedMs, usedMs }) => ({
      ...about(session),
      opened_at: openedMs / 1000,
      used_at: usedMs / 1000,
    }))
    const { limit, ttlMs } = sessions
    return send(reply, {
      status: 200,
      body: { ok: true, count: listed.length, limit, ttl_s: ttlMs / 1000, sessions: listed },
    })
  })
  app.post('/api/stop-all', async (_request, reply) => {
    const stopped = sessions.stopAll()
    return send(reply, { status: 200, body: { ok: true, success: true, stopped } })
  })
  app.delete<{ Params: { sessionId: string } }>('/sessions/:sessionId', async (request, reply) => {
    const { sessionId } = request.params
    forHarness(request, sessions.get(sessionId))
    await sessions.close(sessionId)
    return reply.code(204).send()
  })
}

function about(session: Session) {
  const { stage } = session.computer
  return {
    session_id: session.id,
    base_url: `/sessions/${session.id}`,
    scenario: stage?.scenario ?? null,
    state: stage?.state ?? null,
    seed: stage?.seed ?? null,
    step_count: session.steps,
    audience: session.audience,
    finished: session.episode.finish ?? null,
  }
}

/** Only who opens a session learns its token. */
const tokenOf = ({ harnessToken }: Session) => (harnessToken === undefined ? {} : { harness_token: harnessToken })
