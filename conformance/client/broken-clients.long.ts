import { describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { brokenClients } from '../../fixtures/broken-clients/index.ts'
import { certifyClient } from '../certify-client.ts'
import { ACTING } from '../observer/client/acting.ts'
import { actingFlows } from '../observer/client/acting-flows.ts'
import { type CertifiedClientProtocol, loadClientSuite } from '../protocols.ts'

/**
 * Violations run in all flows. Over MCP, where each flow starts processes, those of agents run in their own flow, and those of the
 * wire in its flows.
 */
async function flowsFor(
  protocol: CertifiedClientProtocol,
  fails: string,
): Promise<{ readonly only?: readonly string[] }> {
  const { flows } = await loadClientSuite(protocol)
  if (protocol !== 'mcp') return {}
  const acting = actingFlows('mcp-client').map(({ name }) => name)
  const about = flows.filter(({ name, requirements, ending }) =>
    fails in ACTING ? [...requirements, ending.id].includes(`mcp-client:${fails}`) : !acting.includes(name),
  )
  return { only: [...new Set([flows[0]!.name, ...about.map(({ name }) => name)])] }
}

const CASES = Object.entries(brokenClients).flatMap(([protocol, { client, violations }]) =>
  Object.entries(violations)
    .filter(([, { fails }]) => fails !== '')
    .map(([name, violation]) => [protocol as CertifiedClientProtocol, name, client, violation] as const),
)

describe('a small client', () => {
  // Those of the other protocols are certified in `certify.long.ts`.
  it('of mcp passes when it is right', async () => {
    const { client } = brokenClients.mcp
    const { results } = await certifyClient({ protocol: 'mcp', client, repeats: 0 })
    expect(results.filter(({ status }) => status !== 'passed' && status !== 'unchecked')).toEqual([])
  }, 180_000)

  // A run mostly waits, so several run in parallel.
  it.concurrent.each(shareOf(CASES))(
    'of %s that %s fails exactly one requirement',
    async (protocol, _, client, { rules, fails }) => {
      const { results, unreachable } = await certifyClient({
        protocol,
        client: (given, signal) => client(given, signal, rules as object),
        ...(await flowsFor(protocol, fails)),
        repeats: 0,
        concurrency: 3,
        responseTimeoutMs: 3000,
      })
      const failed = results.filter(({ status }) => ['failed', 'unsteady', 'harness'].includes(status))
      expect([unreachable, failed.map(({ id }) => id)]).toEqual([undefined, [`${protocol}-client:${fails}`]])
    },
    180_000,
  )
})
