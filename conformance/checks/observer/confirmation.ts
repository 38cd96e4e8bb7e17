import assert from 'node:assert/strict'
import { center } from '../../compare/tree.ts'
import { Found, Proposed } from '../../contract/observer-shapes.ts'
import type { Http } from '../../probe/http.ts'
import { check } from '../check.ts'
import { assertForbidden, guarded, satelliteCheck, staged } from './auxiliary.ts'
import { act, elementNamed, query, read, refusedWith, stage, treeOf } from './client.ts'

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
})

/** Fails unless a token for another element is refused. */
async function misuse(http: Http): Promise<void> {
  const { confirm_token } = await propose(http, { selector: 'Button[name="Save"]' })
  refusedWith(await http.post('/api/element/click', { ...DELETE, confirm_token }), 'ConfirmationInvalid')
}

satelliteCheck('observer:confirm:other', async (bench) => misuse(await guarded(bench)))

satelliteCheck('observer:confirm:kept', async (bench) => {
  const http = await guarded(bench)
  const { confirm_token } = await propose(http)
  const misused = { selector: 'Button[name="Delete all"]', button: 'right', confirm_token }
  const answer = await http.post('/api/element/click', misused)
  // Where the other button is the same to the rule, nothing has failed.
  if (answer.status === 200) return
  await act(http, 'click', { ...DELETE, confirm_token })
})

satelliteCheck('observer:confirm:by-id', async (bench) => {
  const http = await guarded(bench)
  const { element_id } = read(await http.get(`/api/find_element${query(DELETE)}`), Found)
  const { confirm_token } = await propose(http, { element_id })
  await act(http, 'click', { ...DELETE, confirm_token })
})

satelliteCheck('observer:confirm:dry-run', async (bench) => {
  const { dry_run } = await act(await guarded(bench), 'click', { ...DELETE, dry_run: true })
  assert.equal(dry_run, true)
})

satelliteCheck('observer:confirm:ttl', async (bench) => {
  const http = await staged(bench, 'brief')
  const { confirm_token } = await propose(http)
  await new Promise((resolve) => setTimeout(resolve, TTL_MS))
  refusedWith(await http.post('/api/element/click', { ...DELETE, confirm_token }), 'ConfirmationInvalid')
})
/** The second that a token of that server lives, and a little more. */
const TTL_MS = 1500

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
