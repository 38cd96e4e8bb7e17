import { afterEach, describe, expect, it } from 'vitest'
import { cortask } from '../fixtures/broken-servers/cortask.ts'
import * as mcp from '../fixtures/broken-servers/mcp.ts'
import { navi } from '../fixtures/broken-servers/navi.ts'
import { observer } from '../fixtures/broken-servers/observer.ts'
import { windieos } from '../fixtures/broken-servers/windieos.ts'
import { profileOf } from './profile.ts'
import { certify, type Outcome } from './run.ts'

// The broken servers of agent-webkit, which is whole, are tried beside the outcome rules in run.test.ts.

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** What did not pass, without the protocol. */
const troubles = ({ protocol, unreachable, verdicts }: Outcome): readonly string[] =>
  unreachable !== undefined
    ? [unreachable]
    : verdicts.filter(({ result }) => result !== 'passed').map(({ id }) => id.replace(`${protocol}:`, ''))

for (const [protocol, server] of Object.entries({ cortask, navi, observer, windieos } as const))
  describe(`a small server of ${protocol}`, () => {
    const { slice, phrases, violations, start } = server as typeof observer
    const tried = async (rules: object) => {
      const { url, close } = await start(rules)
      closing.push(close)
      const only = slice.map((id) => `${protocol}:${id}`)
      const profile = profileOf('miniature', { phrases, known: {} })
      const outcome = await certify({ protocol: protocol as 'observer', url, profile, only, patienceMs: 1500 })
      expect(outcome.verdicts.length).toBeGreaterThanOrEqual(slice.length)
      return troubles(outcome)
    }

    it('passes what it is right about', async () => {
      expect(await tried({})).toEqual([])
    })

    it.each(Object.entries(violations))('that %s fails for that and for nothing else', async (_, { rules, fails }) => {
      expect(await tried(rules)).toEqual(fails)
    })
  })

describe('a small server on standard output', () => {
  const only = mcp.slice.map((id) => `observer:${id}`)
  const tried = async (violation?: string) =>
    troubles(await certify({ protocol: 'observer', command: mcp.commandFor(violation), only }))

  it('passes what it is right about', async () => {
    expect(await tried()).toEqual([])
  }, 60_000)

  it.each(Object.entries(mcp.violations))(
    'that %s fails for that and for nothing else',
    async (violation, { fails }) => {
      expect(await tried(violation)).toEqual(fails)
    },
    60_000,
  )
})
