import assert from 'node:assert/strict'
import * as z from 'zod'
import { nodesOf } from '../../compare/tree.ts'
import {
  assertRefusal,
  fillNameField,
  getFrontWindow,
  getTree,
  getWindows,
  observeFull,
  parseSuccess,
  showScenario,
} from '../../observer/driver.ts'
import { IdleResult, WaitMatch, WaitTimeout } from '../../observer/shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { check } from '../check.ts'

type Condition = Readonly<Record<string, unknown>> & { readonly type: string }

const waitFor = (http: HttpProbe, any_of: readonly Condition[], timeout_ms = 400) =>
  http.post('/api/wait_for', { any_of, timeout_ms, poll_ms: 50 })

const assertMatches = async (http: HttpProbe, condition: Condition) => {
  const matched = parseSuccess(await waitFor(http, [condition]), WaitMatch)
  assert.equal(matched.matched_index, 0)
  return matched
}

const assertTimesOut = async (http: HttpProbe, condition: Condition) => {
  assertRefusal(await waitFor(http, [condition]), 'Timeout')
}

/** A selector that finds an element, and one that finds none. */
async function selectors(http: HttpProbe, absentName: string) {
  const { tree } = await getTree(http)
  const root = tree.role
  const there = nodesOf(tree).find(
    (node) => /^\w+$/.test(node.role) && /^[\w ]+$/.test(node.name) && node.id !== tree.id,
  )
  const present = there ?? fail('prerequisite: the screen has no element with a plain name')
  return {
    present: `${root} ${present.role}[name="${present.name}"]`,
    absent: `${root} Button[name="${absentName}"]`,
    node: present,
  }
}

check('observer:wait:element-appears', async ({ http, random }) => {
  const { present, absent, node } = await selectors(http, random.word())
  const { matched_detail } = await assertMatches(http, { type: 'element_appears', selector: present })
  if (matched_detail.bounds !== undefined) assert.deepEqual(matched_detail.bounds, node.bounds)
  await assertTimesOut(http, { type: 'element_appears', selector: absent })
})

check('observer:wait:element-disappears', async ({ http, random }) => {
  const { present, absent, node } = await selectors(http, random.word())
  await assertMatches(http, { type: 'element_disappears', selector: absent })
  await assertMatches(http, { type: 'element_disappears', element_id: random.word(12) })
  await assertTimesOut(http, { type: 'element_disappears', selector: present })
  await assertTimesOut(http, { type: 'element_disappears', element_id: node.id })
})

check('observer:wait:text-visible', async ({ http, random }) => {
  const { node } = await selectors(http, random.word())
  await assertMatches(http, { type: 'text_visible', regex: node.name.slice(1) })
  await assertTimesOut(http, { type: 'text_visible', regex: random.word(16) })
})

check('observer:wait:window-appears', async ({ http, random }) => {
  const { title, window_uid } = await getFrontWindow(http)
  const word = /\w+/.exec(title)?.[0] ?? fail('prerequisite: the focused window has no title')
  const { matched_detail } = await assertMatches(http, { type: 'window_appears', title_regex: word })
  const uids = (await getWindows(http))
    .filter((window) => window.title.includes(word))
    .map((window) => window.window_uid)
  assert.ok(uids.includes(String(matched_detail.window_uid ?? window_uid)))
  await assertTimesOut(http, { type: 'window_appears', title_regex: random.word(16) })
})

check('observer:wait:window-disappears', async ({ http, random }) => {
  const { window_uid } = await getFrontWindow(http)
  await assertMatches(http, { type: 'window_disappears', window_uid: `gone:${random.word()}` })
  await assertTimesOut(http, { type: 'window_disappears', window_uid })
})

check('observer:wait:tree-changes', async (context) => {
  await showScenario(context)
  const { http } = context
  const { tree_token } = await observeFull(http)
  await assertTimesOut(http, { type: 'tree_changes', since: tree_token })
  await fillNameField(http, context.random.word())
  await assertMatches(http, { type: 'tree_changes', since: tree_token })
})

check('observer:wait:focused-changes', async (context) => {
  await showScenario(context)
  await assertTimesOut(context.http, { type: 'focused_changes' })
})

check('observer:wait:first', async ({ http, random }) => {
  const { present, absent } = await selectors(http, random.word())
  const { title } = await getFrontWindow(http)
  const conditions = [
    { type: 'element_appears', selector: absent },
    { type: 'element_appears', selector: present },
    { type: 'window_appears', title_regex: /\w+/.exec(title)?.[0] },
  ]
  assert.equal(parseSuccess(await waitFor(http, conditions), WaitMatch).matched_index, 1)
})

check('observer:wait:in-time', async ({ http, random }) => {
  const startedAt = performance.now()
  const answer = await http.post('/api/wait_for', {
    any_of: [{ type: 'text_visible', regex: random.word(16) }],
    timeout_ms: 300,
    poll_ms: 5000,
  })
  const tookMs = performance.now() - startedAt
  const { elapsed_ms } = answer.json(WaitTimeout)
  assert.ok(elapsed_ms >= 300 && elapsed_ms < 1500, `a wait of 300 ms reports ${elapsed_ms} ms`)
  assert.ok(tookMs < 3000, `a wait of 300 ms took ${Math.round(tookMs)} ms`)
})

check('observer:wait:empty', async ({ http }) => {
  for (const raw of ['{}', '{"any_of":[]}', '{"any_of":"text"}', '{"any_of":[7]}']) {
    const answer = await http.send({ method: 'POST', path: '/api/wait_for', raw, deliberate: true })
    assertRefusal(answer, 'BadRequest')
  }
})

check('observer:wait:idle', async (context) => {
  if (context.profile.has('scenarios')) await showScenario(context)
  parseSuccess(await context.http.post('/api/wait_idle', { quiet_ms: 200, timeout_ms: 3000, poll_ms: 50 }), IdleResult)
})

check('observer:wait:idle-told', async (context) => {
  if (context.profile.has('scenarios')) await showScenario(context)
  const answer = await context.http.post('/api/wait_idle', { quiet_ms: 200, timeout_ms: 3000, poll_ms: 50 })
  const { elapsed_ms, tree_hash } = parseSuccess(
    answer,
    IdleResult.extend({ elapsed_ms: z.number(), tree_hash: z.string() }),
  )
  assert.ok(elapsed_ms >= 150, `the screen is called still after ${elapsed_ms} ms`)
  assert.equal(tree_hash, (await getTree(context.http)).tree_hash)
})

check('observer:wait:incomplete', async ({ http }) => {
  const incomplete = ['element_appears', 'element_disappears', 'text_visible', 'window_appears', 'window_disappears']
  for (const type of incomplete) {
    const raw = JSON.stringify({ any_of: [{ type }], timeout_ms: 100, poll_ms: 50 })
    const answer = await http.send({ method: 'POST', path: '/api/wait_for', raw, deliberate: true })
    assert.ok([400, 408].includes(answer.status), `${type} without its argument answers ${answer.status}`)
  }
})

check('observer:wait:window', async (context) => {
  await showScenario(context)
  const { http } = context
  const { window_uid } =
    (await getWindows(http)).find(({ title }) => title === 'Notes') ?? fail('prerequisite: no Notes')
  const any_of = [{ type: 'element_appears', selector: 'Button[name="Close notes"]' }]
  parseSuccess(await http.post('/api/wait_for', { any_of, timeout_ms: 400, poll_ms: 50, window_uid }), WaitMatch)
})

check('observer:wait:last-observation', async ({ http, random }) => {
  const answer = await waitFor(http, [{ type: 'text_visible', regex: random.word(16) }], 80)
  const { last_observation } = answer.json(
    z.looseObject({ last_observation: z.looseObject({ tree_hash: z.string() }) }),
  )
  assert.equal(last_observation.tree_hash, (await getTree(http)).tree_hash)
})

/** A minute, and a little for the way. */
const LONGEST_MS = 65_000

check(
  'observer:wait:capped',
  async ({ http }) => {
    const body = { quiet_ms: 600_000, timeout_ms: 600_000 }
    const startedAt = performance.now()
    const { status } = await http.post('/api/wait_idle', body, { timeoutMs: LONGEST_MS, deliberate: true })
    assert.ok(status < 500, `it answers ${status}`)
    assert.ok(performance.now() - startedAt < LONGEST_MS, 'it lasts longer than a minute')
  },
  // No other check waits for it, so it runs in parallel with the checks of the screen.
  { pool: 'auxiliary', timeoutMs: LONGEST_MS + 5000 },
)
