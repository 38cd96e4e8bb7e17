import { afterEach, describe, expect, it } from 'vitest'
import { gatewayPhrases, startGateway } from '../../fixtures/foreign-servers/cortask.ts'
import { diaryPhrases, startDiary } from '../../fixtures/foreign-servers/navi.ts'
import type { Foreign } from '../../fixtures/foreign-servers/restartable-server.ts'
import { type Profile, profileOf } from '../config/profile.ts'
import { certify } from '../run.ts'
import { type CertifyOptions, circumstancesOf } from './options.ts'
import type { Outcome } from './outcome.ts'
import { carryOut } from './run-check.ts'
import { guardOf } from './server-monitor.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function kept(server: Foreign): Foreign {
  closing.push(server.close)
  return server
}

const gateway = profileOf('gateway', { phrases: gatewayPhrases })
const diary = profileOf('diary', { phrases: diaryPhrases })

const resultsOf = ({ verdicts }: Outcome) => Object.fromEntries(verdicts.map(({ id, result }) => [id, result]))

describe('a server that dies while several checks talk to it', () => {
  const only = ['cortask:chat:attachments', 'cortask:chat:answer', 'cortask:chat:usage', 'cortask:run:scope']
  const given = { protocol: 'cortask', profile: gateway, only, patienceMs: 1000, repeats: 1 } as const

  it('is started again, and each of them is tried alone until the cause is found', async () => {
    const server = kept(await startGateway({ diesOfAttachments: true }))
    const outcome = await certify({ ...given, url: server.url, restart: server.restart })
    expect(outcome.deaths).toMatchObject([
      { during: ['cortask:chat:attachments'], request: expect.stringContaining('attachments'), restarted: true },
    ])
    const others = only.slice(1).map((id): [string, string] => [id, 'passed'])
    expect(resultsOf(outcome)).toEqual({ 'cortask:chat:attachments': 'failed', ...Object.fromEntries(others) })
  })

  it('is not blamed for anything in particular when it cannot be started again, and all candidates are named', async () => {
    const server = kept(await startGateway({ diesOfAttachments: true }))
    const outcome = await certify({ ...given, url: server.url })
    expect(Object.values(resultsOf(outcome))).not.toContain('failed')
    expect(outcome.deaths[0]!.during).toContain('cortask:chat:attachments')
    expect(outcome.conclusion.reasons[0]).toMatch(/which of them is the cause takes a start command to tell/)
    expect(outcome.exitCode).toBe(1)
  })
})

describe('a further server of the profile', () => {
  const check = (id: string) => ({ id, lane: 'satellite', timeoutMs: 1000, run: async () => {} }) as const
  const command = `node -e "require('http').createServer((_, answer) => { answer.end(); process.exit(3) }).listen({port})"`

  it('that ends is named with the request it ended after, and started again when it is needed', async () => {
    const server = kept(await startGateway())
    const profile = profileOf('further', {
      servers: {
        fast: command.replace(
          'answer.end(); process.exit(3)',
          'answer.end(\\"ok\\"); if (_.url === \\"/die\\") process.exit(3)',
        ),
      },
    })
    const circumstances = await circumstancesOf({ protocol: 'cortask', url: server.url, profile })
    closing.push(circumstances.close)
    const guard = guardOf(circumstances)
    const url = await circumstances.satellites.url('fast')
    expect(await guard.probe({ check: check('one'), frames: [] }, [])).toBeUndefined()
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
    const death = await guard.probe({ check: check('two'), frames: [sent] }, [])
    expect(death).toMatchObject({ during: ['two'], request: '"GET /die"', further: 'the profile’s server "fast"' })
    expect(guard.gone).toBe(false)
    const again = await circumstances.satellites.url('fast')
    expect((await fetch(again)).status).toBe(200)
  }, 30_000)
})

describe('a run', () => {
  const tried = async (
    faults: Parameters<typeof startDiary>[0],
    more: Partial<CertifyOptions> & { profile?: Profile },
  ) => {
    const server = kept(await startDiary(faults))
    return certify({ protocol: 'navi', tier: 'core', profile: diary, url: server.url, ...more })
  }

  it('begins no check after its time, and does not judge what it has not asked', async () => {
    const outcome = await tried({}, { timeLimitMs: 0 })
    expect(outcome.exitCode).toBe(1)
    expect(outcome.conclusion.reasons).toContain(
      'the run was ended after 0 seconds, and what was not asked by then is not judged',
    )
    expect(outcome.conclusion.counts).toMatchObject({ passed: 0, failed: 0 })
  })

  it('gives a check the time that the answers of a slow server take', async () => {
    const server = kept(await startDiary({ delayMs: 700 }))
    const circumstances = await circumstancesOf({ protocol: 'navi', url: server.url, profile: diary })
    const run = async ({ http }: { http: { get(path: string): Promise<unknown> } }) => {
      for (let time = 0; time < 3; time++) await http.get('/health')
    }
    const check = { id: 'navi:slow', lane: 'main', timeoutMs: 1800, run } as const
    expect((await carryOut(check, circumstances)).result).toBe('passed')
    const never = { ...check, timeoutMs: 50, run: () => new Promise<void>(() => {}) }
    expect(await carryOut(never, circumstances)).toMatchObject({
      result: 'failed',
      why: expect.stringContaining('50 ms'),
    })
  })

  it('goes on when an answer fails after the check that asked for it has ended', async () => {
    const server = kept(await startDiary({ delayMs: 100, diesAfter: 1 }))
    const circumstances = await circumstancesOf({ protocol: 'navi', url: server.url, profile: diary })
    const late = async ({ http }: { http: { get(path: string): Promise<unknown> } }) => {
      await http.get('/health')
      void http.get('/health')
    }
    expect((await carryOut({ id: 'navi:late', lane: 'main', timeoutMs: 1000, run: late }, circumstances)).result).toBe(
      'passed',
    )
  })
})
