import { afterEach, describe, expect, it } from 'vitest'
import { shareOf } from '../.ci/share.ts'
import * as agentWebkit from '../fixtures/broken-servers/agent-webkit.ts'
import { violations as agentWebkitViolations, TOKEN } from '../fixtures/broken-servers/agent-webkit-violations.ts'
import { cortask } from '../fixtures/broken-servers/cortask.ts'
import * as mcp from '../fixtures/broken-servers/mcp.ts'
import { navi } from '../fixtures/broken-servers/navi.ts'
import { observer } from '../fixtures/broken-servers/observer.ts'
import { osworld } from '../fixtures/broken-servers/osworld.ts'
import { windieos } from '../fixtures/broken-servers/windieos.ts'
import { createProfile } from './profile.ts'
import { loadSuite } from './protocols.ts'
import type { CertificationResult } from './run/outcome.ts'
import { certify } from './run.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** These servers fail deterministically, so no failure needs to be repeated. */
const AT_ONCE = { repeats: 0 }

/** The requirements that did not pass, without the protocol prefix. */
const troubles = ({ protocol, unreachable, results }: CertificationResult): readonly string[] =>
  unreachable !== undefined
    ? [unreachable]
    : results
        .filter(({ status }) => ['failed', 'unsteady', 'unjudged', 'harness'].includes(status))
        .map(({ id }) => id.replace(`${protocol}:`, ''))

for (const [protocol, server] of Object.entries({ cortask, navi, observer, windieos, osworld } as const))
  describe(`a small server of ${protocol}`, () => {
    const { slice, phrases, violations, start } = server as typeof observer
    const tried = async (rules: object) => {
      const { url, close } = await start(rules)
      closing.push(close)
      const only = slice.map((id) => `${protocol}:${id}`)
      const profile = createProfile('miniature', { phrases, known: { directory: '/tmp' } })
      const outcome = await certify({
        protocol: protocol as 'observer',
        url,
        profile,
        only,
        responseTimeoutMs: 3000,
        ...AT_ONCE,
      })
      expect(outcome.results.length).toBeGreaterThanOrEqual(slice.length)
      return troubles(outcome)
    }

    it('passes the requirements that it meets', async () => {
      expect(await tried({})).toEqual([])
    })

    it.each(shareOf(Object.entries(violations)))(
      'that %s fails exactly one requirement',
      async (_, { rules, fails }) => {
        expect(await tried(rules)).toEqual([fails])
      },
    )
  })

/** Checks up to this timeout run for every violation. Longer ones run only where they should fail. */
const QUICK_MS = 20_000

describe('a small server of agent-webkit', async () => {
  const { checks } = await loadSuite('agent-webkit')
  const names = ['hello', 'tool', 'permission', 'question', 'hook', 'long', 'endless', 'burst', 'flood', 'error', 'mcp']
  const phrases = Object.fromEntries(names.map((name) => [name, name]))
  const profile = createProfile('miniature', { phrases })
  const tried = async (rules: object, all: boolean) => {
    const { url, close } = await agentWebkit.start(rules)
    const given = { protocol: 'agent-webkit', url, token: TOKEN, profile } as const
    // Several whole suites share one process, so responses may be slow.
    const how = all
      ? { ...AT_ONCE, responseTimeoutMs: 10_000 }
      : { ...AT_ONCE, responseTimeoutMs: 4000, quickMs: QUICK_MS }
    try {
      return troubles(await certify({ ...given, ...how }))
    } finally {
      await close()
    }
  }

  it('passes the whole suite', async () => {
    expect(await tried({}, true)).toEqual([])
  })

  // A run mostly waits, so several run in parallel.
  it.concurrent.each(shareOf(Object.entries(agentWebkitViolations)))(
    'that %s fails exactly one requirement',
    async (_, { rules, fails }) => {
      const takesLong = (checks.get(`agent-webkit:${fails}`)?.timeoutMs ?? 0) > QUICK_MS
      expect(await tried(rules, takesLong)).toEqual([fails])
    },
    120_000,
  )
})

describe('a small server on standard output', () => {
  const tried = async (violation = '', isStateless = false) => {
    const only = (isStateless ? mcp.statelessSlice : mcp.slice).map((id) => `observer:${id}`)
    const command = mcp.commandFor(violation, { isStateless })
    return certify({ protocol: 'observer', command, only, ...AT_ONCE })
  }

  it.concurrent.each([
    ['with a handshake', false, mcp.slice],
    ['of 2026-07-28 only', true, mcp.statelessSlice],
  ])('passes the requirements that it meets, %s', async (_, isStateless, slice) => {
    const outcome = await tried('', isStateless)
    expect([troubles(outcome), outcome.conclusion.counts.passed]).toEqual([[], slice.length])
  })

  it.concurrent.each(['writes logs to standard output', 'exits with an error', 'ignores malformed lines'])(
    'of 2026-07-28 only that %s fails exactly one requirement',
    async (violation) => {
      expect(troubles(await tried(violation, true))).toEqual([mcp.violations[violation]!.fails])
    },
  )

  // Most of a run is waiting for processes to start.
  it.concurrent.each(shareOf(Object.entries(mcp.violations)))(
    'that %s fails exactly one requirement',
    async (violation, { fails }) => {
      expect(troubles(await tried(violation))).toEqual([fails])
    },
  )
})
