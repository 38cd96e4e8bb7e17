import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { observerContract } from '../observer/contract.ts'
import type { Frame } from '../probe/frame.ts'
import type { HttpResponse } from '../probe/http.ts'
import { certify } from '../run.ts'
import { isErrorAsSuccess, judgeFrames } from '../suite/shapes.ts'

const frameOf = (shape: string, status: number, body: object): Frame => {
  const value = { status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) }
  return { direction: 'received', shape: `${shape} ${status}`, value: value as unknown as HttpResponse } as Frame
}

const servers: http.Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const NAMES = [
  'accessibility_tree',
  'uia_invoke',
  'occlusion_detection',
  'drag',
  'ocr',
  'vlm',
  'redaction',
  'scenarios',
]
const CAPABILITIES = [...NAMES, 'tracing', 'replay', 'image_blur']

/** An observer with almost no features; the test decides which capabilities it announces. */
async function bareObserver(announced: boolean): Promise<string> {
  const answers: Readonly<Record<string, object>> = {
    '/api/healthz': { uptime_s: 1, step_count: 0, adapter: 'Bare', version: '1' },
    '/api/windows': { count: 0, is_mock: false, windows: [] },
    '/api/monitors': { monitors: [] },
    '/api/capabilities': {
      platform: 'Linux',
      adapter: 'Bare',
      version: '1',
      protocol_version: 2,
      supports: Object.fromEntries(CAPABILITIES.map((name) => [name, announced])),
      config: { tree_max_depth: 8, ascii_grid: {} },
    },
  }
  const server = http.createServer(({ url = '' }, reply) => {
    const answer = answers[url]
    reply.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(answer ? { ok: true, success: true, ...answer } : { error: 'there is no such route' }))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const OPTIONAL = [
  'trace:status',
  'replay:ids',
  'element:drag',
  'element:drag-nowhere',
  'scenario:load',
  'error:ElementOccluded',
]

const resultsOf = async (announced: boolean, only: readonly string[]) => {
  const outcome = await certify({
    protocol: 'observer',
    url: await bareObserver(announced),
    only: only.map((id) => `observer:${id}`),
    responseTimeoutMs: 1000,
  })
  expect(outcome.results.filter(({ status, repeats }) => status === 'unchecked' && repeats !== undefined)).toEqual([])
  return Object.fromEntries(
    outcome.results.map(({ id, status, why }) => [id.replace('observer:', ''), { status, why }]),
  )
}

describe('an optional part', () => {
  it('is not judged when the server does not announce it', async () => {
    const results = await resultsOf(false, OPTIONAL)
    expect(Object.keys(results).sort()).toEqual([...OPTIONAL].sort())
    for (const { status, why } of Object.values(results))
      expect([status, why]).toEqual(['unchecked', expect.stringMatching(/^not offered: capabilities do not announce /)])
  })

  it('[CN5] is judged when the server announces it; an endpoint that is missing fails only what is about it', async () => {
    const { 'replay:ids': ids, ...others } = await resultsOf(true, OPTIONAL)
    expect(Object.values(others).map(({ status }) => status)).toEqual(Object.keys(others).map(() => 'failed'))
    expect(ids).toEqual({
      status: 'unjudged',
      why: expect.stringMatching(
        /^GET \/api\/trace\/status answers 404, not 200: .* \(not judged, because observer:trace:status failed\)$/,
      ),
    })
  })

  it('is not missed in the shapes of a server that does not announce it', () => {
    const findings = (announced: boolean) => {
      const supports = Object.fromEntries(CAPABILITIES.map((name) => [name, announced]))
      return judgeFrames(observerContract, [frameOf('GET /api/capabilities', 200, { supports })])
    }
    const shapes = ['post-api-trace-start', 'post-api-replay-step', 'post-api-scenario-load', 'post-api-drag']
    const resultsIn = (announced: boolean) =>
      shapes.map((name) => findings(announced).get(`observer:shape:${name}`)?.status)
    expect(resultsIn(false)).toEqual(shapes.map(() => 'unchecked'))
    expect(resultsIn(true)).toEqual(shapes.map(() => 'failed'))
    expect(findings(false).get('observer:shape:get-api-windows')?.status).toBe('failed')
  })

  it('need not be a monitor', async () => {
    expect(await resultsOf(true, ['monitors:primary'])).toEqual({
      'monitors:primary': { status: 'unchecked', why: 'not offered: no monitor is listed' },
    })
  })
})

it('recognises an error that has the status of a success', () => {
  const error = { code: 'ElementNotFound', message: 'nothing fits', recoverable: true }
  const refusal = { ok: false, success: false, error: { ...error, suggested_next_tool: 'list_windows', context: {} } }
  const [windows, find] = ['GET /api/windows', 'GET /api/find_element']
  const isError = (frame: Frame) => isErrorAsSuccess(observerContract, frame)
  expect(isError(frameOf(find, 200, refusal))).toBe(true)
  expect(isError(frameOf(find, 404, refusal))).toBe(false)
  expect(isError(frameOf(find, 200, { ok: true }))).toBe(false)
  expect(isError(frameOf(windows, 200, { ok: true, success: true, count: 0, is_mock: true, windows: [] }))).toBe(false)
})

it('says how a command line is reached', async () => {
  const reach = 'agent-desktop is a command line: give --command, such as --command agent-desktop, and no --url'
  await expect(certify({ protocol: 'agent-desktop' })).rejects.toThrow(reach)
  await expect(certify({ protocol: 'agent-desktop', url: 'http://127.0.0.1:1', command: 'true' })).rejects.toThrow(
    reach,
  )
  await expect(certify({ protocol: 'navi', command: 'true' })).rejects.toThrow('use --url for navi')
})

it('reports a command line that prints no envelope', async () => {
  const { exitCode, unreachable } = await certify({ protocol: 'agent-desktop', command: 'echo {}; true' })
  expect(exitCode).toBe(2)
  expect(unreachable).toContain(
    'is not a server of agent-desktop: the output of status does not have the documented shape',
  )
})
