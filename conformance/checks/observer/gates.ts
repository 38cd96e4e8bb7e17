import assert from 'node:assert/strict'
import * as z from 'zod'
import type { Bench } from '../../bench.ts'
import { check, type RequirementId } from '../../check.ts'
import { center, nodesOf } from '../../compare/tree.ts'
import {
  BudgetStatus,
  CODES,
  type Code,
  Found,
  LegacyRefusal,
  Proposed,
  RedactionStatus,
} from '../../contract/observer-shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { Http, HttpAnswer } from '../../probe/http.ts'
import { act, elementNamed, needs, observe, observeFull, query, read, refusedWith, stage, treeOf } from './desk.ts'

const statusOf = async (http: Http) => read(await http.get('/api/budget_status'), BudgetStatus)

check('observer:budget:unset', async ({ http }) => {
  assert.equal((await statusOf(http)).configured, false)
})

/** Checks of servers with settings of their own. */
const satelliteCheck = (id: RequirementId, run: (bench: Bench) => Promise<void>) =>
  check(id, run, { lane: 'satellite', timeoutMs: 60_000 })

/** A click that harms nothing; it costs one action. */
const click = (http: Http) => http.post('/api/element/click', { selector: 'Text' })

satelliteCheck('observer:budget:counts', async (bench) => {
  const http = await limited(bench, 'budget')
  const before = await statusOf(http)
  const first = await click(http)
  const after = await statusOf(http)
  if (!before.configured || !after.configured) fail('the budgets of the server are not configured')
  const { used, limit, remaining } = after.actions
  if (limit === null || used === undefined) fail('the limit of actions is not told')
  assert.equal(remaining, limit - used)
  assert.equal(used, (before.actions.used ?? 0) + (first.status === 200 ? 1 : 0))
})

/** A server with limits. It has its own screen; where the screen is a real one, all share it, so it is set up first. */
async function limited(bench: Bench, name: string): Promise<Http> {
  const http = await bench.satellite(name)
  if (bench.profile.has('stage')) await stage(bench)
  return http
}

/** Acts until the budget is used up; the refusal. */
async function exhaust(http: Http): Promise<HttpAnswer> {
  for (let count = 0; count < 100; count++) {
    const answer = await click(http)
    if (answer.status !== 200) return answer
  }
  fail('a hundred actions were performed and none refused')
}

satelliteCheck('observer:budget:actions', async (bench) => {
  const http = await limited(bench, 'budget')
  refusedWith(await exhaust(http), 'BudgetExceeded')
  const status = await statusOf(http)
  assert.equal(status.configured && status.actions.remaining, 0)
})

/** Fails unless an endpoint of either version refused; the original ones may say so with 400. */
function assertForbidden(answer: HttpAnswer, code: Code): void {
  const told = `${answer.what} answers ${answer.status}: ${answer.text.slice(0, 200)}`
  assert.ok([CODES[code], 400].includes(answer.status), told)
  assert.ok(answer.status === CODES[code] || LegacyRefusal.safeParse(answer.json()).success, told)
}

satelliteCheck('observer:budget:every-action', async (bench) => {
  const http = await limited(bench, 'budget')
  await exhaust(http)
  const others = [
    http.post('/api/action', { action: 'click_at', x: 100, y: 100 }),
    http.post('/api/action', { action: 'type', value: 'x' }),
    http.post('/api/action', { action: 'key', value: 'a' }),
    http.post('/api/hover', { x: 100, y: 100, hover_ms: 1 }),
    http.post('/api/drag', { from: { x: 100, y: 100 }, to: { x: 110, y: 110 }, duration_s: 0.01 }),
    http.post('/api/type_and_observe', { text: 'x' }),
  ]
  for (const answer of await Promise.all(others)) assertForbidden(answer, 'BudgetExceeded')
})

satelliteCheck('observer:budget:screenshots', async (bench) => {
  const http = await limited(bench, 'budget')
  for (let count = 0; count < 100; count++) {
    const answer = await http.get('/api/screenshot')
    if (answer.status !== 200) return assertForbidden(answer, 'BudgetExceeded')
  }
  fail('a hundred screenshots were taken and none refused')
})

satelliteCheck('observer:budget:rate', async (bench) => {
  const http = await limited(bench, 'rate')
  const { context } = refusedWith(await exhaust(http), 'RateLimited')
  assert.equal(typeof context, 'object')
})

/** The guarded server, with the suite's screen on it. */
async function guarded(bench: Bench): Promise<Http> {
  const http = await bench.satellite('guarded')
  await stage({ ...bench, http })
  return http
}

/** The value of the field that the guarded server redacts. */
const SECRET = 'hunter22'

satelliteCheck('observer:redaction:status', async (bench) => {
  await needs(bench.http, 'redaction')
  const shape = RedactionStatus.extend({ patterns_count: z.int().positive(), applied_count: z.int().nonnegative() })
  const { active } = read(await (await guarded(bench)).get('/api/redaction_status'), shape)
  assert.equal(active, true)
})

satelliteCheck('observer:redaction:tree', async (bench) => {
  await needs(bench.http, 'redaction')
  const { tree } = await treeOf(await guarded(bench))
  const names = nodesOf(tree).map((node) => node.name)
  assert.ok(!names.includes('Password'), 'the name is still there')
  assert.ok(!JSON.stringify(tree).includes(SECRET), 'the value is still there')
  assert.ok(names.includes('Name'), 'other names are redacted too')
})

satelliteCheck('observer:redaction:leaks', async (bench) => {
  await needs(bench.http, 'redaction')
  const http = await guarded(bench)
  const { tree_token } = await observeFull(http)
  await act(http, 'set_value', { selector: 'Edit[name="Note"]', value: 'changed' })
  const taken = (await http.post('/api/snapshot', {})).json() as { snapshot_id?: string }
  const answers = [
    await http.get('/api/structure'),
    await http.get('/api/observe'),
    await http.get(`/api/observe${query({ since: tree_token })}`),
    await http.get('/api/description'),
    await http.get(`/api/sketch${query({ grid_width: 160, grid_height: 60 })}`),
    await http.get(`/api/snapshot/${taken.snapshot_id}`),
    await http.get(`/api/find_element${query({ selector: 'Window Edit' })}`),
    await http.post('/api/wait_for', { any_of: [{ type: 'text_visible', regex: SECRET }], timeout_ms: 60 }),
    await http.post('/api/assert_state', {
      predicate: [{ kind: 'value_equals', selector: 'Window Edit[index=2]', expected: 'x' }],
    }),
  ]
  for (const answer of answers) assert.ok(!answer.text.includes(SECRET), `${answer.what} leaks the value`)
  const guess = await http.get(`/api/find_element${query({ selector: `//Edit[value="${SECRET}"]` })}`)
  assert.notEqual(guess.status, 200, 'the value can be guessed with a selector')
  await observe(http)
})

satelliteCheck('observer:allowlist:denied', async (bench) => {
  const http = await guarded(bench)
  const before = await treeOf(http)
  refusedWith(await http.post('/api/tool/press_key', { keys: 'a' }), 'PermissionDenied')
  assert.equal((await treeOf(http)).tree_hash, before.tree_hash)
})

satelliteCheck('observer:allowlist:allowed', async (bench) => {
  const http = await guarded(bench)
  await act(http, 'click', { selector: 'Edit[name="Note"]' })
})

satelliteCheck('observer:allowlist:ways', async (bench) => {
  const http = await guarded(bench)
  const ways = [
    await http.post('/api/action', { action: 'key', value: 'a' }),
    await http.get('/api/full_screenshot'),
    await http.post('/api/tool/get_full_screenshot', {}),
  ]
  for (const answer of ways) assertForbidden(answer, 'PermissionDenied')
})

const DELETE = { selector: 'Button[name="Delete all"]' }

satelliteCheck('observer:confirm:required', async (bench) => {
  const http = await guarded(bench)
  const before = await treeOf(http)
  refusedWith(await http.post('/api/element/click', DELETE), 'ConfirmationRequired')
  assert.equal((await treeOf(http)).tree_hash, before.tree_hash)
})

const propose = async (http: Http, args: object = DELETE) =>
  read(await http.post('/api/propose_action', { action: 'click_element', args }), Proposed)

satelliteCheck('observer:confirm:token', async (bench) => {
  const http = await guarded(bench)
  const { confirm_token, would_target } = await propose(http)
  assert.deepEqual(would_target.bounds, (await elementNamed(http, 'Delete all')).bounds)
  await act(http, 'click', { ...DELETE, confirm_token })
})

satelliteCheck('observer:confirm:once', async (bench) => {
  const http = await guarded(bench)
  const { confirm_token } = await propose(http)
  await act(http, 'click', { ...DELETE, confirm_token })
  refusedWith(await http.post('/api/element/click', { ...DELETE, confirm_token }), 'ConfirmationInvalid')
  const other = await propose(http, { selector: 'Button[name="Save"]' })
  const misused = await http.post('/api/element/click', { ...DELETE, confirm_token: other.confirm_token })
  refusedWith(misused, 'ConfirmationInvalid')
})

satelliteCheck('observer:confirm:spelling', async (bench) => {
  const http = await guarded(bench)
  const { element_id } = read(await http.get(`/api/find_element${query(DELETE)}`), Found)
  const names = [
    { element_id },
    { selector: '//Button[name~="Delete.*"]' },
    { selector: 'Pane[name="Buttons"] Button[index=3]' },
  ]
  for (const by of names) refusedWith(await http.post('/api/element/click', by), 'ConfirmationRequired')
  const point = center((await elementNamed(http, 'Delete all')).bounds)
  const answer = await http.post('/api/action', { action: 'click_at', ...point })
  assertForbidden(answer, 'ConfirmationRequired')
})

check('observer:confirm:unneeded', async (bench) => {
  await stage(bench)
  const { confirm_token } = await propose(bench.http, { selector: 'Button[name="Save"]' })
  await act(bench.http, 'click', { selector: 'Button[name="Save"]', confirm_token })
})
