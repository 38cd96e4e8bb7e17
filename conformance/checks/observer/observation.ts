import assert from 'node:assert/strict'
import * as z from 'zod'
import { applyPatch, changed } from '../../compare/patch.ts'
import { withoutHashes } from '../../compare/tree.ts'
import {
  actOnElement,
  fillNameField,
  getTree,
  getWindows,
  loadScenario,
  observe,
  observeFull,
  parseSuccess,
  showScenario,
} from '../../observer/driver.ts'
import { CustomChange, Description, type Node, type Observation } from '../../observer/shapes.ts'
import { fail, parseAs } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

check('observer:observe:full', async ({ http }) => {
  const seen = await observeFull(http)
  assert.equal(seen.base_token, null)
  assert.deepEqual(withoutHashes(seen.tree), withoutHashes((await getTree(http)).tree))
})

check('observer:observe:unchanged', async ({ http }) => {
  const { tree_token, tree_hash } = await observeFull(http)
  for (const format of ['custom', 'json-patch']) {
    const seen = await observe(http, { since: tree_token, format })
    if (seen.format === 'full') fail(`since returns the whole tree for ${format}`)
    assert.ok(seen.format === format, `the format is ${seen.format} instead of ${format}`)
    assert.deepEqual([seen.changes, seen.unchanged, seen.tree_hash], [[], true, tree_hash])
  }
})

check('observer:observe:hash', async ({ http }) => {
  assert.equal((await observeFull(http)).tree_hash, (await getTree(http)).tree_hash)
})

type Change = (http: HttpProbe) => Promise<unknown>

/** Things that change the screen of the suite, one by one. */
const CHANGES: readonly Change[] = [
  (http) => actOnElement(http, 'focus', { selector: 'Edit[name="Note"]' }),
  (http) => actOnElement(http, 'set_value', { selector: 'Edit[name="Note"]', value: 'second draft' }),
  (http) => actOnElement(http, 'select', { selector: 'ComboBox[name="Colour"]', option_index: 2 }),
  (http) => fillNameField(http),
  (http) => actOnElement(http, 'click', { selector: 'Button[name="Save"]' }),
]

/** One of three rows with the same name is removed, restored and moved. */
const ROW_CHANGES = ['Less', 'More', 'Turn', 'More'].map(
  (name): Change =>
    (http) =>
      actOnElement(http, 'click', { selector: `Button[name="${name}"]` }),
)

/** The observation after each change, with the trees before and after. */
async function eachChange(
  { http }: TestContext,
  changes: readonly Change[],
  format: string,
  look: (seen: Observation, before: Node, after: Node) => void,
) {
  let last = await observeFull(http)
  for (const change of changes) {
    await change(http)
    const seen = await observe(http, { since: last.tree_token, format })
    const next = await observeFull(http)
    assert.equal(seen.tree_hash, next.tree_hash)
    look(seen, last.tree, next.tree)
    last = next
  }
}

const patchOf = (seen: Observation) => (seen.format === 'json-patch' ? seen.changes : fail(`it is ${seen.format}`))
const customOf = (seen: Observation): readonly CustomChange[] =>
  seen.format === 'custom' ? parseAs(z.array(CustomChange), seen.changes, 'the changes') : fail(`it is ${seen.format}`)

check('observer:observe:json-patch', async (context) => {
  await showScenario(context)
  await eachChange(context, CHANGES, 'json-patch', (seen, before, after) =>
    assert.deepEqual(withoutHashes(applyPatch(before, patchOf(seen))), withoutHashes(after)),
  )
})

check('observer:observe:custom', async (context) => {
  await showScenario(context)
  await eachChange(context, CHANGES, 'custom', (seen, before, after) =>
    assert.deepEqual(withoutHashes(changed(before, customOf(seen))), withoutHashes(after)),
  )
})

check('observer:observe:whole', async (context) => {
  await loadScenario(context, 'edges')
  const tick: Change = (http) => actOnElement(http, 'click', { selector: 'CheckBox[name="Box"]' })
  await eachChange(context, [tick, tick], 'json-patch', (seen, before, after) =>
    assert.deepEqual(applyPatch(before, patchOf(seen)), after),
  )
})

check('observer:observe:same-named', async (context) => {
  await loadScenario(context, 'siblings')
  const structural: string[][] = []
  await eachChange(context, ROW_CHANGES, 'custom', (seen, before, after) => {
    const changes = customOf(seen)
    assert.deepEqual(withoutHashes(changed(before, changes)), withoutHashes(after))
    structural.push(changes.map(({ op }) => op).filter((op) => op !== 'replace'))
  })
  assert.deepEqual(structural, [['remove'], ['add'], ['move'], ['move']])
  await loadScenario(context, 'siblings')
  await eachChange(context, ROW_CHANGES, 'json-patch', (seen, before, after) =>
    assert.deepEqual(withoutHashes(applyPatch(before, patchOf(seen))), withoutHashes(after)),
  )
})

check('observer:observe:base', async (context) => {
  await showScenario(context)
  const { http } = context
  const first = await observeFull(http)
  await fillNameField(http, context.random.word())
  const second = await observe(http, { since: first.tree_token })
  assert.equal(second.base_token, first.tree_token)
  assert.notEqual(second.tree_token, first.tree_token)
  const third = await observe(http, { since: second.tree_token })
  assert.equal(third.base_token, second.tree_token)
  assert.ok('unchanged' in third && third.unchanged, 'unchanged is not true although nothing changed')
})

check('observer:observe:stale', async ({ http, random }) => {
  const seen = await observe(http, { since: `tt:${random.word(16)}` })
  assert.equal(seen.format, 'full')
})

check('observer:observe:siblings', async (context) => {
  await showScenario(context)
  const { http } = context
  const { tree_token } = await observeFull(http)
  await fillNameField(http, context.random.word())
  const seen = await observe(http, { since: tree_token, format: 'custom' })
  const moved = customOf(seen).filter(({ op }) => op !== 'replace')
  assert.deepEqual(moved, [], 'only a value changed, yet elements are added, removed or moved')
})

check('observer:observe:tokens', async ({ http }) => {
  const token = z.looseObject({ tree_token: z.string().min(1) })
  const described = parseSuccess(await http.get('/api/description'), Description)
  const visible = parseSuccess(await http.get('/api/visible_areas?window_index=0'), z.looseObject({}))
  for (const answer of [described, visible]) {
    const { tree_token } = parseAs(token, answer, 'the answer')
    assert.notEqual((await observe(http, { since: tree_token })).format, 'full', 'the token serves for no difference')
  }
})

check('observer:observe:window', async ({ http }) => {
  for (const { index, window_uid } of await getWindows(http)) {
    const { tree_hash } = await getTree(http, { window_uid })
    for (const where of [{ window_uid }, { window_index: index }])
      assert.equal((await observeFull(http, where)).tree_hash, tree_hash, JSON.stringify(where))
  }
})
