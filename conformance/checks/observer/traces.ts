import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { TraceStarted, TraceStatus, TraceStopped } from '../../contract/observer-shapes.ts'
import { fits, notOffered, parseJson } from '../../probe/failure.ts'
import type { Http } from '../../probe/http.ts'
import type { Bench } from '../../run/test-context.ts'
import { check, type RequirementId } from '../check.ts'
import { satelliteCheck, staged } from './auxiliary.ts'
import {
  act,
  type Capability,
  elementNamed,
  fillIn,
  findIn,
  needs,
  read,
  refusedWith,
  stage,
  treeOf,
} from './client.ts'

/** Checks of what a server need not do unless it announces it. */
export const checkOf =
  (capability: Capability) =>
  (id: RequirementId, run: (bench: Bench) => Promise<void>): void =>
    check(id, async (bench) => {
      await needs(bench.http, capability)
      await run(bench)
    })
const traceCheck = checkOf('tracing')

const statusOf = async (http: Http) => read(await http.get('/api/trace/status'), TraceStatus)
export const startTrace = async (http: Http, label: string) =>
  read(await http.post('/api/trace/start', { label }), TraceStarted)
export const stopTrace = async (http: Http) => read(await http.post('/api/trace/stop', {}), TraceStopped)

/** Ends a trace that another check may have left running. */
export async function noTrace(http: Http): Promise<void> {
  if ((await statusOf(http)).active_trace_id !== null) await stopTrace(http)
}

traceCheck('observer:trace:status', async (bench) => {
  await stage(bench)
  const { http } = bench
  await noTrace(http)
  const { trace_id } = await startTrace(http, bench.random.word())
  const first = await statusOf(http)
  assert.equal(first.active_trace_id, trace_id)
  await findIn(http, 'Button[name="Save"]')
  await act(http, 'focus', { selector: 'Edit[name="Note"]' })
  const second = await statusOf(http)
  assert.equal(second.step_count, first.step_count + 2)
  await stopTrace(http)
})

traceCheck('observer:trace:stop', async (bench) => {
  await stage(bench)
  const { http } = bench
  await noTrace(http)
  const { trace_id } = await startTrace(http, '')
  await findIn(http, 'Button[name="Save"]')
  const { step_count } = await statusOf(http)
  const stopped = await stopTrace(http)
  assert.equal(stopped.trace_id, trace_id)
  assert.equal(stopped.step_count, step_count)
  assert.match(stopped.path, /trace\.jsonl$/)
  assert.equal((await statusOf(http)).active_trace_id, null)
})

traceCheck('observer:trace:idle', async ({ http }) => {
  await noTrace(http)
  const { step_count, dir } = await statusOf(http)
  assert.deepEqual({ step_count, dir }, { step_count: 0, dir: null })
})

traceCheck('observer:trace:twice', async ({ http }) => {
  await noTrace(http)
  refusedWith(await http.post('/api/trace/stop', {}), 'BadRequest')
  await startTrace(http, 'first')
  refusedWith(await http.post('/api/trace/start', { label: 'second' }), 'BadRequest')
  await stopTrace(http)
})

/** A trace of a small piece of work on the suite's screen, from the scenario's beginning. */
export async function record(bench: Bench): Promise<{ readonly path: string; readonly steps: number }> {
  const { http } = bench
  await noTrace(http)
  await stage(bench)
  await startTrace(http, 'a piece of work')
  await treeOf(http)
  await findIn(http, 'Edit[name="Name"]')
  await act(http, 'click', { selector: 'Edit[name="Name"]' })
  await http.post('/api/action', { action: 'type', value: 'Ada' })
  await act(http, 'click', { selector: 'Button[name="Save"]' })
  await elementNamed(http, 'All changes saved')
  const { path, step_count } = await stopTrace(http)
  return { path, steps: step_count }
}

/** The lines of a trace, where the server writes to a disk that the suite can read. */
function linesOf(path: string): readonly Loose[] {
  if (!existsSync(path)) notOffered('the traces lie on a disk that the suite cannot read')
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => fits(Loose, parseJson(line, 'a line of the trace'), 'a line'))
}
const Loose = z.looseObject({ tool: z.string().optional() })
type Loose = z.infer<typeof Loose>

traceCheck('observer:trace:file', async (bench) => {
  const { path, steps } = await record(bench)
  const tools = linesOf(path).flatMap(({ tool }) => tool ?? [])
  assert.equal(tools.length, steps, `the trace has records of ${tools.join(', ')}`)
  for (const tool of ['find_element', 'click_element', 'type_text'])
    assert.ok(tools.includes(tool), `no record is that of ${tool}`)
})

traceCheck('observer:trace:screenshots', async (bench) => {
  const { path } = await record(bench)
  linesOf(path)
  const folder = join(dirname(path), 'screenshots')
  assert.ok(existsSync(folder), 'the trace has no folder screenshots')
  const names = readdirSync(folder)
  assert.ok(
    names.some((name) => /^step-\d{5}-full\.png$/.test(name)),
    `none is step-NNNNN-full.png: ${names.join(', ')}`,
  )
})

/** A trace of typing on the server that withholds typed text. */
export async function typedText(
  bench: Bench,
): Promise<{ readonly http: Http; readonly path: string; readonly text: string }> {
  const http = await staged(bench, 'brief')
  const text = bench.random.word(16)
  await noTrace(http)
  await startTrace(http, 'typing')
  await fillIn(http, text)
  const { path } = await stopTrace(http)
  await stage({ ...bench, http })
  return { http, path, text }
}

satelliteCheck('observer:trace:secrets', async (bench) => {
  await needs(bench.http, 'tracing')
  const { path, text } = await typedText(bench)
  assert.ok(!JSON.stringify(linesOf(path)).includes(text), 'the trace has the text')
})
