import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertSamePixels, crop, decode } from '../../compare/pixels.ts'
import { nodesOf } from '../../compare/tree.ts'
import { type Node, RedactionStatus, Screenshot, Windows } from '../../contract/observer-shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { Http } from '../../probe/http.ts'
import { assertForbidden, guarded, satelliteCheck, staged } from './auxiliary.ts'
import { act, frontWindow, needs, observe, observeFull, query, read, refusedWith, treeOf } from './client.ts'

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

satelliteCheck('observer:redaction:composites', async (bench) => {
  await needs(bench.http, 'redaction')
  const http = await guarded(bench)
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

satelliteCheck('observer:redaction:titles', async (bench) => {
  await needs(bench.http, 'redaction')
  const http = await staged(bench, 'veiled')
  const { windows } = read(await http.get('/api/windows'), Windows)
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

satelliteCheck('observer:redaction:pixels', async (bench) => {
  await needs(bench.http, 'redaction')
  const http = await staged(bench, 'veiled')
  const { bounds } = await frontWindow(http)
  const field = await firstField(http)
  const shoot = async () => decode(read(await http.get('/api/screenshot?window_index=0'), Screenshot).data, 'a picture')
  // The pattern hits the field Name, which shows what is typed.
  const before = await shoot()
  await act(http, 'click', { element_id: field.id })
  await http.post('/api/action', { action: 'type', value: bench.random.word(12) })
  await act(http, 'click', { selector: 'Edit[name="Note"]' })
  const box = { ...field.bounds, x: field.bounds.x - bounds.x, y: field.bounds.y - bounds.y }
  assertSamePixels(crop(before, box), crop(await shoot(), box), 'the field whose name a pattern hits')
})

/** The first field of the suite's screen, whatever it is called. */
async function firstField(http: Http): Promise<Node> {
  const field = nodesOf((await treeOf(http)).tree).find(({ role }) => role === 'Edit')
  return field ?? fail('prerequisite: the screen has no field')
}

satelliteCheck('observer:allowlist:looking', async (bench) => {
  const http = await staged(bench, 'closed')
  const { window_uid } = await frontWindow(http)
  for (const path of ['sketch', 'screenshot', 'full_screenshot', 'visible_areas', 'bring_to_foreground']) {
    const answer = await http.get(`/api/${path}${query({ window_uid })}`)
    assert.notEqual(answer.status, 200, `${path} answers although its tool is denied`)
  }
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
