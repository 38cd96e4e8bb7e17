import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { auxiliaryCheck, openPreparedServer } from '../../observer/auxiliary.ts'
import {
  actOnElement,
  assertRefusal,
  type Capability,
  fillNameField,
  findElement,
  getElementByName,
  getTree,
  parseSuccess,
  requireCapability,
  showScenario,
} from '../../observer/driver.ts'
import { TraceStarted, TraceStatus, TraceStopped } from '../../observer/shapes.ts'
import { notOffered, parseAs, parseJson } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check, type RequirementId } from '../check.ts'

/** Registers a check of an optional capability. */
export const checkOf =
  (capability: Capability) =>
  (id: RequirementId, run: (context: TestContext) => Promise<void>, options?: Parameters<typeof check>[2]): void =>
    check(
      id,
      async (context) => {
        await requireCapability(context.http, capability)
        await run(context)
      },
      options,
    )
const traceCheck = checkOf('tracing')

const statusOf = async (http: HttpProbe) => parseSuccess(await http.get('/api/trace/status'), TraceStatus)
export const startTrace = async (http: HttpProbe, label: string) =>
  parseSuccess(await http.post('/api/trace/start', { label }), TraceStarted)
export const stopTrace = async (http: HttpProbe) => parseSuccess(await http.post('/api/trace/stop', {}), TraceStopped)

/** Stops a trace that another check may have left running. */
export async function assertNoTrace(http: HttpProbe): Promise<void> {
  if ((await statusOf(http)).active_trace_id !== null) await stopTrace(http)
}

traceCheck('observer:trace:status', async (context) => {
  await showScenario(context)
  const { http } = context
  await assertNoTrace(http)
  const { trace_id } = await startTrace(http, context.random.word())
  const first = await statusOf(http)
  assert.equal(first.active_trace_id, trace_id)
  await findElement(http, 'Button[name="Save"]')
  await actOnElement(http, 'focus', { selector: 'Edit[name="Note"]' })
  const second = await statusOf(http)
  assert.equal(second.step_count, first.step_count + 2)
  await stopTrace(http)
})

traceCheck('observer:trace:stop', async (context) => {
  await showScenario(context)
  const { http } = context
  await assertNoTrace(http)
  const { trace_id } = await startTrace(http, '')
  await findElement(http, 'Button[name="Save"]')
  const { step_count } = await statusOf(http)
  const stopped = await stopTrace(http)
  assert.equal(stopped.trace_id, trace_id)
  assert.equal(stopped.step_count, step_count)
  assert.match(stopped.path, /trace\.jsonl$/)
  assert.equal((await statusOf(http)).active_trace_id, null)
})

traceCheck('observer:trace:idle', async ({ http }) => {
  await assertNoTrace(http)
  const { step_count, dir } = await statusOf(http)
  assert.deepEqual({ step_count, dir }, { step_count: 0, dir: null })
})

traceCheck('observer:trace:twice', async ({ http }) => {
  await assertNoTrace(http)
  assertRefusal(await http.post('/api/trace/stop', {}), 'BadRequest')
  await startTrace(http, 'first')
  assertRefusal(await http.post('/api/trace/start', { label: 'second' }), 'BadRequest')
  await stopTrace(http)
})

/** A trace of a small piece of work on the suite's screen, from the scenario's beginning. */
export async function record(context: TestContext): Promise<{ readonly path: string; readonly steps: number }> {
  const { http } = context
  await assertNoTrace(http)
  await showScenario(context)
  await startTrace(http, 'a piece of work')
  await getTree(http)
  await findElement(http, 'Edit[name="Name"]')
  await actOnElement(http, 'click', { selector: 'Edit[name="Name"]' })
  await http.post('/api/action', { action: 'type', value: 'Ada' })
  await actOnElement(http, 'click', { selector: 'Button[name="Save"]' })
  await getElementByName(http, 'All changes saved')
  const { path, step_count } = await stopTrace(http)
  return { path, steps: step_count }
}

/** The lines of a trace, where the server writes to a disk that the suite can read. */
function linesOf(path: string): readonly Loose[] {
  if (!existsSync(path)) notOffered('the traces lie on a disk that the suite cannot read')
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => parseAs(Loose, parseJson(line, 'a line of the trace'), 'a line'))
}
const Loose = z.looseObject({ tool: z.string().optional() })
type Loose = z.infer<typeof Loose>

traceCheck('observer:trace:file', async (context) => {
  const { path, steps } = await record(context)
  const tools = linesOf(path).flatMap(({ tool }) => tool ?? [])
  assert.equal(tools.length, steps, `the trace has records of ${tools.join(', ')}`)
  for (const tool of ['find_element', 'click_element', 'type_text'])
    assert.ok(tools.includes(tool), `no record is that of ${tool}`)
})

traceCheck('observer:trace:screenshots', async (context) => {
  const { path } = await record(context)
  linesOf(path)
  const folder = join(dirname(path), 'screenshots')
  assert.ok(existsSync(folder), 'the trace has no folder screenshots')
  const names = readdirSync(folder)
  assert.ok(
    names.some((name) => /^step-\d{5}-full\.png$/.test(name)),
    `no file is named step-NNNNN-full.png: ${names.join(', ')}`,
  )
})

/** A trace of typing on the server that withholds typed text. */
export async function typedText(
  context: TestContext,
): Promise<{ readonly http: HttpProbe; readonly path: string; readonly text: string }> {
  const http = await openPreparedServer(context, 'brief')
  const text = context.random.word(16)
  await assertNoTrace(http)
  await startTrace(http, 'typing')
  await fillNameField(http, text)
  const { path } = await stopTrace(http)
  await showScenario({ ...context, http })
  return { http, path, text }
}

auxiliaryCheck('observer:trace:secrets', async (context) => {
  await requireCapability(context.http, 'tracing')
  const { path, text } = await typedText(context)
  assert.ok(!JSON.stringify(linesOf(path)).includes(text), 'the trace has the text')
})
