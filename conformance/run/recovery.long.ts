import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { foreignCortaskPhrases, startForeignCortask } from '../../fixtures/foreign-servers/cortask.ts'
import { foreignNaviPhrases, startForeignNavi } from '../../fixtures/foreign-servers/navi.ts'
import type { RestartableServer } from '../../fixtures/foreign-servers/restartable-server.ts'
import { createProfile } from '../profile.ts'
import { certify } from '../run.ts'
import type { Profile } from '../suite/test-context.ts'
import { type CertifyOptions, createRunContext } from './options.ts'
import type { CertificationResult } from './outcome.ts'
import { runCheck } from './run-check.ts'
import { createServerMonitor } from './server-monitor.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function kept(server: RestartableServer): RestartableServer {
  closing.push(server.close)
  return server
}

const cortask = createProfile('gateway', { phrases: foreignCortaskPhrases })
const navi = createProfile('diary', { phrases: foreignNaviPhrases })

const resultsOf = ({ results }: CertificationResult) =>
  Object.fromEntries(results.map(({ id, status }) => [id, status]))

describe('a server that dies while several checks talk to it', () => {
  const only = ['cortask:chat:attachments', 'cortask:chat:answer', 'cortask:chat:usage', 'cortask:run:scope']
  const given = { protocol: 'cortask', profile: cortask, only, responseTimeoutMs: 1000, repeats: 1 } as const

  it('is started again, and each of them is tried alone until the cause is found', async () => {
    const server = kept(await startForeignCortask({ diesOfAttachments: true }))
    const outcome = await certify({ ...given, url: server.url, restart: server.restart })
    expect(outcome.losses).toMatchObject([
      { during: ['cortask:chat:attachments'], request: expect.stringContaining('attachments'), restarted: true },
    ])
    const others = only.slice(1).map((id): [string, string] => [id, 'passed'])
    expect(resultsOf(outcome)).toEqual({ 'cortask:chat:attachments': 'failed', ...Object.fromEntries(others) })
  })

  it('is not blamed for anything in particular when it cannot be started again, and all candidates are named', async () => {
    const server = kept(await startForeignCortask({ diesOfAttachments: true }))
    const outcome = await certify({ ...given, url: server.url })
    expect(Object.values(resultsOf(outcome))).not.toContain('failed')
    expect(outcome.losses[0]!.during).toContain('cortask:chat:attachments')
    expect(outcome.conclusion.reasons[0]).toMatch(/a start command is needed to find the cause/)
    expect(outcome.exitCode).toBe(1)
  })
})

describe('a server that dies of one message', () => {
  it('passes when the baseline accepts that, and fails otherwise', async () => {
    const server = kept(await startForeignNavi({ diesOfNull: true }))
    const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
    closing.push(() => rmSync(folder, { recursive: true }))
    const baseline = join(folder, 'baseline.yaml')
    writeFileSync(baseline, 'expected_failures: { "navi:socket:malformed": the next version survives it }')
    const only = ['navi:socket:malformed', 'navi:flow:simple']
    const given = {
      protocol: 'navi',
      profile: navi,
      only,
      url: server.url,
      restart: server.restart,
      repeats: 1,
    } as const
    const strict = await certify(given)
    expect([strict.exitCode, strict.conclusion.reasons[0]]).toEqual([1, expect.stringContaining('the server was lost')])
    const accepting = await certify({ ...given, baseline })
    expect(accepting).toMatchObject({ exitCode: 0, conclusion: { reasons: [], counts: { accepted: 1 } } })
    expect(accepting.losses).toMatchObject([{ during: ['navi:socket:malformed'], accepted: true }])
  })
})

describe('an auxiliary server of the profile', () => {
  const check = (id: string) => ({ id, pool: 'auxiliary', timeoutMs: 1000, needs: [], run: async () => {} }) as const
  const command = `node -e "require('http').createServer((_, answer) => { answer.end(); process.exit(3) }).listen({port})"`

  it('that ends is named with the request it ended after, and started again when it is needed', async () => {
    const server = kept(await startForeignCortask())
    const profile = createProfile('further', {
      servers: {
        fast: command.replace(
          'answer.end(); process.exit(3)',
          'answer.end(\\"ok\\"); if (_.url === \\"/die\\") process.exit(3)',
        ),
      },
    })
    const runContext = await createRunContext({ protocol: 'cortask', url: server.url, profile })
    closing.push(runContext.close)
    const monitor = createServerMonitor(runContext)
    const url = await runContext.auxiliaries.url('fast')
    expect(await monitor.probe({ check: check('one'), frames: [] }, [])).toBeUndefined()
    await fetch(`${url}/die`).catch(() => undefined)
    await expect
      .poll(() =>
        fetch(url).then(
          () => true,
          () => false,
        ),
      )
      .toBe(false)
    const sent = { direction: 'sent', channel: 'http', title: 'GET /die', text: '' } as const
    const loss = await monitor.probe({ check: check('two'), frames: [sent] }, [])
    expect(loss).toMatchObject({ during: ['two'], request: '"GET /die"', auxiliary: 'the profile’s server "fast"' })
    expect(monitor.gone).toBe(false)
    const again = await runContext.auxiliaries.url('fast')
    expect((await fetch(again)).status).toBe(200)
  })
})

describe('a run', () => {
  const tried = async (
    faults: Parameters<typeof startForeignNavi>[0],
    more: Partial<CertifyOptions> & { profile?: Profile },
  ) => {
    const server = kept(await startForeignNavi(faults))
    return certify({ protocol: 'navi', tier: 'core', profile: navi, url: server.url, ...more })
  }

  it('starts no check after its time limit, and does not judge the rest', async () => {
    const outcome = await tried({}, { timeLimitMs: 0 })
    expect(outcome.exitCode).toBe(1)
    expect(outcome.conclusion.reasons).toContain(
      'the run was ended after 0 seconds, and the remaining checks are not judged',
    )
    expect(outcome.conclusion.counts).toMatchObject({ passed: 0, failed: 0 })
  })

  it('extends the timeout of a check on a slow server', async () => {
    const server = kept(await startForeignNavi({ delayMs: 700 }))
    const runContext = await createRunContext({ protocol: 'navi', url: server.url, profile: navi })
    const run = async ({ http }: { http: { get(path: string): Promise<unknown> } }) => {
      for (let time = 0; time < 3; time++) await http.get('/health')
    }
    const check = { id: 'navi:slow', pool: 'main', timeoutMs: 1800, needs: [], run } as const
    expect((await runCheck(check, runContext)).status).toBe('passed')
    const never = { ...check, timeoutMs: 50, run: () => new Promise<void>(() => {}) }
    expect(await runCheck(never, runContext)).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('50 ms'),
    })
  })

  it('continues when a response fails after the end of its check', async () => {
    const server = kept(await startForeignNavi({ delayMs: 100, diesAfter: 1 }))
    const runContext = await createRunContext({ protocol: 'navi', url: server.url, profile: navi })
    const late = async ({ http }: { http: { get(path: string): Promise<unknown> } }) => {
      await http.get('/health')
      void http.get('/health')
    }
    expect(
      (await runCheck({ id: 'navi:late', pool: 'main', timeoutMs: 1000, needs: [], run: late }, runContext)).status,
    ).toBe('passed')
  })
})
