import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { HARNESS_HINT } from '../../observer/gates/audience.ts'
import {
  FaultsArgument,
  SCENARIO_ARGUMENTS,
  SeedArgument,
  scenarioArgument,
  VariantArgument,
} from '../../observer/scenario-source.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { DesktopSessions } from '../../observer/session/sessions.ts'
import { describeProblems } from '../../observer/tool.ts'
import { variantOf } from '../../observer/tools/session-tools.ts'
import { audienceOf, type HarnessAccess } from '../http/guard.ts'
import { sendReply } from './reply.ts'

/** Body of `POST /sessions`. */
export const CreateSession = z
  .strictObject({
    ...SCENARIO_ARGUMENTS,
    seed: SeedArgument.optional(),
    variant: VariantArgument.optional(),
    faults: FaultsArgument.optional(),
    audience: z
      .enum(['all', 'agent'])
      .optional()
      .describe('agent: callers need the harness_token of the answer for the tools of the harness'),
  })
  .prefault({})

/** The session of a path below `/sessions/ID`, or else the first one. */
export const sessionOf =
  (sessions: DesktopSessions) =>
  (request: FastifyRequest): DesktopSession => {
    const { sessionId } = request.params as { readonly sessionId?: string }
    return sessionId === undefined ? sessions.first : sessions.get(sessionId)
  }

/** Routes for opening, listing and closing desktops. Each desktop serves the observer's routes below its base URL. */
export function sessionRoutes(app: FastifyInstance, sessions: DesktopSessions, harness: HarnessAccess): void {
  const requireHarness = (request: FastifyRequest, session = sessions.first): void => {
    if (audienceOf(session, request.headers, harness) === 'harness') return
    throw new Fault(
      'PermissionDenied',
      `only the harness may open, list and close sessions and list scenarios; ${HARNESS_HINT}`,
    )
  }

  app.post('/sessions', async (request, reply) => {
    requireHarness(request)
    const { seed, variant, faults, audience, ...given } = validate(CreateSession, request.body ?? {})
    const session = await sessions.open({ scenario: scenarioArgument(given), seed, variant, faults, audience })
    return sendReply(reply, { status: 201, body: { ok: true, ...describe(session), ...tokenOf(session) } })
  })
  app.get('/sessions', async (request, reply) => {
    requireHarness(request)
    const listed = sessions.list().map(({ session, openedMs, usedMs }) => ({
      ...describe(session),
      opened_at: openedMs / 1000,
      used_at: usedMs / 1000,
    }))
    const { limit, ttlMs } = sessions
    return sendReply(reply, {
      status: 200,
      body: { ok: true, count: listed.length, limit, ttl_s: ttlMs / 1000, sessions: listed },
    })
  })
  app.get('/scenarios', async (request, reply) => {
    requireHarness(request)
    const scenarios = await sessions.scenarios()
    return sendReply(reply, { status: 200, body: { ok: true, count: scenarios.length, scenarios } })
  })
  app.post('/api/stop-all', async (_request, reply) => {
    const stopped = sessions.stopAll()
    return sendReply(reply, { status: 200, body: { ok: true, success: true, stopped } })
  })
  app.delete<{ Params: { sessionId: string } }>('/sessions/:sessionId', async (request, reply) => {
    const { sessionId } = request.params
    requireHarness(request, sessions.get(sessionId))
    await sessions.close(sessionId)
    return reply.code(204).send()
  })
}

/** Validates a strict body. Throws `BadRequest` with each problem, its path, and the nearest known name. */
function validate<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const problems = describeProblems(schema, body, parsed.error)
  throw new Fault('BadRequest', problems.join('; '), { problems })
}

function describe(session: DesktopSession) {
  const { simulation } = session.computer
  return {
    session_id: session.id,
    base_url: `/sessions/${session.id}`,
    scenario: simulation?.scenario ?? null,
    state: simulation?.state ?? null,
    task: simulation?.task ?? null,
    seed: simulation?.seed ?? null,
    ...variantOf(simulation),
    step_count: session.steps,
    audience: session.audience,
    finished: session.episode.finish ?? null,
  }
}

/** The harness token, which only the response that opens a session includes. */
const tokenOf = ({ harnessToken }: DesktopSession) =>
  harnessToken === undefined ? {} : { harness_token: harnessToken }
