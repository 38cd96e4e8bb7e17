import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDesktop } from '../testing.ts'
import { DATA_ID } from '../viewer/model/entrance.ts'
import type { Recording } from '../viewer/model/recording.ts'
import { readRun } from './read-run.ts'
import { recordingHtml } from './recording-page.ts'
import { serveRun } from './serve-run.ts'
import { verifyTrace } from './verify-trace.ts'

// Rules such as [RC12] are stated in README.md beside this file.

/** The folder of a trace in which Alice fills in the login. */
async function tracedLogin(change = (text: string) => text): Promise<string> {
  const desktop = openDesktop({
    scenario: 'login',
    config: { tracing: { redact_keys: [], screenshot_every_n_actions: 0 } },
  })
  await desktop.call('trace_start', { label: 'login' })
  await desktop.call('click_element', { element_id: 'u' })
  await desktop.call('type_text', { text: 'alice' })
  const { path } = await desktop.call('trace_stop')
  const folder = mkdtempSync(join(tmpdir(), 'backlot-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'trace.jsonl'), change(String(desktop.artifacts.get(path))))
  return folder
}

const rethrow = (bug: unknown): never => {
  throw bug
}

describe('a served run', () => {
  it('[RC12] has a page, the recording, that of the other run, and each tile', async () => {
    const run = await readRun(await tracedLogin())
    const server = await serveRun({ run, other: run, port: 0, report: rethrow })
    onTestFinished(server.close)
    const load = (path: string) => fetch(new URL(path, server.url))
    const page = await load('/')
    expect(await page.text()).toContain('content="recording"')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const recording = (await (await load('/recording.json')).json()) as Recording
    expect(recording).toEqual(run.recording)
    expect(await (await load('/other.json')).json()).toEqual(run.recording)
    const tile = recording.tables.tiles[0]!
    expect(Buffer.from(await (await load(`/recording/tiles/${tile}.png`)).arrayBuffer())).toEqual(run.tiles.get(tile))
    expect((await load('/recording/tiles/none.png')).status).toBe(404)
  })

  it('[RC12] refuses other pages, and may have no other run', async () => {
    const server = await serveRun({ run: await readRun(await tracedLogin()), port: 0, report: rethrow })
    onTestFinished(server.close)
    const foreign = await fetch(new URL('/recording.json', server.url), { headers: { origin: 'http://127.0.0.1:1' } })
    expect(foreign.status).toBe(403)
    const { hostname, port } = new URL(server.url)
    const rebound = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: `pages.example:${port}` }
      get({ hostname, port, path: '/recording.json', headers }, (reply) => resolve(reply.resume().statusCode)).on(
        'error',
        reject,
      )
    })
    expect(rebound).toBe(403)
    expect(await (await fetch(new URL('/other.json', server.url))).json()).toBeNull()
  })

  it('[RC13] opens a live session after a step', async () => {
    const server = await serveRun({ run: await readRun(await tracedLogin()), port: 0, report: rethrow })
    onTestFinished(server.close)
    const open = async (step: string) => {
      const reply = await fetch(new URL(`/open?step=${step}`, server.url), { method: 'POST' })
      return { status: reply.status, body: (await reply.json()) as { url?: string; error?: { message: string } } }
    }
    const statusAt = async (step: string) => {
      const { body } = await open(step)
      const reply = await fetch(new URL('/api/find_element?selector=Edit[value="alice"]', body.url))
      return reply.status
    }
    expect(await statusAt('1')).toBe(404)
    expect(await statusAt('2')).toBe(200)
    expect(await open('3')).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('0 to 2') } },
    })
    expect(await open('')).toMatchObject({ status: 400 })
  })
})

it('[RC14] is one file with its data and pictures', async () => {
  const run = await readRun(await tracedLogin())
  const page = await recordingHtml(run, run)
  const block = (name: string) => {
    const [, text = ''] = new RegExp(`id="${DATA_ID}${name}">([^<]*)</script>`).exec(page) ?? []
    return JSON.parse(text) as unknown
  }
  expect(block('recording')).toEqual(run.recording)
  expect(block('other')).toEqual(run.recording)
  const tiles = block('tiles') as Record<string, string>
  expect(Object.keys(tiles).sort()).toEqual([...run.tiles.keys()].sort())
  for (const [hash, text] of Object.entries(tiles)) expect(Buffer.from(text, 'base64')).toEqual(run.tiles.get(hash))
})

describe('the verification of a trace', () => {
  it('[RC15] finds no difference in a trace of the same scenario', async () => {
    expect(await verifyTrace(await tracedLogin())).toEqual({ calls: 2, divergences: [] })
  })

  it('[RC15] names each step that differs, and goes on', async () => {
    const folder = await tracedLogin((text) => text.replaceAll('"changed":true', '"changed":false'))
    const { calls, divergences } = await verifyTrace(folder)
    expect(calls).toBe(2)
    expect(divergences).toEqual([
      { step: 1, tool: 'click_element', differences: ['changed: recorded false, now true'] },
    ])
  })

  it('[RC15] names the hidden values that it needs', async () => {
    const folder = await tracedLogin((text) => text.replace('"text":"alice"', '"text":"<redacted>"'))
    await expect(verifyTrace(folder)).rejects.toThrow(/hides 1 values; give them with --bindings, e\.g\. '\{"2\.text"/)
    expect(await verifyTrace(folder, { bindings: { '2.text': 'alice' } })).toEqual({ calls: 2, divergences: [] })
  })
})
