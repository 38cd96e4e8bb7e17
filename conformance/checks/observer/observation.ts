import assert from 'node:assert/strict'
import type { Bench } from '../../bench.ts'
import { check } from '../../check.ts'
import { changed, patched } from '../../compare/patch.ts'
import { nodesOf, plain } from '../../compare/tree.ts'
import { Composite, type CustomChange, type Node, Observation } from '../../contract/observer-shapes.ts'
import { fail, fits } from '../../probe/failure.ts'
import type { Http } from '../../probe/http.ts'
import { act, fillIn, observe, observeFull, read, stage, treeOf } from './desk.ts'

check('observer:observe:full', async ({ http }) => {
  const seen = await observeFull(http)
  assert.equal(seen.base_token, null)
  assert.deepEqual(plain(seen.tree), plain((await treeOf(http)).tree))
})

check('observer:observe:unchanged', async ({ http }) => {
  const { tree_token, tree_hash } = await observeFull(http)
  for (const format of ['custom', 'json-patch']) {
    const seen = await observe(http, { since: tree_token, format })
    if (seen.format === 'full') fail(`since gives the whole tree for ${format}`)
    assert.ok(seen.format === format, `the format is ${seen.format} instead of ${format}`)
    assert.deepEqual([seen.changes, seen.unchanged, seen.tree_hash], [[], true, tree_hash])
  }
})

check('observer:observe:hash', async ({ http }) => {
  assert.equal((await observeFull(http)).tree_hash, (await treeOf(http)).tree_hash)
})

/** Things that change the screen of the suite, one by one. */
const CHANGES: readonly ((http: Http) => Promise<unknown>)[] = [
  (http) => act(http, 'focus', { selector: 'Edit[name="Note"]' }),
  (http) => act(http, 'set_value', { selector: 'Edit[name="Note"]', value: 'second draft' }),
  (http) => act(http, 'select', { selector: 'ComboBox[name="Colour"]', option_index: 2 }),
  (http) => fillIn(http),
  (http) => act(http, 'click', { selector: 'Button[name="Save"]' }),
]

/** What a token and each change gives, with the trees before and after. */
async function eachChange(bench: Bench, format: string, look: (seen: Observation, before: Node, after: Node) => void) {
  await stage(bench)
  const { http } = bench
  let last = await observeFull(http)
  for (const change of CHANGES) {
    await change(http)
    const seen = await observe(http, { since: last.tree_token, format })
    const next = await observeFull(http)
    assert.equal(seen.tree_hash, next.tree_hash)
    look(seen, last.tree, next.tree)
    last = next
  }
}

check('observer:observe:json-patch', (bench) =>
  eachChange(bench, 'json-patch', (seen, before, after) => {
    if (seen.format !== 'json-patch') fail(`the answer is ${seen.format}`)
    assert.deepEqual(plain(patched(before, seen.changes)), plain(after))
  }),
)

check('observer:observe:custom', (bench) =>
  eachChange(bench, 'custom', (seen, before, after) => {
    if (seen.format !== 'custom') fail(`the answer is ${seen.format}`)
    assert.deepEqual(plain(changed(before, seen.changes as readonly CustomChange[])), plain(after))
  }),
)

check('observer:observe:base', async (bench) => {
  await stage(bench)
  const { http } = bench
  const first = await observeFull(http)
  await fillIn(http, bench.random.word())
  const second = await observe(http, { since: first.tree_token })
  assert.equal(second.base_token, first.tree_token)
  assert.notEqual(second.tree_token, first.tree_token)
  const third = await observe(http, { since: second.tree_token })
  assert.equal(third.base_token, second.tree_token)
  assert.ok('unchanged' in third && third.unchanged, 'nothing happened, and unchanged is not true')
})

check('observer:observe:stale', async ({ http, random }) => {
  const seen = await observe(http, { since: `tt:${random.word(16)}` })
  assert.equal(seen.format, 'full')
})

/** The observation of a composite, as an answer of its own would be. */
async function composite(http: Http, path: string, body: object) {
  const answer = await http.post(path, { wait_after_ms: 20, ...body })
  const { observation } = read(answer, Composite)
  return fits(Observation, { ok: true, ...observation }, `the observation of ${path}`)
}

check('observer:composite:click', async (bench) => {
  await stage(bench)
  await fillIn(bench.http)
  const seen = await composite(bench.http, '/api/element/click_and_observe', { selector: 'Button[name="Save"]' })
  if (seen.format !== 'full') fail(`without since the answer is ${seen.format}`)
  assert.ok(
    nodesOf(seen.tree).some((node) => node.name === 'All changes saved'),
    'the observation shows the screen before the click',
  )
})

check('observer:composite:type', async (bench) => {
  await stage(bench)
  await act(bench.http, 'click', { selector: 'Edit[name="Name"]' })
  const text = bench.random.word()
  const seen = await composite(bench.http, '/api/type_and_observe', { text })
  if (seen.format !== 'full') fail(`without since the answer is ${seen.format}`)
  assert.equal(nodesOf(seen.tree).find((node) => node.name === 'Name')?.value, text)
})

check('observer:composite:key', async (bench) => {
  await stage(bench)
  await act(bench.http, 'clear_text', { selector: 'Edit[name="Note"]' })
  await act(bench.http, 'focus', { selector: 'Edit[name="Note"]' })
  const seen = await composite(bench.http, '/api/key_and_observe', { keys: 'x' })
  if (seen.format !== 'full') fail(`without since the answer is ${seen.format}`)
  assert.equal(nodesOf(seen.tree).find((node) => node.name === 'Note')?.value, 'x')
})

check('observer:composite:since', async (bench) => {
  const { http } = bench
  const ways = [
    ['/api/element/click_and_observe', { selector: 'Button[name="Open dialog"]' }],
    ['/api/type_and_observe', { text: 'abc' }],
    ['/api/key_and_observe', { keys: 'a' }],
  ] as const
  for (const [path, body] of ways) {
    await stage(bench)
    await act(http, 'focus', { selector: 'Edit[name="Note"]' })
    const { tree_token } = await observeFull(http)
    const seen = await composite(http, path, { ...body, since: tree_token })
    assert.notEqual(seen.format, 'full', `${path} with since answers in full`)
    assert.equal(seen.base_token, tree_token)
  }
})

check('observer:observe:siblings', async (bench) => {
  await stage(bench)
  const { http } = bench
  const { tree_token } = await observeFull(http)
  await fillIn(http, bench.random.word())
  const seen = await observe(http, { since: tree_token, format: 'custom' })
  if (seen.format !== 'custom') fail(`the answer is ${seen.format}`)
  const moved = (seen.changes as readonly CustomChange[]).filter(({ op }) => op !== 'replace')
  assert.deepEqual(moved, [], 'only a value changed, yet elements are added, removed or moved')
})
