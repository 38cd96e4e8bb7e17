import assert from 'node:assert/strict'
import { center } from '../../compare/rectangle.ts'
import { assertStatus } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { sources } from '../document.ts'
import { actOnElement, getElementByName, getTree, getWindows, parseSuccess, showScenario } from '../driver.ts'
import { onRequestBody, onSuccessOf } from '../sabotage.ts'
import { ActionRefusal, ActionReply } from '../shapes.ts'

const perform = async (http: HttpProbe, body: unknown) =>
  parseSuccess(await http.post('/api/action', body), ActionReply)

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

async function assertRefused(http: HttpProbe, raw: string): Promise<void> {
  const answer = await http.send({ method: 'POST', path: '/api/action', raw, deliberate: true })
  assertStatus(answer, 400, raw)
  answer.json(ActionRefusal)
}

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

const ACTION = 'POST /api/action'

/** Reports another action name. */
const calls = (done: string, name: string): SabotageBehavior =>
  onSuccessOf(ACTION, (json) => {
    if (json.action === done) json.action = name
  })

/** Actions by coordinates and keys. */
export const actionRules = defineRules('action', {
  click: {
    level: 'MUST',
    text: 'click_at answers success and echoes the action and the point.',
    source: sources.action,
    basis: { states: 'A success of click_at has success true and echoes the action and its parameters.' },
    covers: ['O-E6'],
    check: async (context) => {
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
        assert.equal(reply.action, 'click_at', 'action')
        assert.deepEqual([reply.x ?? x, reply.y ?? y], [x, y], 'the point is not the one that was sent')
      }
    },
    sabotage: {
      'echoes another action': onSuccessOf('POST /api/action', (json) => {
        json.action = 'act'
      }),
    },
  },

  type: {
    level: 'MUST',
    text: 'type answers success and echoes the action.',
    source: sources.action,
    basis: { states: 'type takes a value, and a success echoes the action.' },
    covers: ['O-E6'],
    check: async (context) => {
      await showScenario(context)
      const { bounds } = await getElementByName(context.http, 'Note')
      await perform(context.http, { action: 'click_at', ...center(bounds) })
      const text = `${context.random.word()} Grüße, 世界! "quoted"`
      assert.equal((await perform(context.http, { action: 'type', value: text })).action, 'type', 'action')
    },
    sabotage: {
      'calls typing writing': calls('type', 'write'),
    },
  },

  key: {
    level: 'MUST',
    text: 'key answers success for every combination the document lists.',
    source: sources.action,
    basis: { states: 'key takes a key or a combination with + between, with the examples of the table.' },
    covers: ['O-E6'],
    check: async (context) => {
      await showScenario(context)
      for (const value of COMBINATIONS)
        assert.equal((await perform(context.http, { action: 'key', value })).action, 'key', value)
    },
    sabotage: {
      'calls keys presses': calls('key', 'press'),
    },
  },

  scroll: {
    level: 'MUST',
    text: 'scroll answers success, also without a point.',
    source: sources.action,
    basis: { states: 'scroll takes clicks and an optional point.' },
    covers: ['O-E6'],
    check: async (context) => {
      await showScenario(context)
      const point = center((await getElementByName(context.http, 'Items')).bounds)
      for (const body of [{ ...point, clicks: 3 }, { ...point, clicks: -3 }, { clicks: 1 }])
        assert.equal((await perform(context.http, { action: 'scroll', ...body })).action, 'scroll', 'action')
    },
    sabotage: {
      'calls scrolling wheeling': calls('scroll', 'wheel'),
    },
  },

  effect: {
    level: 'SHOULD',
    text: 'A click in the center of a field focuses it, and typed text becomes its value.',
    source: 'API for LLM tool use, coordinates',
    basis: { because: 'A mock server performs no real action, so an effect without a reaction is not required.' },
    covers: ['O-E6', 'O-R1'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const word = context.random.word()
      const { bounds } = await getElementByName(context.http, 'Name')
      await perform(context.http, { action: 'click_at', ...center(bounds) })
      assert.equal((await getElementByName(context.http, 'Name')).focused, true, 'the field has not got the keyboard')
      await perform(context.http, { action: 'type', value: word })
      assert.equal((await getElementByName(context.http, 'Name')).value, word, 'the value of Name')
    },
    sabotage: {
      'types in capitals': onRequestBody((body) => {
        if (body.action === 'type') body.value = body.value.toUpperCase()
      }),
      'clicks beside the point': onRequestBody((body) => {
        if (body.action === 'click_at') body.x += 500
      }),
    },
  },

  unknown: {
    level: 'MUST',
    text: 'An unknown or missing action answers 400 with success false.',
    source: sources.action,
    basis: { states: 'An unsupported action is 400, in the shape of actions: success false and an error.' },
    covers: ['O-E6', 'O-R5'],
    pool: 'dangerous',
    check: async ({ http, random }) => {
      for (const raw of ['{}', `{"action":"${random.word()}"}`, '{"action":7}', '{"action":null}', ''])
        await assertRefused(http, raw)
    },
    sabotage: {
      'accepts unknown actions': {
        changeResponse: (response, request) => {
          if (request.path === '/api/action' && response.status === 400) {
            response.status = 200
            response.json = { success: true, action: 'key' }
          }
        },
      },
    },
  },

  mistyped: {
    level: 'MUST',
    text: 'An action with a missing or mistyped argument answers 400.',
    source: sources.action,
    basis: { states: 'x, y and value are required and typed; a bad request is 400.' },
    covers: ['O-E6', 'O-X17'],
    pool: 'dangerous',
    check: async ({ http }) => {
      for (const body of WRONG) await assertRefused(http, JSON.stringify(body))
    },
    sabotage: {
      'acts on half an action': {
        changeResponse: (response, request) => {
          if (request.path !== '/api/action' || response.status !== 400 || !request.body.includes('"type"')) return
          response.status = 200
          response.json = { success: true, action: 'type' }
        },
      },
    },
  },

  hit: {
    level: 'SHOULD',
    text: 'A click in the middle of a button is a click on the button, to which the scenario reacts.',
    source: 'API for LLM tool use, coordinates',
    basis: {
      because: 'In the document, agents click the center of elements; the reaction of a mock server is not specified.',
    },
    covers: ['O-E6', 'O-R1', 'O-R8'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const before = (await getWindows(http)).length
      await perform(http, { action: 'click_at', ...center((await getElementByName(http, 'Open dialog')).bounds) })
      assert.equal(
        (await getWindows(http)).length,
        before + 1,
        'a click in the center of the button does not click the button',
      )
    },
    sabotage: {
      'clicks beside buttons': onRequestBody((body) => {
        if (body.action === 'click_at') body.x += 500
      }),
    },
  },

  'dry-run': {
    level: 'SHOULD',
    text: 'A dry run of a click by coordinates is refused or changes nothing.',
    source: sources.receipts,
    basis: {
      because:
        'The document lists dry_run for element actions; passed over, it would act against the intent of the caller.',
    },
    covers: ['O-R3', 'O-E6'],
    tier: 'full',
    check: async (context) => {
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
    },
    sabotage: {
      'acts in dry runs by coordinates': onRequestBody((body, { path }) => {
        if (path === '/api/action') delete body.dry_run
      }),
    },
  },

  'dry-run-others': {
    level: 'SHOULD',
    text: 'Dry runs of typing, of keys and of raising a window are refused or change nothing.',
    source: sources.receipts,
    basis: {
      because: 'The document lists dry_run for five actions only; a client that asks for one elsewhere relies on it.',
    },
    covers: ['O-R3', 'O-E6'],
    tier: 'full',
    check: async (context) => {
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
    },
    sabotage: {
      'types in dry runs': onRequestBody((body, { path: route }) => {
        if (route === '/api/tool/type_text') delete body.dry_run
      }),
      'raises windows in dry runs': onRequestBody((body, { path: route }) => {
        if (route === '/api/tool/bring_to_foreground') delete body.dry_run
      }),
    },
  },
})
