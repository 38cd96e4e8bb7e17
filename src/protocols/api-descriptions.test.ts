import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { serve } from '../../test/support/protocols/serve.ts'
import { modelFreeServices } from '../perception/open-perception.ts'
import { memoryStore } from '../stores/memory.ts'
import { agentWebkitApi } from './agent-webkit/routes.ts'
import { agentWebkit } from './agent-webkit/server.ts'
import { cortaskApi } from './cortask/routes.ts'
import { cortask } from './cortask/server.ts'
import type { ApiDescription, HttpOperation } from './http/document.ts'
import { naviApi } from './navi/routes.ts'
import { navi } from './navi/server.ts'
import { windieosApi } from './windieos/routes.ts'
import { windieos } from './windieos/server.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'apis-'))
afterAll(() => rmSync(dataFolder, { recursive: true }))

const workspaces = [{ id: 'w', name: 'Workspace', rootPath: dataFolder }]
const CASES: readonly (readonly [string, ApiDescription, Parameters<typeof serve>[0]])[] = [
  ['agent-webkit', agentWebkitApi, (agent) => agentWebkit({ agent })],
  ['cortask', cortaskApi, (agent) => cortask({ agent, store: memoryStore(), workspaces })],
  ['navi', naviApi, (agent) => navi({ agent, store: memoryStore(), dataFolder })],
  [
    'windieos',
    windieosApi,
    (agent) =>
      windieos({
        agent,
        store: memoryStore(),
        dataFolder,
        ...modelFreeServices,
      }),
  ],
]

/** The problem of a response to an operation that is called without a body, usually for an unknown name. */
async function problemWith(
  url: string,
  { method, path, responses: answers }: HttpOperation,
): Promise<string | undefined> {
  const name = path.startsWith('/api/channels') ? 'telegram' : path.startsWith('/api/workspaces') ? 'w' : 'nothing'
  const response = await fetch(url + path.replace(/\{\w+\}/g, name), { method: method.toUpperCase() })
  const text = await response.text()
  const answer = answers[response.status]
  if (answer === undefined) return `${method} ${path} answers ${response.status}, which is not listed: ${text}`
  if (!(answer instanceof z.ZodType)) return undefined
  const { error } = answer.safeParse(JSON.parse(text))
  return error && `${method} ${path} answers ${text}: ${z.prettifyError(error)}`
}

async function answerTo(url: string, { method, path }: HttpOperation, body: object): Promise<string> {
  const response = await fetch(url + path.replace(/\{\w+\}/g, 'nothing'), {
    method: method.toUpperCase(),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return `${method} ${path}: ${await response.text()}`
}

describe.each(CASES)('the API description of %s', (_name, api, protocolOf) => {
  it('has errors of the same shape for malformed addresses, and the server continues', async () => {
    const server = await serve(protocolOf)
    const address = '/ws/sessions/%zz'
    const { hostname, port } = new URL(server.url)
    const upgrade = `GET ${address} HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`
    const socket = dial(Number(port), hostname)
    socket.write(upgrade)
    const [answered] = await once(socket, 'data')
    socket.destroy()
    const refused = await fetch(server.url + address)
    const body = (await refused.json()) as Record<string, unknown>
    await server.close()
    expect(String(answered)).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(Object.keys(body)).toEqual([api === cortaskApi ? 'error' : 'detail'])
  })

  it('is the source of the API documents and of route suggestions', async () => {
    const server = await serve(protocolOf)
    const read = async (path: string) => (await (await fetch(server.url + path)).json()) as Record<string, unknown>
    const document = await read('/openapi.json')
    const { path } = api.operations.find((operation) => !operation.path.includes('{'))!
    const { hint } = await read(`${path}x`)
    await server.close()
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: server.url }] })
    expect(Object.keys(document.paths as object)).toEqual([...new Set(api.operations.map(({ path }) => path))])
    expect(hint).toContain(`${path}?`)
  })

  it('refuses bodies in plain words', async () => {
    const server = await serve(protocolOf)
    const bodies = api.operations.filter(({ body, bodyType }) => body && bodyType === undefined)
    const answers = await Promise.all(
      bodies.flatMap((operation) => {
        const schema = z.toJSONSchema(operation.body!, { unrepresentable: 'any', io: 'input' })
        const names = Object.keys(schema.properties ?? {})
        return [5, [{}], { x: 5 }, 'x', true].map((value) =>
          answerTo(server.url, operation, Object.fromEntries(names.map((name) => [name, value]))),
        )
      }),
    )
    await server.close()
    expect(answers.filter((answer) => /Invalid (input|option)|Too (small|big)|received /.test(answer))).toEqual([])
    expect(server.bugs).toEqual([])
  })

  it('lists the responses of its server', async () => {
    const server = await serve(protocolOf)
    const problems = await Promise.all(api.operations.map((operation) => problemWith(server.url, operation)))
    await server.close()
    expect(problems.filter((problem) => problem !== undefined)).toEqual([])
    expect(server.bugs).toEqual([])
  })
})
