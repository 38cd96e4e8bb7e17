import { mkdtempSync, rmSync } from 'node:fs'
import { get as httpGet } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { serve } from '../../../test/support/protocols/serve.ts'
import { createFastifyApp } from '../../compose/rest-app.ts'
import { modelFreeServices } from '../../perception/open-perception.ts'
import { memoryFolder, memoryStore } from '../../stores/memory.ts'
import { openDesktop } from '../../testing.ts'
import { LIVE_PAGES, serveViewer } from '../../viewer/page.ts'
import { agentWebkit } from '../agent-webkit/server.ts'
import { cortask } from '../cortask/server.ts'
import { navi } from '../navi/server.ts'
import { windieos } from '../windieos/server.ts'

// Rules such as [PRO1] are stated in SPEC.md beside this file.

const dataFolder = mkdtempSync(join(tmpdir(), 'guard-'))
afterAll(() => rmSync(dataFolder, { recursive: true }))

const GREETER = `
name: greeter
states:
  only: {windows: [{title: Greeter, tree: {role: Window, name: Greeter}}]}
`

type Headers = Readonly<Record<string, string>>

/** Page requests that browsers send without an `Origin`. */
const EMBEDDED: readonly Headers[] = [
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'no-cors',
    'sec-fetch-dest': 'script',
    referer: 'http://a.example/',
  },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  { 'sec-fetch-site': 'none, cross-site' },
  { 'sec-fetch-site': 'Same-Origin' },
  { 'sec-fetch-site': '' },
]
const OWN: readonly Headers[] = [{}, { 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'same-origin' }]

const workspaces = [{ id: 'w', name: 'Workspace', rootPath: dataFolder }]
const client = memoryFolder(new Map([['index.html', '<p>chat</p>']]))

interface Case {
  readonly protocolOf: Parameters<typeof serve>[0]
  readonly paths: readonly string[]
  readonly socket?: string
  readonly refusedSocket?: number
}

const CASES: Readonly<Record<string, Case>> = {
  'agent-webkit': { protocolOf: (agent) => agentWebkit({ agent }), paths: ['/', '/sessions/x/stream', '/nowhere'] },
  cortask: {
    protocolOf: (agent) => cortask({ agent, store: memoryStore(), workspaces }),
    paths: ['/', '/api/health', '/nowhere'],
    socket: '/ws',
    refusedSocket: 401,
  },
  navi: {
    protocolOf: (agent) => navi({ agent, store: memoryStore(), dataFolder, client }),
    paths: ['/', '/sessions', '/nowhere'],
    socket: '/ws/sessions/x',
    refusedSocket: 403,
  },
  windieos: {
    protocolOf: (agent) => windieos({ agent, store: memoryStore(), dataFolder, ...modelFreeServices }),
    paths: ['/', '/api/install/me', '/nowhere'],
    socket: '/ws',
    refusedSocket: 403,
  },
}

/** `fetch` keeps these headers to itself. */
const statusOf = (url: string, headers: Headers): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const request = httpGet(url, { headers, agent: false }, (answer) => {
      answer.destroy()
      resolve(answer.statusCode)
    })
    request.on('upgrade', (answer, socket) => {
      socket.destroy()
      resolve(answer.statusCode)
    })
    request.on('error', reject)
  })

const UPGRADE: Headers = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

describe.each(Object.entries(CASES))('%s', (_name, { protocolOf, paths, socket, refusedSocket }) => {
  it('[PRO1] [PRO2] rejects requests of pages of other origins on every route and socket', async () => {
    const server = await serve(protocolOf)
    const foreign = { origin: 'http://a.example' }
    for (const path of paths) {
      const url = server.url + path
      expect(await Promise.all(EMBEDDED.map((headers) => statusOf(url, headers)))).toEqual(EMBEDDED.map(() => 403))
      expect(await statusOf(url, foreign)).toBe(403)
      for (const headers of OWN) expect(await statusOf(url, headers)).not.toBe(403)
    }
    if (socket !== undefined) {
      const open = (headers: Headers) => statusOf(server.url + socket, { ...UPGRADE, ...headers })
      expect(await Promise.all(EMBEDDED.map(open))).toEqual(EMBEDDED.map(() => refusedSocket))
      expect(await Promise.all(OWN.map(open))).toEqual(OWN.map(() => 101))
    }
    await server.close()
    expect(server.bugs).toEqual([])
  })

  it('[PRO5] accepts pages of this machine with an Origin', async () => {
    const server = await serve(protocolOf)
    const headers = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }
    expect(await statusOf(server.url, headers)).toBe(200)
    await server.close()
  })
})

it('[PRO1] [PRO3] the observer refuses them too, but links to the inspector open it', async () => {
  const app = await createFastifyApp(openDesktop({ scenario: GREETER }))
  await serveViewer(app, LIVE_PAGES)
  const status = async (url: string, headers: Headers) =>
    (await app.inject({ url, headers: { host: '127.0.0.1:5001', ...headers } })).statusCode
  for (const url of ['/api/windows', '/api/screenshot', '/api/tool/snapshot', '/sessions', '/nowhere']) {
    const foreign = await status(url, { origin: 'http://a.example' })
    const answers = await Promise.all(EMBEDDED.map((headers) => status(url, headers)))
    // The first version answers every refusal with 400.
    expect([url, ...answers]).toEqual([url, ...EMBEDDED.map(() => (url === '/api/screenshot' ? 400 : 403))])
    expect(foreign).toBe(answers[0])
  }
  for (const url of ['/', '/viewer.css', '/viewer.js', '/sessions/s1/']) {
    const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    expect(await status(url, { 'sec-fetch-site': 'cross-site', ...link })).toBe(200)
    expect(await status(url, { 'sec-fetch-site': 'cross-site', ...link, 'sec-fetch-dest': 'iframe' })).toBe(403)
    expect(await status(url, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).toBe(403)
    expect(await status(url, { 'sec-fetch-site': 'same-origin' })).toBe(200)
  }
  await app.close()
})

it('[PRO4] files made for embedding are had by pages of the same site only', async () => {
  const chat = await serve(CASES.navi!.protocolOf)
  const pictures = await serve(CASES.windieos!.protocolOf)
  const form = new FormData()
  form.set('file', new Blob(['hello'], { type: 'text/plain' }), 'a.txt')
  const kept = await fetch(`${pictures.url}/api/artifacts/`, { method: 'POST', body: form })
  const { artifact_id } = (await kept.json()) as { readonly artifact_id: string }
  for (const url of [`${chat.url}/static/index.html`, `${pictures.url}/api/artifacts/${artifact_id}`]) {
    expect(await statusOf(url, { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' })).toBe(200)
    expect(await statusOf(url, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).toBe(403)
  }
  await chat.close()
  await pictures.close()
})
