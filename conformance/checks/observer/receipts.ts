import assert from 'node:assert/strict'
import {
  actOnElement,
  assertRefusal,
  fillNameField,
  findElement,
  getElementByName,
  getFrontWindow,
  getTree,
  getWindows,
  observeFull,
  parseSuccess,
  showScenario,
} from '../../observer/driver.ts'
import { Health } from '../../observer/shapes.ts'
import { fail } from '../../probe/failure.ts'
import { check } from '../check.ts'

check('observer:receipt:hashes', async (context) => {
  await showScenario(context)
  const { http } = context
  await fillNameField(http, context.random.word())
  // The first click leaves the tree as it is, the second makes the scenario show another one.
  for (const selector of ['Text', 'Button[name="Save"]']) {
    const before = await getTree(http)
    const receipt = await actOnElement(http, 'click', { selector })
    const after = await getTree(http)
    assert.equal(receipt.before.tree_hash, before.tree_hash, `before a click on ${selector}`)
    assert.equal(receipt.after.tree_hash, after.tree_hash, `after a click on ${selector}`)
    if (before.tree_hash !== after.tree_hash)
      assert.equal(receipt.changed, true, `a click on ${selector} changed the hash, yet changed is not true`)
  }
})

check('observer:receipt:target', async (context) => {
  await showScenario(context)
  const selector = 'Button[name="Save"]'
  const found = await findElement(context.http, selector)
  const { element_id, window_uid, bounds } = found
  for (const by of [{ selector }, { element_id }, { window_uid, element_id }]) {
    const { target } = await actOnElement(context.http, 'click', { ...by, dry_run: true })
    assert.deepEqual([target.window_uid, target.element_id, target.bounds], [window_uid, element_id, bounds])
  }
})

check('observer:receipt:action', async (context) => {
  await showScenario(context)
  const names = { click: 'click_element', focus: 'focus_element', invoke: 'invoke_element' }
  for (const [action, name] of Object.entries(names))
    assert.equal(
      (await actOnElement(context.http, action, { selector: 'Button[name="Save"]', dry_run: true })).action,
      name,
    )
})

check('observer:receipt:selector', async (context) => {
  await showScenario(context)
  const selector = 'Button[name="Save"]'
  const { element_id } = await findElement(context.http, selector)
  for (const by of [{ selector }, { element_id }]) {
    const { target } = await actOnElement(context.http, 'click', { ...by, dry_run: true })
    const found = await findElement(context.http, target.selector)
    assert.equal(found.element_id, element_id, `${target.selector} is another element`)
  }
})

check('observer:receipt:steps', async (context) => {
  await showScenario(context)
  const { http } = context
  const click = () => actOnElement(http, 'click', { selector: 'Text' })
  const [first, second] = [await click(), await click()]
  assert.ok(first.step_id < second.step_id, 'step ids do not grow')
  assert.equal(second.caused_by_step_id, second.step_id, 'an action is its own cause')
  const seen = await observeFull(http)
  assert.equal((seen as { caused_by_step_id?: unknown }).caused_by_step_id, second.step_id)
  const { step_count } = parseSuccess(await http.get('/api/healthz'), Health)
  assert.ok(step_count >= second.step_id, `step_count is ${step_count} after step ${second.step_id}`)
})

check('observer:receipt:dialogs', async (context) => {
  await showScenario(context)
  const { http } = context
  const before = new Set((await getWindows(http)).map((window) => window.window_uid))
  const { new_dialogs } = await actOnElement(http, 'click', { selector: 'Button[name="Open dialog"]' })
  const opened = (await getWindows(http)).filter((window) => !before.has(window.window_uid))
  assert.ok(opened.length > 0, 'prerequisite: the click opened no window')
  assert.deepEqual(
    new_dialogs.map(({ window_uid, title }) => ({ window_uid, title })),
    opened.map(({ window_uid, title }) => ({ window_uid, title })),
  )
})

check('observer:receipt:dry-run', async (context) => {
  await showScenario(context)
  const { http } = context
  const before = await getTree(http)
  const documented = [
    ['click', {}],
    ['focus', {}],
    ['invoke', {}],
    ['set_value', { value: 'x' }],
  ] as const
  for (const [action, more] of documented) {
    const receipt = await actOnElement(http, action, { selector: 'Edit[name="Note"]', ...more, dry_run: true })
    assert.deepEqual([receipt.dry_run, receipt.changed], [true, false], action)
  }
  const after = await getTree(http)
  assert.deepEqual(after.tree, before.tree)
})

check('observer:receipt:missing', async (context) => {
  await showScenario(context)
  for (const action of [
    'click',
    'focus',
    'invoke',
    'set_value',
    'select',
    'right_click',
    'double_click',
    'key',
    'clear_text',
  ]) {
    const answer = await context.http.send({
      method: 'POST',
      path: `/api/element/${action}`,
      raw: '{}',
      deliberate: true,
    })
    assertRefusal(answer, 'BadRequest')
  }
})

check('observer:receipt:both-windows', async (context) => {
  await showScenario(context)
  const windows = await getWindows(context.http)
  const other = windows.find((window) => !window.focused) ?? fail('prerequisite: there is only one window')
  const front = await getFrontWindow(context.http)
  const body = {
    window_uid: front.window_uid,
    window_index: other.index,
    selector: 'Button[name="Save"]',
    dry_run: true,
  }
  const receipt = await actOnElement(context.http, 'click', body)
  assert.equal(receipt.target.window_uid, front.window_uid)
  assert.match(String(receipt.warning), /window_uid/)
})

check('observer:receipt:ambiguous', async (context) => {
  await showScenario(context)
  const receipt = await actOnElement(context.http, 'click', { selector: '//Button[name="Twin"]', dry_run: true })
  assert.equal(receipt.target.element_id, (await getElementByName(context.http, 'Twin')).id)
  assert.equal(typeof receipt.warning, 'string', 'no warning reports that several elements match')
})
