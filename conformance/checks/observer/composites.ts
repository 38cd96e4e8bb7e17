import assert from 'node:assert/strict'
import * as z from 'zod'
import { applyPatch } from '../../compare/patch.ts'
import { nodesOf } from '../../compare/tree.ts'
import {
  actOnElement,
  fillNameField,
  getWindows,
  observeFull,
  parseSuccess,
  showScenario,
} from '../../observer/driver.ts'
import { Composite, Observation } from '../../observer/shapes.ts'
import { fail, parseAs } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { check } from '../check.ts'

/** The observation of a composite, in the form of a separate response. */
async function composite(http: HttpProbe, path: string, body: object) {
  const answer = await http.post(path, { wait_after_ms: 20, ...body })
  const { observation } = parseSuccess(answer, Composite)
  return parseAs(Observation, { ok: true, ...observation }, `the observation of ${path}`)
}

check('observer:composite:click', async (context) => {
  await showScenario(context)
  await fillNameField(context.http)
  const seen = await composite(context.http, '/api/element/click_and_observe', { selector: 'Button[name="Save"]' })
  if (seen.format !== 'full') fail(`without since the answer is ${seen.format}`)
  assert.ok(
    nodesOf(seen.tree).some((node) => node.name === 'All changes saved'),
    'the observation shows the screen before the click',
  )
})

check('observer:composite:type', async (context) => {
  await showScenario(context)
  await actOnElement(context.http, 'click', { selector: 'Edit[name="Name"]' })
  const text = context.random.word()
  const seen = await composite(context.http, '/api/type_and_observe', { text })
  if (seen.format !== 'full') fail(`without since the answer is ${seen.format}`)
  assert.equal(nodesOf(seen.tree).find((node) => node.name === 'Name')?.value, text)
})

check('observer:composite:key', async (context) => {
  await showScenario(context)
  await actOnElement(context.http, 'clear_text', { selector: 'Edit[name="Note"]' })
  await actOnElement(context.http, 'focus', { selector: 'Edit[name="Note"]' })
  const seen = await composite(context.http, '/api/key_and_observe', { keys: 'x' })
  if (seen.format !== 'full') fail(`without since the answer is ${seen.format}`)
  assert.equal(nodesOf(seen.tree).find((node) => node.name === 'Note')?.value, 'x')
})

check('observer:composite:since', async (context) => {
  const { http } = context
  const ways = [
    ['/api/element/click_and_observe', { selector: 'Button[name="Open dialog"]' }],
    ['/api/type_and_observe', { text: 'abc' }],
    ['/api/key_and_observe', { keys: 'a' }],
  ] as const
  for (const [path, body] of ways) {
    await showScenario(context)
    await actOnElement(http, 'focus', { selector: 'Edit[name="Note"]' })
    const { tree_token } = await observeFull(http)
    const seen = await composite(http, path, { ...body, since: tree_token })
    assert.notEqual(seen.format, 'full', `${path} with since answers in full`)
    assert.equal(seen.base_token, tree_token)
  }
})

check('observer:composite:fresh', async (context) => {
  await showScenario(context)
  const { http } = context
  await actOnElement(http, 'click', { selector: 'Edit[name="Name"]' })
  const { tree, tree_token } = await observeFull(http)
  const text = context.random.word()
  const body = { text, since: tree_token, format: 'json-patch' }
  const seen = await composite(http, '/api/type_and_observe', body)
  if (seen.format === 'full') fail('with since the answer is full')
  assert.equal(seen.unchanged, false, 'the typed text is not in the observation')
  assert.ok(JSON.stringify(seen.changes).includes(text), `no change has the text "${text}"`)
  if (seen.format !== 'json-patch') return
  const value = nodesOf(applyPatch(tree, seen.changes)).find(({ name }) => name === 'Name')?.value
  assert.equal(value, text)
})

check('observer:composite:window', async (context) => {
  await showScenario(context)
  const { http } = context
  const front = (await getWindows(http))[0]!
  const { window_uid } =
    (await getWindows(http)).find(({ title }) => title === 'Notes') ?? fail('prerequisite: no Notes')
  await actOnElement(http, 'click', { selector: 'Edit[name="Name"]' })
  const shape = z.looseObject({ window_uid: z.string() })
  for (const uid of [window_uid, front.window_uid]) {
    const seen = await composite(http, '/api/type_and_observe', { text: 'x', window_uid: uid })
    assert.equal(parseAs(shape, seen, 'the observation').window_uid, uid)
  }
})
