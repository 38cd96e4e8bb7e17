import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { center } from '../../compare/tree.ts'
import { assertForbidden, auxiliaryCheck, openGuardedServer, openPreparedServer } from '../../observer/auxiliary.ts'
import {
  actOnElement,
  assertRefusal,
  getElementByName,
  getTree,
  parseSuccess,
  showScenario,
  toQuery,
} from '../../observer/driver.ts'
import { FoundElement, ProposedAction } from '../../observer/shapes.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { check } from '../check.ts'

const DELETE = { selector: 'Button[name="Delete all"]' }

auxiliaryCheck('observer:confirm:required', async (context) => {
  const http = await openGuardedServer(context)
  const before = await getTree(http)
  assertRefusal(await http.post('/api/element/click', DELETE), 'ConfirmationRequired')
  assert.equal((await getTree(http)).tree_hash, before.tree_hash)
})

const propose = async (http: HttpProbe, args: object = DELETE) =>
  parseSuccess(await http.post('/api/propose_action', { action: 'click_element', args }), ProposedAction)

auxiliaryCheck('observer:confirm:token', async (context) => {
  const http = await openGuardedServer(context)
  const { confirm_token, would_target } = await propose(http)
  assert.deepEqual(would_target.bounds, (await getElementByName(http, 'Delete all')).bounds)
  await actOnElement(http, 'click', { ...DELETE, confirm_token })
})

auxiliaryCheck('observer:confirm:once', async (context) => {
  const http = await openGuardedServer(context)
  const { confirm_token } = await propose(http)
  await actOnElement(http, 'click', { ...DELETE, confirm_token })
  assertRefusal(await http.post('/api/element/click', { ...DELETE, confirm_token }), 'ConfirmationInvalid')
})

/** Fails unless a token for another element is refused. */
async function misuse(http: HttpProbe): Promise<void> {
  const { confirm_token } = await propose(http, { selector: 'Button[name="Save"]' })
  assertRefusal(await http.post('/api/element/click', { ...DELETE, confirm_token }), 'ConfirmationInvalid')
}

auxiliaryCheck('observer:confirm:other', async (context) => misuse(await openGuardedServer(context)))

auxiliaryCheck('observer:confirm:kept', async (context) => {
  const http = await openGuardedServer(context)
  const { confirm_token } = await propose(http)
  const misused = { selector: 'Button[name="Delete all"]', button: 'right', confirm_token }
  const answer = await http.post('/api/element/click', misused)
  // A rule may cover the other button as well.
  if (answer.status === 200) return
  await actOnElement(http, 'click', { ...DELETE, confirm_token })
})

auxiliaryCheck('observer:confirm:by-id', async (context) => {
  const http = await openGuardedServer(context)
  const { element_id } = parseSuccess(await http.get(`/api/find_element${toQuery(DELETE)}`), FoundElement)
  const { confirm_token } = await propose(http, { element_id })
  await actOnElement(http, 'click', { ...DELETE, confirm_token })
})

auxiliaryCheck('observer:confirm:dry-run', async (context) => {
  const { dry_run } = await actOnElement(await openGuardedServer(context), 'click', { ...DELETE, dry_run: true })
  assert.equal(dry_run, true)
})

auxiliaryCheck('observer:confirm:ttl', async (context) => {
  const http = await openPreparedServer(context, 'brief')
  const { confirm_token } = await propose(http)
  await pause(TTL_MS)
  assertRefusal(await http.post('/api/element/click', { ...DELETE, confirm_token }), 'ConfirmationInvalid')
})
/** The second that a token of that server lives, and a little more. */
const TTL_MS = 1500

auxiliaryCheck('observer:confirm:spelling', async (context) => {
  const http = await openGuardedServer(context)
  const { element_id } = parseSuccess(await http.get(`/api/find_element${toQuery(DELETE)}`), FoundElement)
  const names = [
    { element_id },
    { selector: '//Button[name~="Delete.*"]' },
    { selector: 'Pane[name="Buttons"] Button[index=3]' },
  ]
  for (const by of names) assertRefusal(await http.post('/api/element/click', by), 'ConfirmationRequired')
  const point = center((await getElementByName(http, 'Delete all')).bounds)
  const answer = await http.post('/api/action', { action: 'click_at', ...point })
  assertForbidden(answer, 'ConfirmationRequired')
})

check('observer:confirm:unneeded', async (context) => {
  await showScenario(context)
  const { confirm_token } = await propose(context.http, { selector: 'Button[name="Save"]' })
  await actOnElement(context.http, 'click', { selector: 'Button[name="Save"]', confirm_token })
})
