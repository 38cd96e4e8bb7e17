import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertSamePixels, crop, decode } from '../../compare/pixels.ts'
import { nodesOf } from '../../compare/tree.ts'
import { assertForbidden, auxiliaryCheck, openGuardedServer, openPreparedServer } from '../../observer/auxiliary.ts'
import {
  actOnElement,
  assertRefusal,
  getFrontWindow,
  getTree,
  observe,
  observeFull,
  parseSuccess,
  requireCapability,
  toQuery,
} from '../../observer/driver.ts'
import { type Node, RedactionStatus, Screenshot, Windows } from '../../observer/shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'

/** The value of the field that the guarded server redacts. */
const SECRET = 'hunter22'

auxiliaryCheck('observer:redaction:status', async (context) => {
  await requireCapability(context.http, 'redaction')
  const shape = RedactionStatus.extend({ patterns_count: z.int().positive(), applied_count: z.int().nonnegative() })
  const { active } = parseSuccess(await (await openGuardedServer(context)).get('/api/redaction_status'), shape)
  assert.equal(active, true)
})

auxiliaryCheck('observer:redaction:tree', async (context) => {
  await requireCapability(context.http, 'redaction')
  const { tree } = await getTree(await openGuardedServer(context))
  const names = nodesOf(tree).map((node) => node.name)
  assert.ok(!names.includes('Password'), 'the name is still there')
  assert.ok(!JSON.stringify(tree).includes(SECRET), 'the value is still there')
  assert.ok(names.includes('Name'), 'other names are redacted too')
})

auxiliaryCheck('observer:redaction:leaks', async (context) => {
  await requireCapability(context.http, 'redaction')
  const http = await openGuardedServer(context)
  const { tree_token } = await observeFull(http)
  await actOnElement(http, 'set_value', { selector: 'Edit[name="Note"]', value: 'changed' })
  const taken = (await http.post('/api/snapshot', {})).json() as { snapshot_id?: string }
  const answers = [
    await http.get('/api/structure'),
    await http.get('/api/observe'),
    await http.get(`/api/observe${toQuery({ since: tree_token })}`),
    await http.get('/api/description'),
    await http.get(`/api/sketch${toQuery({ grid_width: 160, grid_height: 60 })}`),
    await http.get(`/api/snapshot/${taken.snapshot_id}`),
    await http.get(`/api/find_element${toQuery({ selector: 'Window Edit' })}`),
    await http.post('/api/wait_for', { any_of: [{ type: 'text_visible', regex: SECRET }], timeout_ms: 60 }),
    await http.post('/api/assert_state', {
      predicate: [{ kind: 'value_equals', selector: 'Window Edit[index=2]', expected: 'x' }],
    }),
  ]
  for (const answer of answers) assert.ok(!answer.text.includes(SECRET), `${answer.what} leaks the value`)
  const guess = await http.get(`/api/find_element${toQuery({ selector: `//Edit[value="${SECRET}"]` })}`)
  assert.notEqual(guess.status, 200, 'the value can be guessed with a selector')
  await observe(http)
})

auxiliaryCheck('observer:redaction:composites', async (context) => {
  await requireCapability(context.http, 'redaction')
  const http = await openGuardedServer(context)
  const taken = async () => ((await http.post('/api/snapshot', {})).json() as { snapshot_id?: string }).snapshot_id
  const { tree_token } = await observeFull(http)
  const a = await taken()
  const open = { selector: 'Button[name="Open dialog"]', wait_after_ms: 10 }
  const answers = [
    await http.post('/api/element/click_and_observe', open),
    await http.post('/api/snapshot/diff', { a, b: await taken() }),
    await http.post('/api/type_and_observe', { text: 'x', since: tree_token, wait_after_ms: 10 }),
    await http.get('/api/windows'),
  ]
  for (const answer of answers) {
    assert.equal(answer.status, 200, `${answer.what} answers ${answer.status}`)
    assert.ok(!answer.text.includes(SECRET), `${answer.what} leaks the value`)
  }
})

auxiliaryCheck('observer:redaction:titles', async (context) => {
  await requireCapability(context.http, 'redaction')
  const http = await openPreparedServer(context, 'veiled')
  const { windows } = parseSuccess(await http.get('/api/windows'), Windows)
  assert.ok(windows.length > 1, 'prerequisite: there is one window only')
  assert.ok(!windows.some(({ title }) => title === 'Notes'), 'the title is still there')
  assert.ok(
    windows.some(({ title }) => title === 'Desk'),
    'other titles are redacted too',
  )
  const taken = (await http.post('/api/snapshot', {})).json() as { snapshot_id?: string }
  const { text } = await http.get(`/api/snapshot/${taken.snapshot_id}`)
  assert.ok(!text.includes('"Notes"'), 'a snapshot has the title')
})

auxiliaryCheck('observer:redaction:pixels', async (context) => {
  await requireCapability(context.http, 'redaction')
  const http = await openPreparedServer(context, 'veiled')
  const { bounds } = await getFrontWindow(http)
  const field = await firstField(http)
  const shoot = async () =>
    decode(parseSuccess(await http.get('/api/screenshot?window_index=0'), Screenshot).data, 'a picture')
  // The pattern matches the field Name, which shows the typed text.
  const before = await shoot()
  await actOnElement(http, 'click', { element_id: field.id })
  await http.post('/api/action', { action: 'type', value: context.random.word(12) })
  await actOnElement(http, 'click', { selector: 'Edit[name="Note"]' })
  const box = { ...field.bounds, x: field.bounds.x - bounds.x, y: field.bounds.y - bounds.y }
  assertSamePixels(crop(before, box), crop(await shoot(), box), 'the field whose name a pattern hits')
})

/** The first field of the suite's screen, independent of its name. */
async function firstField(http: HttpProbe): Promise<Node> {
  const field = nodesOf((await getTree(http)).tree).find(({ role }) => role === 'Edit')
  return field ?? fail('prerequisite: the screen has no field')
}

auxiliaryCheck('observer:allowlist:looking', async (context) => {
  const http = await openPreparedServer(context, 'closed')
  const { window_uid } = await getFrontWindow(http)
  for (const path of ['sketch', 'screenshot', 'full_screenshot', 'visible_areas', 'bring_to_foreground']) {
    const answer = await http.get(`/api/${path}${toQuery({ window_uid })}`)
    assert.notEqual(answer.status, 200, `${path} answers although its tool is denied`)
  }
})

auxiliaryCheck('observer:allowlist:denied', async (context) => {
  const http = await openGuardedServer(context)
  const before = await getTree(http)
  assertRefusal(await http.post('/api/tool/press_key', { keys: 'a' }), 'PermissionDenied')
  assert.equal((await getTree(http)).tree_hash, before.tree_hash)
})

auxiliaryCheck('observer:allowlist:allowed', async (context) => {
  const http = await openGuardedServer(context)
  await actOnElement(http, 'click', { selector: 'Edit[name="Note"]' })
})

auxiliaryCheck('observer:allowlist:ways', async (context) => {
  const http = await openGuardedServer(context)
  const ways = [
    await http.post('/api/action', { action: 'key', value: 'a' }),
    await http.get('/api/full_screenshot'),
    await http.post('/api/tool/get_full_screenshot', {}),
  ]
  for (const answer of ways) assertForbidden(answer, 'PermissionDenied')
})
