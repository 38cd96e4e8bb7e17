import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { brokenClients } from '../../fixtures/broken-clients/index.ts'
import { officialClient } from '../../fixtures/clients/agent-webkit.ts'
import { sdkClient, statelessSdkClient } from '../../fixtures/clients/mcp.ts'
import { certifyClient } from '../certify-client.ts'
import { actingFlows } from '../observer/client/acting-flows.ts'
import { createProfile } from '../profile.ts'
import type { CertifiedClientProtocol } from '../protocols.ts'
import type { CertificationResult } from '../run/outcome.ts'
import { commandDriver, fillPlaceholders } from './driver.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const temporary = () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-client-'))
  folders.push(folder)
  return folder
}

/** Tried requirements that did not pass, without the protocol prefix. */
const troubles = ({ unreachable, results }: CertificationResult): readonly string[] =>
  unreachable === undefined
    ? results
        .filter(({ status }) => status !== 'passed' && status !== 'unchecked')
        .map(({ id, status }) => `${status} ${id.replace(/^[^:]*:/, '')}`)
    : [unreachable]

const { client, violations } = brokenClients['agent-webkit']
const broken = (name: string) => (given: Parameters<typeof client>[0], signal: AbortSignal) =>
  client(given, signal, violations[name]!.rules as object)
const AGENT_WEBKIT = { protocol: 'agent-webkit', repeats: 0, responseTimeoutMs: 1500 } as const

describe('certify-client', () => {
  // Those over MCP start a process for each flow: `broken-clients.long.ts` plays all of them.
  it.concurrent.each(Object.entries(brokenClients).filter(([protocol]) => protocol !== 'mcp'))(
    'passes a correct client of %s',
    async (protocol, right) => {
      const outcome = await certifyClient({
        protocol: protocol as CertifiedClientProtocol,
        client: right.client,
        repeats: 0,
      })
      expect(troubles(outcome)).toEqual([])
      expect(outcome.exitCode).toBe(0)
    },
  )

  it.concurrent('passes the official client of agent-webkit', async () => {
    const outcome = await certifyClient({ ...AGENT_WEBKIT, responseTimeoutMs: 5000, client: officialClient })
    expect(troubles(outcome)).toEqual([])
    expect(outcome.conclusion.counts).toMatchObject({ passed: 35, unchecked: 3 })
  })

  it.concurrent.each([
    ['the first official MCP client, whose revisions have a handshake', sdkClient, 17, 6],
    ['the second one, which speaks 2026-07-28 too', statelessSdkClient, 23, 0],
  ])('passes an agent over %s', async (_, client, passed, stateless) => {
    // How the agent acts is not the library's doing.
    const acting = actingFlows('mcp-client').map(({ name }) => name)
    const outcome = await certifyClient({ protocol: 'mcp', client, repeats: 0, skip: acting.slice(1) })
    expect(troubles(outcome)).toEqual([])
    const untried = outcome.results.filter(({ why }) => why === 'not tried: the client does not speak 2026-07-28')
    expect([outcome.conclusion.counts.passed, untried.length]).toEqual([passed, stateless])
  })

  it.concurrent('repeats what failed and reports how often', async () => {
    const only = ['turn', 'permission']
    const outcome = await certifyClient({
      ...AGENT_WEBKIT,
      only,
      repeats: 2,
      client: broken('answers a permission twice'),
    })
    expect(troubles(outcome)).toEqual(['failed permission:once'])
    expect(outcome.results.find(({ id }) => id.endsWith('permission:once'))).toMatchObject({
      why: 'in the flow permission: it was answered 2 times',
      repeats: { ran: 2, failed: 2 },
    })
  })

  it.concurrent('calls a client unsteady that fails only now and then', async () => {
    let runs = 0
    const outcome = await certifyClient({
      ...AGENT_WEBKIT,
      only: ['turn', 'resume'],
      repeats: 2,
      client: (given, signal) => (runs++ % 2 === 1 ? broken('resumes one event too early') : client)(given, signal),
    })
    expect(troubles(outcome)).toEqual(['unsteady resume:cursor'])
    expect(outcome.exitCode).toBe(1)
  })

  it.concurrent('does not judge requirements whose failure another failure explains', async () => {
    const outcome = await certifyClient({
      ...AGENT_WEBKIT,
      only: ['turn', 'events'],
      client: broken('exits at the first message'),
    })
    expect(troubles(outcome)).toEqual(['failed turn:waits', 'unjudged events:documented'])
  })

  it.concurrent('does not try features that the client does not offer', async () => {
    const outcome = await certifyClient({
      ...AGENT_WEBKIT,
      responseTimeoutMs: 300,
      only: ['turn', 'question'],
      client: broken('answers no question'),
    })
    const { status, why } = outcome.results.find(({ id }) => id.endsWith('question:once'))!
    expect([status, why]).toEqual(['unchecked', 'not tried: the client did not answer the question'])
    expect(outcome.exitCode).toBe(0)
  })

  it.concurrent('reports a client that sends nothing as not reachable', async () => {
    const outcome = await certifyClient({
      protocol: 'agent-webkit',
      command: 'echo no network >&2; exit 3',
      repeats: 0,
    })
    expect(outcome.exitCode).toBe(2)
    expect(outcome.unreachable).toMatch(/did not create a session, .*; it ended with exit code 3:\nno network/s)
  })

  it.concurrent('plays with a client that connects to its port', async () => {
    let text = ''
    let clients = Promise.resolve()
    const write = (line: string) => {
      text += line
      const [, url] = /listening on (\S+);/.exec(text) ?? []
      const [, flow] = /next: (\S+):/.exec(line) ?? []
      const given = { url: url!, token: 'client-certification', text: 'hello', flow: flow! }
      if (flow !== undefined) clients = clients.then(() => client(given, new AbortController().signal))
      return true
    }
    const progress = { write } as unknown as NodeJS.WritableStream
    const outcome = await certifyClient({
      protocol: 'agent-webkit',
      listen: 0,
      only: ['turn', 'resume'],
      progress,
      responseTimeoutMs: 1000,
    })
    await clients
    expect(troubles(outcome)).toEqual([])
    expect(text).toContain('next: resume: The stream is cut off in the middle of a turn. Let the client send: hello')
  })

  it.concurrent('writes reports, and a certificate after a whole run only', async () => {
    const folder = temporary()
    const whole = await certifyClient({ ...AGENT_WEBKIT, client, report: folder })
    const names = readdirSync(join(folder, 'agent-webkit-client')).sort()
    expect(names).toEqual(['badge.svg', 'certificate.md', 'junit.xml', 'report.html', 'report.json', 'summary.md'])
    expect(readFileSync(whole.reports.at(-1)!, 'utf8')).toContain('The client passed')
    const part = await certifyClient({ ...AGENT_WEBKIT, client, report: folder, only: ['turn'] })
    expect(part.reports.map((path) => path.split('/').at(-1))).not.toContain('certificate.md')
  })

  it.concurrent('sends the phrases of a profile', async () => {
    const said: string[] = []
    const profile = createProfile('mine', { phrases: { turn: 'bonjour' } })
    const listener = (given: Parameters<typeof client>[0], signal: AbortSignal) => {
      said.push(given.text)
      return client(given, signal)
    }
    await certifyClient({ ...AGENT_WEBKIT, only: ['turn', 'done'], profile, client: listener })
    expect(said).toEqual(['bonjour', 'hello'])
  })

  it('refuses flows and protocols that there are not', async () => {
    const wrong = { ...AGENT_WEBKIT, client, only: ['turns'] }
    await expect(certifyClient(wrong)).rejects.toThrow('agent-webkit-client has no flow "turns"; use one of turn,')
    await expect(certifyClient({ protocol: 'ftp' as 'mcp', client })).rejects.toThrow('"ftp" is not a protocol')
    await expect(certifyClient({ protocol: 'agent-webkit' })).rejects.toThrow('the client is missing. Give --command')
  })
})

it('passes a WindieOS client that asks who it is and orders events by their turn, as the official one does', async () => {
  const { client } = brokenClients.windieos
  const asOfficial: typeof client = (given, signal) => {
    const ids = new Set<unknown>()
    const sequences = new Map<unknown, number>()
    const id = () => {
      const next = randomUUID()
      ids.add(next)
      return next
    }
    const reads = (message: Readonly<Record<string, unknown>>) => {
      const { type, conversation_ref, turn_ref, sequence } = message
      if (!['streaming-response', 'streaming-complete', 'tool-call'].includes(String(type))) {
        if (turn_ref !== undefined) sequences.set(turn_ref, Number(sequence))
        return message
      }
      const expected = (sequences.get(turn_ref) ?? 0) + 1
      if (conversation_ref !== 'conv_1' || !ids.has(turn_ref) || sequence !== expected)
        throw new Error(`${type} belongs to ${conversation_ref}, ${turn_ref} and has number ${sequence}`)
      sequences.set(turn_ref, expected)
      return message
    }
    return client(given, signal, { id, reads, startsWith: { path: '/api/install/me', mustSucceed: true } } as object)
  }
  const outcome = await certifyClient({ protocol: 'windieos', client: asOfficial, repeats: 0, responseTimeoutMs: 3000 })
  expect(troubles(outcome)).toEqual([])
}, 120_000)

it('does not pass an agent that looks and never acts', async () => {
  const looks = async ({ url }: { readonly url: string }) => void (await fetch(`${url}/api/structure`))
  const outcome = await certifyClient({ protocol: 'observer', client: looks, repeats: 0, responseTimeoutMs: 500 })
  expect(outcome).toMatchObject({ exitCode: 2, unreachable: expect.stringContaining('did not act on the desktop') })
}, 120_000)

describe('a command', () => {
  const given = { url: 'http://127.0.0.1:1', token: 'secret', text: "say 'hi' $HOME", flow: 'turn' }

  it('has its placeholders quoted for the shell', () => {
    expect(fillPlaceholders('talk --to {url} "{text}"', given)).toBe(
      `talk --to http://127.0.0.1:1 'say '\\''hi'\\'' $HOME'`,
    )
  })

  it('is given the same in its environment, and ends with its code and output', async () => {
    const { exit } = commandDriver(`echo {text} "$BACKLOT_URL" "$BACKLOT_TOKEN" "$BACKLOT_FLOW"; exit 4`)(given)
    expect(await exit).toEqual({ code: 4, output: "say 'hi' $HOME http://127.0.0.1:1 secret turn" })
  })

  it('is ended with all it has started', async () => {
    const running = commandDriver('trap "" TERM; sleep 60 & wait; sleep 60')(given)
    await running.stop()
    expect((await running.exit).code).toBe(1)
  })
})
