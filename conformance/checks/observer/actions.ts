import assert from 'node:assert/strict'
import { center } from '../../compare/tree.ts'
import {
  actOnElement,
  getElementByName,
  getTree,
  getWindows,
  parseSuccess,
  showScenario,
} from '../../observer/driver.ts'
import { ActionRefusal, ActionReply } from '../../observer/shapes.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { check } from '../check.ts'

const perform = async (http: HttpProbe, body: unknown) =>
  parseSuccess(await http.post('/api/action', body), ActionReply)

check('observer:action:click', async (context) => {
  await showScenario(context)
  const { x, y } = center((await getElementByName(context.http, 'Note')).bounds)
  for (const more of [
    {},
    { button: 'left', double: false },
    { button: 'right' },
    { button: 'middle' },
    { double: true },
  ]) {
    const reply = await perform(context.http, { action: 'click_at', x, y, ...more })
    assert.equal(reply.action, 'click_at')
    assert.deepEqual([reply.x ?? x, reply.y ?? y], [x, y], 'the point is not the one that was sent')
  }
})

check('observer:action:type', async (context) => {
  await showScenario(context)
  const { bounds } = await getElementByName(context.http, 'Note')
  await perform(context.http, { action: 'click_at', ...center(bounds) })
  const text = `${context.random.word()} Grüße, 世界! "quoted"`
  assert.equal((await perform(context.http, { action: 'type', value: text })).action, 'type')
})

const COMBINATIONS = [
  'enter',
  'tab',
  'escape',
  'ctrl+s',
  'ctrl+a',
  'ctrl+c',
  'ctrl+v',
  'ctrl+z',
  'f5',
  'delete',
  'ctrl+shift+n',
  'alt+f4',
]

check('observer:action:key', async (context) => {
  await showScenario(context)
  for (const value of COMBINATIONS)
    assert.equal((await perform(context.http, { action: 'key', value })).action, 'key', value)
})

check('observer:action:scroll', async (context) => {
  await showScenario(context)
  const point = center((await getElementByName(context.http, 'Items')).bounds)
  for (const body of [{ ...point, clicks: 3 }, { ...point, clicks: -3 }, { clicks: 1 }])
    assert.equal((await perform(context.http, { action: 'scroll', ...body })).action, 'scroll')
})

check('observer:action:effect', async (context) => {
  await showScenario(context)
  const word = context.random.word()
  const { bounds } = await getElementByName(context.http, 'Name')
  await perform(context.http, { action: 'click_at', ...center(bounds) })
  assert.equal((await getElementByName(context.http, 'Name')).focused, true, 'the field has not got the keyboard')
  await perform(context.http, { action: 'type', value: word })
  assert.equal((await getElementByName(context.http, 'Name')).value, word)
})

async function assertRefused(http: HttpProbe, raw: string): Promise<void> {
  const answer = await http.send({ method: 'POST', path: '/api/action', raw, deliberate: true })
  assert.equal(answer.status, 400, `${raw} answers ${answer.status}: ${answer.text.slice(0, 200)}`)
  answer.json(ActionRefusal)
}

check(
  'observer:action:unknown',
  async ({ http, random }) => {
    for (const raw of ['{}', `{"action":"${random.word()}"}`, '{"action":7}', '{"action":null}', ''])
      await assertRefused(http, raw)
  },
  { pool: 'dangerous' },
)

const WRONG: readonly unknown[] = [
  { action: 'click_at' },
  { action: 'click_at', x: 1 },
  { action: 'click_at', x: 'one', y: 2 },
  { action: 'click_at', x: 1, y: 2, button: 'fourth' },
  { action: 'type' },
  { action: 'type', value: 7 },
  { action: 'key' },
  { action: 'key', value: ['enter'] },
  { action: 'scroll', clicks: 'many' },
]

check(
  'observer:action:mistyped',
  async ({ http }) => {
    for (const body of WRONG) await assertRefused(http, JSON.stringify(body))
  },
  { pool: 'dangerous' },
)

check('observer:action:hit', async (context) => {
  await showScenario(context)
  const { http } = context
  const before = (await getWindows(http)).length
  await perform(http, { action: 'click_at', ...center((await getElementByName(http, 'Open dialog')).bounds) })
  assert.equal(
    (await getWindows(http)).length,
    before + 1,
    'a click in the center of the button does not click the button',
  )
})

check('observer:action:dry-run', async (context) => {
  await showScenario(context)
  const { http } = context
  const point = center((await getElementByName(http, 'Open dialog')).bounds)
  const before = (await getWindows(http)).map(({ window_uid }) => window_uid)
  for (const path of ['/api/action', '/api/tool/click_at']) {
    const raw = JSON.stringify({ action: 'click_at', ...point, dry_run: true })
    await http.send({ method: 'POST', path, raw, deliberate: true })
    const after = (await getWindows(http)).map(({ window_uid }) => window_uid)
    assert.deepEqual(after, before, `${path} ignores dry_run and acts`)
  }
})

check('observer:action:dry-run-others', async (context) => {
  await showScenario(context)
  const { http } = context
  await actOnElement(http, 'click', { selector: 'Edit[name="Name"]' })
  const screen = async () => {
    const windows = (await getWindows(http)).map(({ window_uid }) => window_uid)
    return { windows, tree: (await getTree(http)).tree_hash }
  }
  const before = await screen()
  const behind = before.windows.at(-1)
  const dry = [
    ['/api/action', { action: 'type', value: 'dry' }],
    ['/api/tool/type_text', { text: 'dry' }],
    ['/api/action', { action: 'key', value: 'x' }],
    ['/api/tool/press_key', { keys: 'x' }],
    ['/api/tool/bring_to_foreground', { window_uid: behind }],
  ] as const
  for (const [path, body] of dry) {
    const raw = JSON.stringify({ ...body, dry_run: true })
    await http.send({ method: 'POST', path, raw, deliberate: true })
    assert.deepEqual(await screen(), before, `${path} ignores dry_run and acts on ${raw}`)
  }
})
