import { describe, expect, it } from 'vitest'
import { brokenClients } from '../../fixtures/broken-clients/index.ts'
import type { ClientProtocol } from '../requirement.ts'
import { certifyClient } from './run.ts'

describe.each(Object.entries(brokenClients))('a small client of %s', (protocol, { client, violations }) => {
  // Most of a run is waiting, so several go on at once.
  it.concurrent.each(Object.entries(violations).filter(([, { fails }]) => fails !== ''))(
    'that %s fails for that and for nothing else',
    async (_, { rules, fails }) => {
      const { verdicts, unreachable } = await certifyClient({
        protocol: protocol as ClientProtocol,
        client: (given, signal) => client(given, signal, rules as object),
        repeats: 0,
        patienceMs: 2000,
      })
      const failed = verdicts.filter(({ result }) => ['failed', 'unsteady', 'harness'].includes(result))
      expect([unreachable, failed.map(({ id }) => id)]).toEqual([undefined, [`${protocol}-client:${fails}`]])
    },
  )
})
