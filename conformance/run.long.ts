import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { start } from '../fixtures/broken-servers/agent-webkit.ts'
import { TOKEN } from '../fixtures/broken-servers/agent-webkit-violations.ts'
import { windieos } from '../fixtures/broken-servers/windieos.ts'
import { createProfile } from './profile.ts'
import { loadSuite, PROTOCOLS } from './protocols.ts'
import { createRunContext } from './run/options.ts'
import { certify } from './run.ts'
import { createAuxiliaryServers } from './suite/auxiliary-servers.ts'
import { markOf } from './suite/results.ts'

const PHRASES = ['hello', 'tool', 'permission', 'question', 'hook', 'long', 'endless', 'burst', 'error', 'mcp']
const profile = createProfile('miniature', {
  phrases: Object.fromEntries(PHRASES.map((name) => [name, name])),
  known: {},
})
const quick = { protocol: 'agent-webkit', token: TOKEN, profile, quickMs: 20_000, responseTimeoutMs: 2000 } as const

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function miniature(rules = {}): Promise<string> {
  const server = await start(rules)
  closing.push(server.close)
  return server.url
}

async function listen(server: net.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'conformance-'))
  closing.push(() => rmSync(path, { recursive: true }))
  return path
}

describe('a run', () => {
  it('passes a server that follows the document', async () => {
    const outcome = await certify({ ...quick, url: await miniature() })
    expect(outcome.results.filter((result) => result.status !== 'passed')).toEqual([])
    expect(outcome).toMatchObject({ exitCode: 0, partial: true })
  })

  it('writes the same JSON and badge twice for the same server and seed', async () => {
    const url = await miniature()
    const [one, other] = [folder(), folder()]
    const only = ['agent-webkit:create']
    const runs = [
      await certify({ ...quick, url, only, report: one }),
      await certify({ ...quick, url, only, report: other }),
    ]
    for (const name of ['report.json', 'badge.svg'])
      expect(readFileSync(join(one, 'agent-webkit', name), 'utf8')).toBe(
        readFileSync(join(other, 'agent-webkit', name), 'utf8'),
      )
    expect(runs[0]!.reports.length).toBe(5)
  })

  it('deletes the certificate of an earlier run', async () => {
    const report = folder()
    mkdirSync(join(report, 'agent-webkit'))
    writeFileSync(join(report, 'agent-webkit', 'certificate.md'), '# Certificate')
    const url = await miniature()
    const { reports } = await certify({ ...quick, url, only: ['agent-webkit:create:answer'], report })
    expect(readdirSync(join(report, 'agent-webkit')).sort()).toEqual(reports.map((path) => basename(path)).sort())
  })

  it('reports that its reports cannot be written before it sends a request', async () => {
    const report = join(folder(), 'file')
    writeFileSync(report, '')
    const asked: unknown[] = []
    const url = await listen(http.createServer((request) => asked.push(request)))
    await expect(certify({ ...quick, url, report })).rejects.toThrow('ENOTDIR')
    expect(asked).toEqual([])
  })

  it('reports why an auxiliary server exited', async () => {
    const { url, close } = createAuxiliaryServers({ fast: 'echo no such option >&2; exit 3' })
    closing.push(close)
    await expect(url('fast')).rejects.toThrow(
      'the profile’s server "fast" exited before it answered, with the output: no such option',
    )
  })

  it('starts an auxiliary server with the program that runs the suite, for {backlot}', async () => {
    const asking = createProfile('mine', { servers: { fast: '{backlot} at {port}' } })
    const program = 'echo this very program >&2; exit 3;'
    const { auxiliaries } = await createRunContext({
      ...quick,
      url: 'http://127.0.0.1:1',
      profile: asking,
      program,
    })
    closing.push(auxiliaries.close)
    await expect(auxiliaries.url('fast')).rejects.toThrow('with the output: this very program')
  })

  it('fails when the profile lacks a value of a check', async () => {
    const outcome = await certify({
      ...quick,
      profile: createProfile('empty'),
      url: await miniature(),
      only: ['agent-webkit:turn:result'],
    })
    expect(outcome.exitCode).toBe(1)
    expect(outcome.results[0]!.why).toBe('prerequisite: the profile "empty" has no phrase "hello"')
  })

  it('refuses an unknown requirement, even along with a known one', async () => {
    const only = ['agent-webkit:create', 'stream:ids']
    await expect(certify({ ...quick, url: 'http://127.0.0.1:1', only })).rejects.toThrow(
      'no requirement of agent-webkit starts with "stream:ids"; ids look like agent-webkit:create:answer',
    )
  })

  it.each(['http://ann:secret@127.0.0.1:1/a', 'http://127.0.0.1:1/a?key=secret', 'http://127.0.0.1:1/a#secret'])(
    'refuses the address %s, of which only a part would be sent',
    async (url) => {
      const words =
        'give only http://127.0.0.1:1/a: a user, query or fragment is not sent; put a token into BACKLOT_TOKEN'
      await expect(certify({ ...quick, url })).rejects.toThrow(words)
    },
  )

  it('fails when no requirement was tried', async () => {
    const outcome = await certify({ ...quick, url: await miniature(), only: ['agent-webkit:other:idle'] })
    expect(outcome.conclusion.reasons).toEqual(['no requirement was tried: 0 of 0 is not a pass'])
  })

  it('accepts what its baseline expects, and reports a stale entry', async () => {
    const baseline = join(folder(), 'baseline.yaml')
    writeFileSync(
      baseline,
      'expected_failures: {"agent-webkit:permission:race": later, "agent-webkit:create:answer": fixed}',
    )
    const url = await miniature({ late: () => 204 })
    const only = ['agent-webkit:permission:race', 'agent-webkit:create:answer']
    const progress = new PassThrough()
    const outcome = await certify({ ...quick, url, only, baseline, progress })
    expect(String(progress.read())).toContain('2/2 checks run, 1 to repeat')
    expect(outcome.results.map(markOf).sort()).toEqual(['accepted', 'passed'])
    expect(outcome.conclusion).toMatchObject({ passed: false, stale: ['agent-webkit:create:answer'] })
  })

  it('stops at the first failure with failFast', async () => {
    const outcome = await certify({ ...quick, url: await miniature({ created: 500 }), failFast: true })
    expect(outcome.exitCode).toBe(2)
  })
})

describe('a server that cannot be certified', () => {
  it('is reported as not reachable when nothing listens', async () => {
    const gone = net.createServer()
    const url = await listen(gone)
    await new Promise((resolve) => gone.close(resolve))
    const outcome = await certify({ ...quick, url, report: folder() })
    expect(outcome).toMatchObject({ exitCode: 2, results: [], unreachable: expect.stringContaining('ECONNREFUSED') })
    expect(readFileSync(outcome.reports.find((path) => path.endsWith('.md'))!, 'utf8')).toContain('not reachable')
  })

  it('is reported within half a minute when it never answers', async () => {
    const url = await listen(net.createServer((socket) => void socket.on('error', () => {})))
    const outcome = await certify({ ...quick, url })
    expect(outcome).toMatchObject({ exitCode: 2, unreachable: expect.stringContaining('no answer within 10000 ms') })
  }, 30_000)

  it('is reported when it answers with HTML', async () => {
    const url = await listen(http.createServer((_, response) => response.end('<!doctype html><title>Hi</title>')))
    const outcome = await certify({ ...quick, url })
    expect(outcome.unreachable).toContain('is not JSON: <!doctype html>')
  })

  it('is reported with the expected and the actual value in one line', async () => {
    const url = await listen(http.createServer((_, response) => response.writeHead(418).end()))
    const { unreachable } = await certify({ protocol: 'navi', url })
    expect(unreachable).toBe(`${url} is not a server of navi: GET /agents/profiles answers 418, not 200: (no body)`)
  })

  it.each(PROTOCOLS)('is reported when it answers {} to all that %s asks', async (protocol) => {
    const url = await listen(http.createServer((_, response) => response.end('{}')))
    const isCommandLine = (await loadSuite(protocol)).isCommandLine === true
    expect(await certify({ protocol, ...(isCommandLine ? { command: 'echo {}; true' } : { url }) })).toMatchObject({
      exitCode: 2,
      results: [],
    })
  })

  it('is reported when it has the same path for another protocol', async () => {
    const { url, close } = await windieos.start()
    closing.push(close)
    const { unreachable } = await certify({ protocol: 'cortask', url })
    expect(unreachable).toMatch(`${url} is not a server of cortask: a chat is answered`)
  })

  it('has its token masked in the report, in requests and responses', async () => {
    const server = http.createServer((request, response) => {
      response.end(
        JSON.stringify({ session_id: request.headers.authorization ?? request.url, protocol_version: '1.0' }),
      )
    })
    const given = {
      ...quick,
      token: 'geheim',
      url: await listen(server),
      only: ['agent-webkit:auth'],
      report: folder(),
    }
    const { reports } = await certify(given)
    for (const path of reports) expect(readFileSync(path, 'utf8')).not.toContain('geheim')
    expect(readFileSync(reports[0]!, 'utf8')).toContain('/sessions?token=$TOKEN')
  })

  it('has its token masked in compared values', async () => {
    const token = 'geheim+'.repeat(20)
    const server = http.createServer((request, response) => {
      if (request.url === '/sessions') return response.end('{"session_id":"s","protocol_version":"1.0"}')
      response.writeHead(404).end(JSON.stringify({ detail: { [token]: [request.headers.authorization] } }))
    })
    const given = { ...quick, token, url: await listen(server), only: ['agent-webkit:'], report: folder() }
    const { reports } = await certify(given)
    for (const path of reports) expect(readFileSync(path, 'utf8')).not.toContain('geheim')
  })

  it('is judged even when it floods', async () => {
    const server = http.createServer((request, response) => {
      if (request.method === 'POST') return response.end('{"session_id":"s","protocol_version":"1.0"}')
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n'.repeat(900_000))
    })
    closing.push(() => server.closeAllConnections())
    const given = { ...quick, url: await listen(server), only: ['agent-webkit:turn:interrupt'], repeats: 1 }
    expect((await certify(given)).results[0]!.why).toContain('waited 2000 ms for an event session_ready')
  })

  it('gets no further requests once it is lost', async () => {
    const server = http.createServer((request, response) => {
      const isCreation = request.method === 'POST'
      const answer = isCreation ? '{"session_id":"s"}' : '[{"id":"p"}]'
      response.writeHead(isCreation ? 201 : 200, { connection: 'close' }).end(answer)
      if (isCreation) server.close()
    })
    const url = await listen(server)
    const { exitCode, conclusion, results } = await certify({ protocol: 'navi', url })
    expect([exitCode, conclusion.reasons[0]]).toEqual([
      1,
      expect.stringMatching(
        /^the server was lost during navi:.* it got no further requests: .* GET \/agents\/profiles: ECONNREFUSED/,
      ),
    ])
    const refused = results.filter(({ why }) => why?.includes('ECONNREFUSED'))
    const { concurrency } = await loadSuite('navi')
    expect(refused.length).toBeLessThanOrEqual(concurrency)
    expect(
      results.some(({ status, why }) => status === 'unjudged' && why === 'the server was lost before this was tried'),
    ).toBe(true)
    expect(results.filter(({ why }) => why?.includes('was never seen'))).toEqual([])
  })

  it('is reported when it closes at once', async () => {
    const url = await listen(net.createServer((socket) => socket.destroy()))
    const outcome = await certify({ ...quick, url })
    expect(outcome).toMatchObject({ exitCode: 2, unreachable: expect.stringContaining('POST /sessions') })
  })
})
