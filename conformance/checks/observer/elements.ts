import assert from 'node:assert/strict'
import * as z from 'zod'
import { center, nodesOf } from '../../compare/tree.ts'
import { Refusal, success } from '../../contract/observer-shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { Bench } from '../../run/test-context.ts'
import { check } from '../check.ts'
import {
  act,
  elementNamed,
  frontWindow,
  needs,
  query,
  read,
  refusedWith,
  stage,
  treeOf,
  valueIn,
  windowsOf,
} from './client.ts'

const NOTE = { selector: 'Edit[name="Note"]' }

check('observer:element:click', async (bench) => {
  await stage(bench)
  const { http } = bench
  await act(http, 'click', { selector: 'Button[name="Open dialog"]' })
  const titles = (await windowsOf(http)).map((window) => window.title)
  assert.ok(titles.includes('Question'), `the click opened no window "Question": ${titles.join(', ')}`)
})

check('observer:element:focus', async (bench) => {
  await stage(bench)
  await act(bench.http, 'focus', NOTE)
  const focused = nodesOf((await treeOf(bench.http)).tree).filter((node) => node.focused)
  assert.deepEqual(
    focused.map((node) => node.name),
    ['Note'],
  )
})

check('observer:element:invoke', async (bench) => {
  await stage(bench)
  const before = (await windowsOf(bench.http)).length
  await act(bench.http, 'invoke', { selector: 'Button[name="Open dialog"]' })
  assert.equal((await windowsOf(bench.http)).length, before + 1)
})

check('observer:element:set-value', async (bench) => {
  await stage(bench)
  const [one, other] = [bench.random.word(), bench.random.word()]
  await act(bench.http, 'set_value', { ...NOTE, value: one })
  assert.equal(await valueIn(bench.http, 'Note'), one)
  await act(bench.http, 'set_value', { ...NOTE, value: other, clear_first: false })
  const value = await valueIn(bench.http, 'Note')
  assert.ok(value === one + other || value === other + one, `the value is "${value}"`)
})

check('observer:element:select', async (bench) => {
  await stage(bench)
  const colour = { selector: 'ComboBox[name="Colour"]' }
  await act(bench.http, 'select', { ...colour, option_name: 'Blue' })
  assert.equal(await valueIn(bench.http, 'Colour'), 'Blue')
  await act(bench.http, 'select', { ...colour, option_index: 1 })
  assert.equal(await valueIn(bench.http, 'Colour'), 'Green')
})

check('observer:element:select-missing', async (bench) => {
  await stage(bench)
  const body = { selector: 'ComboBox[name="Colour"]', option_name: bench.random.word() }
  const answer = await bench.http.post('/api/element/select', body)
  assert.ok(answer.status >= 400 && answer.status !== 500, `it answers ${answer.status}`)
  assert.notEqual(answer.json(Refusal).error.code, 'Internal')
})

/** What a hover over a point and one over an element answer. */
async function hovers(bench: Bench) {
  await stage(bench)
  const shape = success({ action: z.string() })
  const point = center((await elementNamed(bench.http, 'Save')).bounds)
  const over = async (body: object) =>
    read(await bench.http.post('/api/hover', { ...body, hover_ms: 10 }), shape).action
  return [await over(point), await over({ selector: 'Button[name="Save"]' })]
}

check('observer:element:hover', async (bench) => {
  await hovers(bench)
})

check('observer:element:hover-name', async (bench) => {
  assert.deepEqual(await hovers(bench), ['hover_at', 'hover_element'])
})

check('observer:element:click-count', async (bench) => {
  await stage(bench)
  const { id } = await elementNamed(bench.http, 'Note')
  for (const more of [{ count: 2 }, { button: 'left', count: 1 }, { button: 'right' }])
    assert.equal((await act(bench.http, 'click', { ...NOTE, ...more })).target.element_id, id)
})

check('observer:element:right-click', async (bench) => {
  await stage(bench)
  const receipt = await act(bench.http, 'right_click', NOTE)
  assert.equal(receipt.target.element_id, (await elementNamed(bench.http, 'Note')).id)
})

check('observer:element:double-click', async (bench) => {
  await stage(bench)
  const receipt = await act(bench.http, 'double_click', NOTE)
  assert.equal(receipt.target.element_id, (await elementNamed(bench.http, 'Note')).id)
})

check('observer:element:key', async (bench) => {
  await stage(bench)
  await act(bench.http, 'clear_text', NOTE)
  await act(bench.http, 'key', { ...NOTE, keys: 'a' })
  assert.equal(await valueIn(bench.http, 'Note'), 'a')
})

check('observer:element:clear-text', async (bench) => {
  await stage(bench)
  await act(bench.http, 'clear_text', NOTE)
  assert.equal((await valueIn(bench.http, 'Note')) ?? '', '')
})

check('observer:element:drag', async (bench) => {
  await needs(bench.http, 'drag')
  await stage(bench)
  const { http } = bench
  const [save, items] = [await elementNamed(http, 'Save'), await elementNamed(http, 'Items')]
  const ends = [center(save.bounds), { selector: 'Button[name="Save"]' }, { element_id: items.id }]
  const shape = success({ action: z.literal('drag') })
  for (const from of ends)
    read(await http.post('/api/drag', { from, to: bench.random.pick(ends), modifiers: [], duration_s: 0.05 }), shape)
})

check('observer:element:drag-nowhere', async (bench) => {
  await needs(bench.http, 'drag')
  await stage(bench)
  const to = center((await elementNamed(bench.http, 'Save')).bounds)
  refusedWith(await bench.http.post('/api/drag', { from: {}, to }), 'BadRequest')
})

check('observer:element:foreground', async (bench) => {
  await stage(bench)
  const behind =
    (await windowsOf(bench.http)).find((window) => !window.focused) ?? fail('prerequisite: one window only')
  const answer = await bench.http.get(`/api/bring_to_foreground${query({ window_uid: behind.window_uid })}`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal((await frontWindow(bench.http)).window_uid, behind.window_uid)
})
