import assert from 'node:assert/strict'
import * as z from 'zod'
import { center, nodesOf } from '../../compare/tree.ts'
import {
  actOnElement,
  assertRefusal,
  getElementByName,
  getFrontWindow,
  getTree,
  getValue,
  getWindows,
  parseSuccess,
  requireCapability,
  showScenario,
  toQuery,
} from '../../observer/driver.ts'
import { Refusal, success } from '../../observer/shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

const NOTE = { selector: 'Edit[name="Note"]' }

check('observer:element:click', async (context) => {
  await showScenario(context)
  const { http } = context
  await actOnElement(http, 'click', { selector: 'Button[name="Open dialog"]' })
  const titles = (await getWindows(http)).map((window) => window.title)
  assert.ok(titles.includes('Question'), `the click opened no window "Question": ${titles.join(', ')}`)
})

check('observer:element:focus', async (context) => {
  await showScenario(context)
  await actOnElement(context.http, 'focus', NOTE)
  const focused = nodesOf((await getTree(context.http)).tree).filter((node) => node.focused)
  assert.deepEqual(
    focused.map((node) => node.name),
    ['Note'],
  )
})

check('observer:element:invoke', async (context) => {
  await showScenario(context)
  const before = (await getWindows(context.http)).length
  await actOnElement(context.http, 'invoke', { selector: 'Button[name="Open dialog"]' })
  assert.equal((await getWindows(context.http)).length, before + 1)
})

check('observer:element:set-value', async (context) => {
  await showScenario(context)
  const [one, other] = [context.random.word(), context.random.word()]
  await actOnElement(context.http, 'set_value', { ...NOTE, value: one })
  assert.equal(await getValue(context.http, 'Note'), one)
  await actOnElement(context.http, 'set_value', { ...NOTE, value: other, clear_first: false })
  const value = await getValue(context.http, 'Note')
  assert.ok(value === one + other || value === other + one, `the value is "${value}"`)
})

check('observer:element:select', async (context) => {
  await showScenario(context)
  const colour = { selector: 'ComboBox[name="Colour"]' }
  await actOnElement(context.http, 'select', { ...colour, option_name: 'Blue' })
  assert.equal(await getValue(context.http, 'Colour'), 'Blue')
  await actOnElement(context.http, 'select', { ...colour, option_index: 1 })
  assert.equal(await getValue(context.http, 'Colour'), 'Green')
})

check('observer:element:select-missing', async (context) => {
  await showScenario(context)
  const body = { selector: 'ComboBox[name="Colour"]', option_name: context.random.word() }
  const answer = await context.http.post('/api/element/select', body)
  assert.ok(answer.status >= 400 && answer.status !== 500, `it answers ${answer.status}`)
  assert.notEqual(answer.json(Refusal).error.code, 'Internal')
})

/** The responses to a hover over a point and over an element. */
async function hovers(context: TestContext) {
  await showScenario(context)
  const shape = success({ action: z.string() })
  const point = center((await getElementByName(context.http, 'Save')).bounds)
  const over = async (body: object) =>
    parseSuccess(await context.http.post('/api/hover', { ...body, hover_ms: 10 }), shape).action
  return [await over(point), await over({ selector: 'Button[name="Save"]' })]
}

check('observer:element:hover', async (context) => {
  await hovers(context)
})

check('observer:element:hover-name', async (context) => {
  assert.deepEqual(await hovers(context), ['hover_at', 'hover_element'])
})

check('observer:element:click-count', async (context) => {
  await showScenario(context)
  const { id } = await getElementByName(context.http, 'Note')
  for (const more of [{ count: 2 }, { button: 'left', count: 1 }, { button: 'right' }])
    assert.equal((await actOnElement(context.http, 'click', { ...NOTE, ...more })).target.element_id, id)
})

check('observer:element:right-click', async (context) => {
  await showScenario(context)
  const receipt = await actOnElement(context.http, 'right_click', NOTE)
  assert.equal(receipt.target.element_id, (await getElementByName(context.http, 'Note')).id)
})

check('observer:element:double-click', async (context) => {
  await showScenario(context)
  const receipt = await actOnElement(context.http, 'double_click', NOTE)
  assert.equal(receipt.target.element_id, (await getElementByName(context.http, 'Note')).id)
})

check('observer:element:key', async (context) => {
  await showScenario(context)
  await actOnElement(context.http, 'clear_text', NOTE)
  await actOnElement(context.http, 'key', { ...NOTE, keys: 'a' })
  assert.equal(await getValue(context.http, 'Note'), 'a')
})

check('observer:element:clear-text', async (context) => {
  await showScenario(context)
  await actOnElement(context.http, 'clear_text', NOTE)
  assert.equal((await getValue(context.http, 'Note')) ?? '', '')
})

check('observer:element:drag', async (context) => {
  await requireCapability(context.http, 'drag')
  await showScenario(context)
  const { http } = context
  const [save, items] = [await getElementByName(http, 'Save'), await getElementByName(http, 'Items')]
  const ends = [center(save.bounds), { selector: 'Button[name="Save"]' }, { element_id: items.id }]
  const shape = success({ action: z.literal('drag') })
  for (const from of ends)
    parseSuccess(
      await http.post('/api/drag', { from, to: context.random.pick(ends), modifiers: [], duration_s: 0.05 }),
      shape,
    )
})

check('observer:element:drag-nowhere', async (context) => {
  await requireCapability(context.http, 'drag')
  await showScenario(context)
  const to = center((await getElementByName(context.http, 'Save')).bounds)
  assertRefusal(await context.http.post('/api/drag', { from: {}, to }), 'BadRequest')
})

check('observer:element:foreground', async (context) => {
  await showScenario(context)
  const behind =
    (await getWindows(context.http)).find((window) => !window.focused) ?? fail('prerequisite: one window only')
  const answer = await context.http.get(`/api/bring_to_foreground${toQuery({ window_uid: behind.window_uid })}`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal((await getFrontWindow(context.http)).window_uid, behind.window_uid)
})
