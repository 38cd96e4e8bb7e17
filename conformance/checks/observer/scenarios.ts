import assert from 'node:assert/strict'
import * as z from 'zod'
import { nodesOf } from '../../compare/tree.ts'
import {
  actOnElement,
  fillNameField,
  getElementByName,
  getFrontWindow,
  getTree,
  getValue,
  getWindows,
  loadScenario,
  parseSuccess,
  showScenario,
  toQuery,
  tryLoadScenario,
} from '../../observer/driver.ts'
import { CODES, Refusal, ScenarioLoaded } from '../../observer/shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

const has = async (http: HttpProbe, name: string) =>
  nodesOf((await getTree(http)).tree).some((node) => node.name === name)

check('observer:scenario:load', async (context) => {
  const { state, states, scenario } = await loadScenario(context)
  assert.ok(states.includes(state), `the state ${state} is not one of ${states.join(', ')}`)
  assert.ok(scenario.length > 0)
  await getElementByName(context.http, 'Save')
})

check('observer:scenario:reaction', async (context) => {
  await showScenario(context)
  const { http } = context
  await actOnElement(http, 'click', { selector: 'Button[name="Save"]' })
  assert.equal(await has(http, 'All changes saved'), false, 'the reaction fired although its condition does not hold')
  await fillNameField(http)
  assert.equal((await getElementByName(http, 'Name')).value, 'Ada')
  await actOnElement(http, 'click', { selector: 'Button[name="Save"]' })
  assert.equal(await has(http, 'All changes saved'), true, 'the reaction did not fire')
})

check('observer:scenario:reset', async (context) => {
  await showScenario(context)
  const before = await getTree(context.http)
  await fillNameField(context.http)
  await actOnElement(context.http, 'click', { selector: 'Button[name="Save"]' })
  await showScenario(context)
  const after = await getTree(context.http)
  assert.equal(after.tree_hash, before.tree_hash)
})

check('observer:scenario:stays', async (context) => {
  await loadScenario(context)
  const before = await getTree(context.http)
  await context.http.post('/api/scenario/load', { path: `no-such-${context.random.word()}.yaml` })
  assert.equal((await getTree(context.http)).tree_hash, before.tree_hash, 'the previous scenario is no longer loaded')
})

const press = (http: HttpProbe, name: string, more: object = {}) =>
  actOnElement(http, 'click', { selector: `Button[name="${name}"]`, ...more })
const typed = async (http: HttpProbe, text: string) => {
  await actOnElement(http, 'click', { selector: 'Edit[name="Field"]' })
  parseSuccess(await http.post('/api/action', { action: 'type', value: text }), z.looseObject({}))
}

check('observer:scenario:spellings', async (context) => {
  await loadScenario(context, 'reactions')
  for (const name of ['First', 'Second', 'Third']) {
    await press(context.http, name)
    assert.equal(await getValue(context.http, 'Log'), `clicked ${name.toLowerCase()}`)
  }
})

check('observer:scenario:first', async (context) => {
  await loadScenario(context, 'reactions')
  await typed(context.http, 'hello you')
  const value = await getValue(context.http, 'Field')
  assert.notEqual(value, 'never', 'the second reaction that fits has fired')
  assert.ok(value?.startsWith('greeted'), `the first reaction that fits has not fired: "${value}"`)
})

check('observer:scenario:group', async (context) => {
  await loadScenario(context, 'reactions')
  const word = context.random.word()
  await typed(context.http, `hello ${word}`)
  assert.equal(await getValue(context.http, 'Field'), `greeted ${word}`)
})

check('observer:scenario:all-conditions', async (context) => {
  await loadScenario(context, 'reactions')
  const { http } = context
  const sleeps = async () => {
    await actOnElement(http, 'click', { selector: 'Text' })
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
const titled = async (http: HttpProbe, title: string): Promise<string> =>
  (await getWindows(http)).find((window) => window.title === title)?.window_uid ??
  fail(`prerequisite: no window is called "${title}"`)

check('observer:scenario:windows', async (context) => {
  await loadScenario(context, 'reactions')
  const window_uid = await titled(context.http, 'Rear')
  await press(context.http, 'There', { window_uid })
  const { tree } = await getTree(context.http, { window_uid })
  assert.equal(nodesOf(tree).find(({ name }) => name === 'Far')?.value, 'clicked there')
})

check('observer:scenario:same-place', async (context) => {
  await loadScenario(context, 'reactions')
  await press(context.http, 'There', { window_uid: await titled(context.http, 'Rear') })
  const { tree } = await getTree(context.http, { window_uid: await titled(context.http, 'Front') })
  const log = nodesOf(tree).find(({ name }) => name === 'Log')
  assert.equal(log?.value, 'empty', 'the reaction of an element of another window has fired')
})

check('observer:scenario:nowhere', async (context) => {
  await loadScenario(context, 'edges')
  const { http } = context
  parseSuccess(await http.post('/api/action', { action: 'click_at', x: 20, y: 20 }), z.looseObject({}))
  assert.equal(await getValue(http, 'Clicks'), 'none', 'a click outside all windows counts as a click on an element')
})

check('observer:scenario:dangling', async (context) => {
  for (const name of ['initial', 'transition', 'bounds']) {
    const answer = await tryLoadScenario(context, `broken/${name}`)
    assert.equal(answer.status, CODES.ScenarioInvalid, `broken/${name}.yaml is played`)
    assert.equal(answer.json(Refusal).error.code, 'ScenarioInvalid')
  }
})

/** Fails when a loaded scenario cannot be looked at. */
async function assertPlayed(context: TestContext, name: string, title: string): Promise<void> {
  const loaded = await tryLoadScenario(context, name)
  if (loaded.status === CODES.ScenarioInvalid) return
  parseSuccess(loaded, ScenarioLoaded)
  const { http } = context
  assert.equal((await getFrontWindow(http)).title, title, `${name}.yaml is loaded, and something else is on the screen`)
  const looks = ['structure', 'observe', 'description', `find_element${toQuery({ selector: '//Button' })}`]
  for (const look of looks) {
    const { status, text } = await http.get(`/api/${look}`)
    assert.equal(status, 200, `${name}.yaml is loaded, and ${look} answers ${status}: ${text.slice(0, 200)}`)
  }
  await actOnElement(http, 'click', { selector: '//Button', dry_run: true })
}

check('observer:scenario:scalars', async (context) => {
  await assertPlayed(context, 'broken/scalars', '2024')
})

check(
  'observer:scenario:deep',
  async (context) => {
    await assertPlayed(context, 'broken/deep', 'Deep')
    await loadScenario(context)
  },
  { pool: 'dangerous' },
)
