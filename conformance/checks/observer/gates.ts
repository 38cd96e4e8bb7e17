import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertForbidden, auxiliaryCheck, openLimitedServer } from '../../observer/auxiliary.ts'
import { assertRefusal, parseSuccess } from '../../observer/driver.ts'
import { BudgetStatus } from '../../observer/shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { HttpProbe, HttpResponse } from '../../probe/http.ts'
import { check } from '../check.ts'

const statusOf = async (http: HttpProbe) => parseSuccess(await http.get('/api/budget_status'), BudgetStatus)

check('observer:budget:unset', async ({ http }) => {
  assert.equal((await statusOf(http)).configured, false)
})

/** A harmless click that costs one action. */
const click = (http: HttpProbe) => http.post('/api/element/click', { selector: 'Text' })

auxiliaryCheck('observer:budget:counts', async (context) => {
  const http = await openLimitedServer(context, 'budget')
  const before = await statusOf(http)
  const first = await click(http)
  const after = await statusOf(http)
  if (!before.configured || !after.configured) fail('the budgets of the server are not configured')
  const { used, limit, remaining } = after.actions
  if (typeof limit !== 'number' || used === undefined) fail('the limit of actions is not reported')
  assert.equal(remaining, limit - used)
  assert.equal(used, (before.actions.used ?? 0) + (first.status === 200 ? 1 : 0))
})

/** Acts until the budget is used up; the refusal. */
async function exhaust(http: HttpProbe): Promise<HttpResponse> {
  for (let count = 0; count < 100; count++) {
    const answer = await click(http)
    if (answer.status !== 200) return answer
  }
  fail('a hundred actions were performed, and none was refused')
}

auxiliaryCheck('observer:budget:actions', async (context) => {
  const http = await openLimitedServer(context, 'budget')
  assertRefusal(await exhaust(http), 'BudgetExceeded')
})

auxiliaryCheck('observer:budget:every-action', async (context) => {
  const http = await openLimitedServer(context, 'budget')
  await exhaust(http)
  const others = [
    http.post('/api/action', { action: 'click_at', x: 100, y: 100 }),
    http.post('/api/action', { action: 'type', value: 'x' }),
    http.post('/api/action', { action: 'key', value: 'a' }),
    http.post('/api/hover', { x: 100, y: 100, hover_ms: 1 }),
    http.post('/api/drag', { from: { x: 100, y: 100 }, to: { x: 110, y: 110 }, duration_s: 0.01 }),
    http.post('/api/action', { action: 'scroll', x: 100, y: 100, clicks: 1 }),
    http.post('/api/type_and_observe', { text: 'x' }),
  ]
  for (const answer of await Promise.all(others)) assertForbidden(answer, 'BudgetExceeded')
})

auxiliaryCheck('observer:budget:screenshots', async (context) => {
  const http = await openLimitedServer(context, 'budget')
  for (let count = 0; count < 100; count++) {
    const answer = await http.get('/api/screenshot')
    if (answer.status !== 200) return assertForbidden(answer, 'BudgetExceeded')
  }
  fail('a hundred screenshots were taken, and none was refused')
})

auxiliaryCheck('observer:budget:pictures', async (context) => {
  for (const path of ['/api/screenshot/cropped', '/api/full_screenshot']) {
    const http = await openLimitedServer(context, 'budget')
    let answer = await http.get(path)
    for (let count = 0; count < 100 && answer.status === 200; count++) answer = await http.get(path)
    assert.notEqual(answer.status, 200, `a hundred pictures of ${path} were taken, and none was refused`)
    assertForbidden(answer, 'BudgetExceeded')
  }
})

auxiliaryCheck('observer:budget:dry-run', async (context) => {
  const http = await openLimitedServer(context, 'budget')
  const used = async () => {
    const status = await statusOf(http)
    return status.configured ? status.actions.used : fail('the budgets of the server are not configured')
  }
  const before = await used()
  await http.post('/api/element/click', { selector: 'Text', dry_run: true })
  assert.equal(await used(), before)
})

auxiliaryCheck('observer:budget:session', async (context) => {
  const http = await openLimitedServer(context, 'short')
  // The remaining time cannot exceed the configured time.
  const giveUpAt = performance.now() + SESSION_MS
  let answer = await click(http)
  while (answer.status === 200 && performance.now() < giveUpAt) {
    await pause(200)
    answer = await click(http)
  }
  assertRefusal(answer, 'BudgetExceeded')
})
/** The two seconds of that server, and time for it to notice. */
const SESSION_MS = 8000

auxiliaryCheck('observer:budget:rate', async (context) => {
  const http = await openLimitedServer(context, 'rate')
  const { context: details } = assertRefusal(await exhaust(http), 'RateLimited')
  assert.equal(typeof details, 'object')
})
