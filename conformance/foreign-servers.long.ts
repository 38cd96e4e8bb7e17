import { afterEach, describe, expect, it } from 'vitest'
import { type CortaskFaults, foreignCortaskPhrases, startForeignCortask } from '../fixtures/foreign-servers/cortask.ts'
import type { RestartableServer } from '../fixtures/foreign-servers/restartable-server.ts'
import { startSketchObserver } from '../fixtures/foreign-servers/sketch-observer.ts'
import { startForeignWindieos } from '../fixtures/foreign-servers/windieos.ts'
import { createProfile } from './profile.ts'
import { loadSuite } from './protocols.ts'
import type { CertifyOptions } from './run/options.ts'
import type { CertificationResult } from './run/outcome.ts'
import { certify } from './run.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** The result of each requirement that did not pass, without the protocol prefix. */
const found = ({ protocol, results }: CertificationResult): Readonly<Record<string, string>> =>
  Object.fromEntries(
    results
      .filter(({ status }) => status !== 'passed' && status !== 'unchecked')
      .map(({ id, status }) => [id.replace(`${protocol}:`, ''), status]),
  )

describe('a gateway written by others', () => {
  /** The requirements that it meets. */
  const SLICE = [
    'connect:silent',
    'connect:path',
    'chat:answer',
    'chat:key',
    'chat:usage',
    'chat:missing',
    'chat:workspace',
  ]
  const MORE = ['run:order', 'run:parallel', 'run:scope', 'broken:not-json', 'broken:null', 'broken:unknown-type']
  const only = [...SLICE, ...MORE].map((id) => `cortask:${id}`)
  const profile = createProfile('foreign', { phrases: foreignCortaskPhrases })

  async function tried(faults: CortaskFaults, more: Partial<CertifyOptions> = {}) {
    const server: RestartableServer = await startForeignCortask(faults)
    closing.push(server.close)
    const given = { protocol: 'cortask', profile, only, responseTimeoutMs: 4000, ...more } as const
    const outcome = await certify({ ...given, url: server.url, ...(more.restart && { restart: server.restart }) })
    return { outcome, server }
  }
  const RESTARTS = { restart: async () => {} }

  it('passes when it is right in unusual ways', async () => {
    const { outcome } = await tried({})
    expect(found(outcome)).toEqual({})
    expect(outcome).toMatchObject({ exitCode: 0, losses: [] })
  })

  it.each([1, 2])('is reported once when any closing socket aborts every run, with seed %i', async (seed) => {
    const { outcome } = await tried({ anyCloseAbortsAll: true }, { seed })
    expect(found(outcome)).toEqual({})
    expect(outcome.exitCode).toBe(1)
    expect(outcome.conclusion.reasons).toEqual([
      expect.stringMatching(
        /^the server lets clients interfere with each other: cortask:\S+ passes alone and fails in parallel with cortask:\S+/,
      ),
    ])
  })

  it('that dies of a frame is named with it, restarted, and certified to the end', async () => {
    const { outcome, server } = await tried({ diesOfNull: true }, RESTARTS)
    expect(found(outcome)).toEqual({ 'broken:null': 'failed' })
    expect(outcome.losses.map(({ during, request, restarted }) => ({ during, request, restarted }))).toEqual([
      { during: ['cortask:broken:null'], request: '"null"', restarted: true },
    ])
    expect(outcome.results.find(({ id }) => id === 'cortask:broken:null')?.repeats).toEqual({ ran: 5, failed: 5 })
    expect(server.crashCount).toBe(6)
  })

  it('that a frame crashes, and that cannot be restarted, gets all harmless checks first', async () => {
    const { outcome } = await tried({ diesOfNull: true })
    const { 'broken:null': killer, ...others } = found(outcome)
    expect(killer).toBe('failed')
    const { checks } = await loadSuite('cortask')
    for (const [id, result] of Object.entries(others))
      expect([id, result, checks.get(`cortask:${id}`)?.pool]).toEqual([id, 'unjudged', 'dangerous'])
    expect(outcome.conclusion.reasons[0]).toMatch(/^the server was lost during cortask:broken:null after "null"/)
  })

  it('does not run skipped checks', async () => {
    const { outcome, server } = await tried({ diesOfNull: true }, { skip: ['cortask:broken:null'] })
    expect([outcome.exitCode, server.crashCount]).toEqual([0, 0])
    expect(outcome.results.some(({ id }) => id === 'cortask:broken:null')).toBe(false)
    expect(outcome.partial).toBe(true)
  })

  it('does not run dangerous checks when only a shape is selected', async () => {
    const { outcome, server } = await tried({ diesOfNull: true }, { only: ['cortask:shape:event-text_delta'] })
    expect([outcome.exitCode, server.crashCount]).toEqual([0, 0])
    expect(outcome.results.map(({ id }) => id)).toEqual(['cortask:shape:event-text_delta'])
  })

  it('is unsteady, and never passes, when it fails now and then', async () => {
    const { outcome } = await tried({ failsEvery: 2 }, { only: ['cortask:chat:answer', 'cortask:chat:key'] })
    expect(Object.values(found(outcome))).toEqual(['unsteady'])
    expect(outcome.exitCode).toBe(1)
  })

  it('is accused once of what other checks rely on', async () => {
    const only = ['answer', 'usage', 'key'].map((name) => `cortask:chat:${name}`)
    const { outcome } = await tried({ neverDone: true }, { only, responseTimeoutMs: 300, repeats: 2 })
    expect(found(outcome)).toEqual({ 'chat:answer': 'failed', 'chat:usage': 'unjudged', 'chat:key': 'unjudged' })
    const usage = outcome.results.find(({ id }) => id === 'cortask:chat:usage')
    expect(usage?.why).toMatch(/ \(not judged, because cortask:chat:answer failed\)$/)
  })

  it('fails a shape only after it was seen again each time', async () => {
    const only = ['cortask:run:order', 'cortask:shape:event-tool_result']
    const { outcome } = await tried({ hidesArguments: true }, { only })
    expect(found(outcome)).toEqual({ 'shape:event-tool_result': 'failed' })
    expect(outcome.results.find(({ status }) => status === 'failed')?.repeats).toEqual({ ran: 5, failed: 5 })
  })

  it('does not fail a shape that reflects a deliberate mistake', async () => {
    const only = ['cortask:chat:answer', 'cortask:chat:missing-key', 'cortask:shape:event-text_delta']
    const { outcome } = await tried({ answersKeyless: true }, { only })
    expect(found(outcome)).toEqual({ 'chat:missing-key': 'failed' })
  })
})

describe('a backend written by others', () => {
  it('without listings is reachable by a query, and fails only requirements about listings', async () => {
    const server = await startForeignWindieos()
    closing.push(server.close)
    const slice = [
      'query:stream',
      'query:whole',
      'query:identity',
      'query:second',
      'handshake:first',
      'settings:models',
    ]
    const only = slice.map((id) => `windieos:${id}`)
    const profile = createProfile('foreign', { phrases: { hello: 'good day' } })
    const given = { protocol: 'windieos', url: server.url, profile, only, responseTimeoutMs: 4000 } as const
    const outcome = await certify({ ...given, repeats: 1 })
    expect(outcome.unreachable).toBeUndefined()
    expect(found(outcome)).toEqual({ 'settings:models': 'failed' })
    expect(outcome.results.find(({ status }) => status === 'failed')?.repeats).toEqual({ ran: 1, failed: 1 })
  })
})

describe('an observer written by others', () => {
  it('that dies of a huge grid is named with the request, and is not blamed for anything else', async () => {
    const server = await startSketchObserver({ diesOfHugeGrids: true })
    closing.push(server.close)
    const slice = ['health:ready', 'windows:count', 'sketch:size', 'sketch:default', 'sketch:bounded']
    const only = slice.map((id) => `observer:${id}`)
    const given = {
      protocol: 'observer',
      url: server.url,
      only,
      restart: server.restart,
      responseTimeoutMs: 4000,
    } as const
    const outcome = await certify({ ...given, repeats: 2 })
    expect(found(outcome)).toEqual({ 'sketch:bounded': 'failed' })
    expect(outcome.losses).toMatchObject([
      { during: ['observer:sketch:bounded'], request: expect.stringContaining('GET /api/sketch?grid_width=') },
    ])
    expect(server.crashCount).toBe(3)
  })
})
