import assert from 'node:assert/strict'
import * as z from 'zod'
import { nodesOf } from '../../compare/tree.ts'
import { CODES, Refusal, ScenarioLoaded } from '../../contract/observer-shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { Http } from '../../probe/http.ts'
import type { Bench } from '../../run/test-context.ts'
import { check } from '../check.ts'
import {
  act,
  elementNamed,
  fillIn,
  frontWindow,
  load,
  query,
  read,
  stage,
  treeOf,
  tryLoad,
  valueIn,
  windowsOf,
} from './client.ts'

const has = async (http: Http, name: string) => nodesOf((await treeOf(http)).tree).some((node) => node.name === name)

check('observer:scenario:load', async (bench) => {
  const { state, states, scenario } = await load(bench)
  assert.ok(states.includes(state), `the state ${state} is none of ${states.join(', ')}`)
  assert.ok(scenario.length > 0)
  await elementNamed(bench.http, 'Save')
})

check('observer:scenario:reaction', async (bench) => {
  await stage(bench)
  const { http } = bench
  await act(http, 'click', { selector: 'Button[name="Save"]' })
  assert.equal(await has(http, 'All changes saved'), false, 'the reaction fired although its condition does not hold')
  await fillIn(http)
  assert.equal((await elementNamed(http, 'Name')).value, 'Ada')
  await act(http, 'click', { selector: 'Button[name="Save"]' })
  assert.equal(await has(http, 'All changes saved'), true, 'the reaction did not fire')
})

check('observer:scenario:reset', async (bench) => {
  await stage(bench)
  const before = await treeOf(bench.http)
  await fillIn(bench.http)
  await act(bench.http, 'click', { selector: 'Button[name="Save"]' })
  await stage(bench)
  const after = await treeOf(bench.http)
  assert.equal(after.tree_hash, before.tree_hash)
})

check('observer:scenario:stays', async (bench) => {
  await load(bench)
  const before = await treeOf(bench.http)
  await bench.http.post('/api/scenario/load', { path: `no-such-${bench.random.word()}.yaml` })
  assert.equal((await treeOf(bench.http)).tree_hash, before.tree_hash, 'the old scenario is gone')
})

const press = (http: Http, name: string, more: object = {}) =>
  act(http, 'click', { selector: `Button[name="${name}"]`, ...more })
const typed = async (http: Http, text: string) => {
  await act(http, 'click', { selector: 'Edit[name="Field"]' })
  read(await http.post('/api/action', { action: 'type', value: text }), z.looseObject({}))
}

check('observer:scenario:spellings', async (bench) => {
  await load(bench, 'reactions')
  for (const name of ['First', 'Second', 'Third']) {
    await press(bench.http, name)
    assert.equal(await valueIn(bench.http, 'Log'), `clicked ${name.toLowerCase()}`)
  }
})

check('observer:scenario:first', async (bench) => {
  await load(bench, 'reactions')
  await typed(bench.http, 'hello you')
  const value = await valueIn(bench.http, 'Field')
  assert.notEqual(value, 'never', 'the second reaction that fits has fired')
  assert.ok(value?.startsWith('greeted'), `the first reaction that fits has not fired: "${value}"`)
})

check('observer:scenario:group', async (bench) => {
  await load(bench, 'reactions')
  const word = bench.random.word()
  await typed(bench.http, `hello ${word}`)
  assert.equal(await valueIn(bench.http, 'Field'), `greeted ${word}`)
})

check('observer:scenario:all-conditions', async (bench) => {
  await load(bench, 'reactions')
  const { http } = bench
  const sleeps = async () => {
    await act(http, 'click', { selector: 'Text' })
    return has(http, 'Asleep')
  }
  await press(http, 'First')
  assert.equal(await sleeps(), false, 'it fires although a field is empty')
  await press(http, 'Second')
  await typed(http, 'hello you')
  assert.equal(await sleeps(), false, 'it fires although a value is another')
  await press(http, 'First')
  assert.equal(await sleeps(), true, 'it does not fire although both conditions hold')
})

/** The window of that title. */
const titled = async (http: Http, title: string): Promise<string> =>
  (await windowsOf(http)).find((window) => window.title === title)?.window_uid ??
  fail(`prerequisite: no window is called "${title}"`)

check('observer:scenario:windows', async (bench) => {
  await load(bench, 'reactions')
  const window_uid = await titled(bench.http, 'Rear')
  await press(bench.http, 'There', { window_uid })
  const { tree } = await treeOf(bench.http, { window_uid })
  assert.equal(nodesOf(tree).find(({ name }) => name === 'Far')?.value, 'clicked there')
})

check('observer:scenario:same-place', async (bench) => {
  await load(bench, 'reactions')
  await press(bench.http, 'There', { window_uid: await titled(bench.http, 'Rear') })
  const { tree } = await treeOf(bench.http, { window_uid: await titled(bench.http, 'Front') })
  const log = nodesOf(tree).find(({ name }) => name === 'Log')
  assert.equal(log?.value, 'empty', 'the reaction of an element of another window has fired')
})

check('observer:scenario:nowhere', async (bench) => {
  await load(bench, 'edges')
  const { http } = bench
  read(await http.post('/api/action', { action: 'click_at', x: 20, y: 20 }), z.looseObject({}))
  assert.equal(await valueIn(http, 'Clicks'), 'none', 'a click beside all windows is a click on an element')
})

check('observer:scenario:dangling', async (bench) => {
  for (const name of ['initial', 'transition', 'bounds']) {
    const answer = await tryLoad(bench, `broken/${name}`)
    assert.equal(answer.status, CODES.ScenarioInvalid, `broken/${name}.yaml is played`)
    assert.equal(answer.json(Refusal).error.code, 'ScenarioInvalid')
  }
})

/** Fails when a loaded scenario cannot be looked at. */
async function assertPlayed(bench: Bench, name: string, title: string): Promise<void> {
  const loaded = await tryLoad(bench, name)
  if (loaded.status === CODES.ScenarioInvalid) return
  read(loaded, ScenarioLoaded)
  const { http } = bench
  assert.equal((await frontWindow(http)).title, title, `${name}.yaml is loaded, and something else is on the screen`)
  const looks = ['structure', 'observe', 'description', `find_element${query({ selector: '//Button' })}`]
  for (const look of looks) {
    const { status, text } = await http.get(`/api/${look}`)
    assert.equal(status, 200, `${name}.yaml is loaded, and ${look} answers ${status}: ${text.slice(0, 200)}`)
  }
  await act(http, 'click', { selector: '//Button', dry_run: true })
}

check('observer:scenario:scalars', async (bench) => {
  await assertPlayed(bench, 'broken/scalars', '2024')
})

check(
  'observer:scenario:deep',
  async (bench) => {
    await assertPlayed(bench, 'broken/deep', 'Deep')
    await load(bench)
  },
  { lane: 'dangerous' },
)
