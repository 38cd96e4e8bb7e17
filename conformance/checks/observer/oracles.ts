import assert from 'node:assert/strict'
import { nodesOf } from '../../compare/tree.ts'
import {
  assertRefusal,
  getElementByName,
  getFrontWindow,
  getTree,
  getValue,
  getWindows,
  parseSuccess,
  showScenario,
} from '../../observer/driver.ts'
import { AssertionOutcome } from '../../observer/shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { check } from '../check.ts'

type Predicate = Readonly<Record<string, unknown>> & { readonly kind: string }

const judge = async (http: HttpProbe, predicate: readonly Predicate[]) =>
  parseSuccess(await http.post('/api/assert_state', { predicate }), AssertionOutcome)

/** Fails unless each predicate is judged as expected. */
async function assertJudged(http: HttpProbe, expected: readonly (readonly [boolean, Predicate])[]): Promise<void> {
  const { results } = await judge(
    http,
    expected.map(([, predicate]) => predicate),
  )
  expected.forEach(([passed, predicate], place) => {
    const result = results[place] ?? fail(`the result of predicate ${place} is missing`)
    assert.equal(result.kind, predicate.kind)
    assert.equal(result.passed, passed, `${JSON.stringify(predicate)} observed ${JSON.stringify(result.observed)}`)
  })
}

/** An element with a plain name, and a selector for it. */
async function someElement(http: HttpProbe) {
  const { tree } = await getTree(http)
  const found = nodesOf(tree).find(
    (node) => node.id !== tree.id && /^\w+$/.test(node.role) && /^\w[\w ]+$/.test(node.name),
  )
  const node = found ?? fail('prerequisite: the screen has no element with a plain name')
  return { node, selector: `${tree.role} ${node.role}[name="${node.name}"]` }
}

const nowhere = (word: string) => `Window Button[name="${word}"]`

check('observer:oracle:element-exists', async ({ http, random }) => {
  const { selector } = await someElement(http)
  await assertJudged(http, [
    [true, { kind: 'element_exists', selector }],
    [false, { kind: 'element_exists', selector: nowhere(random.word()) }],
  ])
})

check('observer:oracle:element-absent', async ({ http, random }) => {
  const { selector } = await someElement(http)
  await assertJudged(http, [
    [false, { kind: 'element_absent', selector }],
    [true, { kind: 'element_absent', selector: nowhere(random.word()) }],
  ])
})

const NOTE = 'Edit[name="Note"]'

check('observer:oracle:value-equals', async (context) => {
  await showScenario(context)
  const { value } = await getElementByName(context.http, 'Note')
  await assertJudged(context.http, [
    [true, { kind: 'value_equals', selector: NOTE, expected: value }],
    [false, { kind: 'value_equals', selector: NOTE, expected: value?.slice(1) }],
  ])
})

check('observer:oracle:value-matches', async (context) => {
  await showScenario(context)
  const { value } = await getElementByName(context.http, 'Note')
  await assertJudged(context.http, [
    [true, { kind: 'value_matches', selector: NOTE, regex: `${value?.slice(0, 3)}.*` }],
    [false, { kind: 'value_matches', selector: NOTE, regex: context.random.word(16) }],
  ])
})

check('observer:oracle:value-search', async (context) => {
  await showScenario(context)
  const regex = (await getValue(context.http, 'Note'))?.slice(2, 5)
  await assertJudged(context.http, [[true, { kind: 'value_matches', selector: NOTE, regex }]])
})

check('observer:oracle:text-visible', async ({ http, random }) => {
  const { node } = await someElement(http)
  await assertJudged(http, [
    [true, { kind: 'text_visible', regex: node.name }],
    [true, { kind: 'text_visible', regex: node.name, mode: 'tree' }],
    [false, { kind: 'text_visible', regex: random.word(16), mode: 'tree' }],
  ])
})

const plainWord = (title: string) => /\w+/.exec(title)?.[0] ?? fail('prerequisite: the focused window has no title')

check('observer:oracle:window-focused', async ({ http, random }) => {
  const { title } = await getFrontWindow(http)
  await assertJudged(http, [
    [true, { kind: 'window_focused', title_regex: plainWord(title) }],
    [false, { kind: 'window_focused', title_regex: random.word(16) }],
  ])
})

check('observer:oracle:window-exists', async ({ http, random }) => {
  const expected = (await getWindows(http)).flatMap(({ title, window_uid }): (readonly [boolean, Predicate])[] => [
    [true, { kind: 'window_exists', title_regex: plainWord(title) }],
    [true, { kind: 'window_exists', window_uid }],
  ])
  await assertJudged(http, [
    ...expected,
    [false, { kind: 'window_exists', title_regex: random.word(16) }],
    [false, { kind: 'window_exists', window_uid: `gone:${random.word()}` }],
  ])
})

check('observer:oracle:tree-hash', async ({ http }) => {
  const { tree_hash } = await getTree(http)
  await assertJudged(http, [
    [true, { kind: 'tree_hash_equals', expected_hash: tree_hash }],
    [false, { kind: 'tree_hash_equals', expected_hash: `sha1:${'0'.repeat(40)}` }],
  ])
})

check('observer:oracle:screenshot', async ({ http, random }) => {
  const { title } = await getFrontWindow(http)
  await assertJudged(http, [
    [false, { kind: 'screenshot_similar', reference_path: `no-such-${random.word()}.png`, min_ssim: 0.9 }],
    [true, { kind: 'window_focused', title_regex: plainWord(title) }],
  ])
})

check('observer:oracle:all', async ({ http, random }) => {
  const { selector } = await someElement(http)
  const holds = { kind: 'element_exists', selector }
  const fails = { kind: 'element_exists', selector: nowhere(random.word()) }
  const mixed = random.shuffle([holds, fails, holds])
  const all = await judge(http, [holds, holds])
  const some = await judge(http, mixed)
  assert.equal(all.all_passed, true)
  assert.equal(some.all_passed, false)
  assert.deepEqual(
    some.results.map((result) => result.passed),
    mixed.map((predicate) => predicate === holds),
  )
})

check('observer:oracle:empty', async ({ http }) => {
  for (const raw of ['{}', '{"predicate":[]}', '{"predicate":7}']) {
    const answer = await http.send({ method: 'POST', path: '/api/assert_state', raw, deliberate: true })
    assertRefusal(answer, 'BadRequest')
  }
})

check('observer:oracle:window', async (context) => {
  await showScenario(context)
  const { http } = context
  const { window_uid } =
    (await getWindows(http)).find(({ title }) => title === 'Notes') ?? fail('prerequisite: no Notes')
  const selector = 'Button[name="Close notes"]'
  await assertJudged(http, [
    [true, { kind: 'element_exists', selector, window_uid }],
    [false, { kind: 'element_absent', selector, window_uid }],
  ])
})
