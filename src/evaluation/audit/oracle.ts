import type { HarnessAccess } from '../../protocols/http/audience.ts'
import { type AccessProbe, type AgentRequest, bodyOf, isRefusal, type ProbeAnswer } from '../../protocols/probe.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { type AuditSecrets, secretIn } from './secrets.ts'
import { ACCESS_WAYS, type AccessWay, serveAttempt } from './served.ts'

/** A request that shows an agent what only the harness may know. */
export interface OpenDoor {
  readonly request: AgentRequest
  readonly message: string
}

const HARNESS_TOKEN = 'token-of-the-harness-that-no-agent-has'

/**
 * Asks for the oracle with the token of an agent: with everything that is for the harness, with guessed harness tokens, and
 * in what agents may read at the start.
 * @param access How a server knows the harness; by default by a token that agents do not have.
 * @param ways The ways to a desktop; by default all of the registry.
 */
export async function findOpenDoor(
  scenario: Scenario,
  secrets: AuditSecrets,
  access: HarnessAccess = { harnessToken: HARNESS_TOKEN },
  ways: readonly AccessWay[] = ACCESS_WAYS,
): Promise<OpenDoor | undefined> {
  for (const way of ways)
    for (const probe of await way.loadProbes()) {
      const served = await serveAttempt(scenario, access, way)
      try {
        const found = await findOpening(probe, served, secrets)
        if (found) return found
      } finally {
        await served.close()
      }
    }
  return undefined
}

async function findOpening(
  { refused, allowed, exchange, isRefused = isRefusal }: AccessProbe,
  { context, send }: Awaited<ReturnType<typeof serveAttempt>>,
  { answers, oracles }: AuditSecrets,
): Promise<OpenDoor | undefined> {
  const ask = async (request: AgentRequest): Promise<ProbeAnswer> => {
    if (exchange) return exchange(request, send)
    const answer = await send(request)
    return { status: answer.status, body: bodyOf(answer) }
  }
  for (const request of refused(context))
    if (!isRefused(await ask(request)))
      return { request, message: `${request.method} ${request.path} is not refused to agents` }
  for (const request of allowed(context)) {
    const found = secretIn((await ask(request)).body, [...answers, ...oracles])
    if (found !== undefined)
      return { request, message: `${request.method} ${request.path} shows agents ${JSON.stringify(found)}` }
  }
  return undefined
}
