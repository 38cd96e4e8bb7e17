import { afterEach, describe, expect, it } from 'vitest'
import { startForeignObserver } from '../../../fixtures/foreign-servers/observer.ts'
import { FORM_SCENARIO } from '../../../test/support/adapters/form-scenario.ts'
import { remoteDesktop } from '../../../test/support/adapters/remote-desktop.ts'
import { checkRemote } from './doctor.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

const verdicts = async (...given: Parameters<typeof checkRemote>) =>
  (await checkRemote(...given)).map(({ subject, verdict }) => [subject, verdict])

describe('the doctor of a desktop behind another server', () => {
  it('[RM2] reports the server, its latency and that it serves a scenario', async () => {
    const desktop = await remoteDesktop({ scenario: FORM_SCENARIO })
    open.push(desktop)
    expect(await verdicts({ url: desktop.url })).toEqual([
      ['URL', 'good'],
      ['other server', 'good'],
      ['latency', expect.stringMatching(/good|note/)],
      ['desktop', 'note'],
    ])
  })

  it('[RM14] reports what the other server lacks, with the reason', async () => {
    const server = await startForeignObserver()
    open.push(server)
    const checks = await checkRemote({ url: server.url })
    expect(checks.find(({ subject }) => subject === 'raising windows')).toEqual({
      subject: 'raising windows',
      verdict: 'note',
      found: 'missing: the other server does not offer bring_to_foreground',
    })
  })

  it.each([
    ['http://ada:lovelace@desk', 'URL', 'give the URL of the other server'],
    ['http://127.0.0.1:2', 'other server', 'start the other server'],
  ])('[RM2] reports a problem with its fix: %s', async (url, subject, fix) => {
    const bad = (await checkRemote({ url, token: 'topsecret' })).filter(({ verdict }) => verdict === 'bad')
    expect(bad).toMatchObject([{ subject, fix: expect.stringContaining(fix) }])
    expect(JSON.stringify(bad)).not.toMatch(/lovelace|topsecret/)
  })

  it('[RM2] reports a token that would travel without encryption', async () => {
    const checks = await checkRemote({ url: 'http://no-such-host.invalid:5001', token: 'topsecret' })
    expect(checks[0]).toMatchObject({ verdict: 'note', found: expect.stringContaining('without encryption') })
  })
})
