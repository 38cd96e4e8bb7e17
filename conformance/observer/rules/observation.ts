import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { fail, parseAs } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import type { AnyJson } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
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
} from '../driver.ts'
import { changePath, changeQuery, onRequestBody, onSuccessOf, serveStale, withoutParameter } from '../sabotage.ts'
import { Composite, CustomChange, Description, type Node, Observation } from '../shapes.ts'
import { applyPatch, changed, nodesOf, withoutHashes } from '../tree.ts'

/** The observation of a composite, in the form of a separate response. */
async function composite(http: HttpProbe, path: string, body: object) {
  const answer = await http.post(path, { wait_after_ms: 20, ...body })
  const { observation } = parseSuccess(answer, Composite)
  return parseAs(Observation, { ok: true, ...observation }, `the observation of ${path}`)
}

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
    assertAgree({ 'the observation': seen.tree_hash, 'the one before it': next.tree_hash }, 'tree_hash')
    look(seen, last.tree, next.tree)
    last = next
  }
}

const patchOf = (seen: Observation) => (seen.format === 'json-patch' ? seen.changes : fail(`it is ${seen.format}`))

const customOf = (seen: Observation): readonly CustomChange[] =>
  seen.format === 'custom' ? parseAs(z.array(CustomChange), seen.changes, 'the changes') : fail(`it is ${seen.format}`)

/** Changes the differences that observe answers. */
const difference = (format: string, change: (json: AnyJson) => void) =>
  onSuccessOf('GET /api/observe', (json) => {
    if (json.format === format) change(json)
  })

/** Observations and their differences. */
export const observeRules = defineRules('observe', ['observe:full'], {
  full: {
    level: 'MUST',
    text: 'Without since the whole tree comes with a token and no base.',
    source: sources.observe,
    basis: { states: 'In full the answer has format full, the tree, a tree_token and base_token null.' },
    covers: ['O-E21'],
    check: async ({ http }) => {
      const seen = await observeFull(http)
      assert.equal(seen.base_token, null, 'base_token')
      assertAgree(
        {
          'GET /api/observe': withoutHashes(seen.tree),
          'GET /api/structure': withoutHashes((await getTree(http)).tree),
        },
        'the tree',
      )
    },
    sabotage: {
      'never renews its trees': { alsoBreaks: ['receipt:hashes'], ...serveStale('/api/structure') },
    },
  },

  unchanged: {
    level: 'MUST',
    text: 'With since and no change, the list of changes is empty and unchanged is true.',
    source: sources.observe,
    basis: { states: 'A difference has changes and unchanged.' },
    covers: ['O-E21'],
    check: async ({ http }) => {
      const { tree_token, tree_hash } = await observeFull(http)
      for (const format of ['custom', 'json-patch']) {
        const seen = await observe(http, { since: tree_token, format })
        if (seen.format === 'full') fail(`since returns the whole tree for ${format}`)
        assert.ok(seen.format === format, `the format is ${seen.format} instead of ${format}`)
        assert.deepEqual(
          { changes: seen.changes, unchanged: seen.unchanged, tree_hash: seen.tree_hash },
          { changes: [], unchanged: true, tree_hash },
        )
      }
    },
    sabotage: {
      'sees only whole trees': { alsoBreaks: ['observe:base'], ...changeQuery('since', undefined) },
      'calls changes no change': onSuccessOf('GET /api/observe', (json) => {
        if ('unchanged' in json) json.unchanged = !json.unchanged
      }),
    },
  },

  hash: {
    level: 'MUST',
    text: 'The tree_hash is that of structure.',
    source: sources.observe,
    basis: { states: 'observe and structure both have tree_hash.' },
    covers: ['O-E21'],
    check: async ({ http }) => {
      assertAgree(
        {
          'GET /api/observe': (await observeFull(http)).tree_hash,
          'GET /api/structure': (await getTree(http)).tree_hash,
        },
        'tree_hash',
      )
    },
    sabotage: {
      'observes under another hash': onSuccessOf('GET /api/observe', (json) => {
        json.tree_hash = 'sha1:00'
      }),
    },
  },

  'json-patch': {
    level: 'MUST',
    text: 'The JSON Patch applied to the old tree yields the new one.',
    source: sources.observe,
    basis: { states: 'format=json-patch returns the changes as JSON Patch.' },
    covers: ['O-E21'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      await eachChange(context, CHANGES, 'json-patch', (seen, before, after) =>
        assertAgree(
          {
            'the old tree with the patch': withoutHashes(applyPatch(before, patchOf(seen))),
            'GET /api/structure': withoutHashes(after),
          },
          'the tree',
        ),
      )
    },
    sabotage: {
      'sees no change': onSuccessOf('GET /api/observe', (json) => {
        if (json.changes) json.changes = []
      }),
      'patches the wrong place': onSuccessOf('GET /api/observe', (json) => {
        for (const one of json.changes ?? [])
          one.path = String(one.path).replace(/\d+/, (index: string) => String(Number(index) + 1))
      }),
    },
  },

  custom: {
    level: 'SHOULD',
    text: 'The custom changes applied in order to the old tree yield the new one.',
    source: sources.observe,
    basis: { because: 'The document names the format custom, and leaves its operations open.' },
    covers: ['O-E21'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      await eachChange(context, CHANGES, 'custom', (seen, before, after) =>
        assertAgree(
          {
            'the old tree with the changes': withoutHashes(changed(before, customOf(seen))),
            'GET /api/structure': withoutHashes(after),
          },
          'the tree',
        ),
      )
    },
    sabotage: {
      'forgets one change': {
        alsoBreaks: ['observe:json-patch'],
        ...onSuccessOf('GET /api/observe', (json) => {
          json.changes?.pop()
        }),
      },
    },
  },

  base: {
    level: 'MUST',
    text: 'base_token is the token that was given, and the new token serves for the next difference.',
    source: sources.observe,
    basis: { states: 'A difference has base_token, and a tree_token for the next one.' },
    covers: ['O-E21'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const first = await observeFull(http)
      await fillNameField(http, context.random.word())
      const second = await observe(http, { since: first.tree_token })
      assertAgree({ base_token: second.base_token, 'the tree_token before': first.tree_token })
      assert.notEqual(second.tree_token, first.tree_token)
      const third = await observe(http, { since: second.tree_token })
      assertAgree({ base_token: third.base_token, 'the tree_token before': second.tree_token })
      assert.ok('unchanged' in third && third.unchanged, 'unchanged is not true although nothing changed')
    },
    sabotage: {
      'names another base': onSuccessOf('GET /api/observe', (json) => {
        if (json.base_token) json.base_token = 'tt:0000000000000000'
      }),
    },
  },

  stale: {
    level: 'SHOULD',
    text: 'An unknown token returns the whole tree.',
    source: 'reference server',
    basis: {
      because: 'The document does not specify the response to an unknown token; the reference server answers in full.',
    },
    covers: ['O-E21'],
    check: async ({ http, random }) => {
      const seen = await observe(http, { since: `tt:${random.word(16)}` })
      assert.equal(seen.format, 'full', 'format')
    },
    sabotage: {
      'knows no old token': {
        changeResponse: (response, request) => {
          if (request.path.includes('since=') && (response.json as AnyJson)?.format === 'full') response.status = 410
        },
      },
    },
  },

  siblings: {
    level: 'SHOULD',
    text: 'A difference after a change of a value adds, removes and moves no element, siblings of one name included.',
    source: sources.observe,
    basis: { because: 'The document does not restrict the operations; agents would mistake it for new elements.' },
    covers: ['O-E21'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const { tree_token } = await observeFull(http)
      await fillNameField(http, context.random.word())
      const seen = await observe(http, { since: tree_token, format: 'custom' })
      const moved = customOf(seen).filter(({ op }) => op !== 'replace')
      assert.deepEqual(moved, [], 'only a value changed, yet elements are added, removed or moved')
    },
    sabotage: {
      'adds what was there before': onSuccessOf('GET /api/observe', (json) => {
        if (json.format === 'custom' && json.changes.length > 0)
          json.changes.push({ op: 'remove', path: '1/4' }, { op: 'add', path: '1/4', node: {} })
      }),
    },
  },

  whole: {
    level: 'SHOULD',
    text: 'A JSON Patch gives every field of the new tree, including those that the document does not name.',
    source: sources.observe,
    basis: { because: 'A tree that reports selected or expanded state changes when that state changes.' },
    covers: ['O-E21'],
    tier: 'full',
    check: async (context) => {
      await loadScenario(context, 'edges')
      const tick: Change = (http) => actOnElement(http, 'click', { selector: 'CheckBox[name="Box"]' })
      await eachChange(context, [tick, tick], 'json-patch', (seen, before, after) =>
        assertAgree(
          { 'the old tree with the patch': applyPatch(before, patchOf(seen)), 'GET /api/structure': after },
          'the tree',
        ),
      )
    },
    sabotage: {
      'reports no selection': difference('json-patch', (json) => {
        json.changes = json.changes.filter(({ path: where }: AnyJson) => !where.endsWith('/selected'))
      }),
    },
  },

  'same-named': {
    level: 'SHOULD',
    text: 'Of siblings with one name, one that is removed, added or moved is one change.',
    source: sources.observe,
    basis: {
      because: 'The document does not restrict the operations; agents would mistake the others for new elements.',
    },
    covers: ['O-E21'],
    tier: 'full',
    check: async (context) => {
      await loadScenario(context, 'siblings')
      const structural: string[][] = []
      await eachChange(context, ROW_CHANGES, 'custom', (seen, before, after) => {
        const changes = customOf(seen)
        assertAgree(
          {
            'the old tree with the changes': withoutHashes(changed(before, changes)),
            'GET /api/structure': withoutHashes(after),
          },
          'the tree',
        )
        structural.push(changes.map(({ op }) => op).filter((op) => op !== 'replace'))
      })
      assert.deepEqual(structural, [['remove'], ['add'], ['move'], ['move']], 'the operations of the patch')
      await loadScenario(context, 'siblings')
      await eachChange(context, ROW_CHANGES, 'json-patch', (seen, before, after) =>
        assertAgree(
          {
            'the old tree with the patch': withoutHashes(applyPatch(before, patchOf(seen))),
            'GET /api/structure': withoutHashes(after),
          },
          'the tree',
        ),
      )
    },
    sabotage: {
      'takes siblings of one name away and adds them again': difference('custom', (json) => {
        const { op } = json.changes.at(-1) ?? {}
        if (op === 'move' || op === 'add') json.changes.push({ op: 'remove', path: '3/0' })
      }),
    },
  },

  tokens: {
    level: 'MAY',
    text: 'Descriptions and visible areas return a tree_token as well.',
    source: sources.observe,
    basis: { because: 'The design of the reference server promises it.' },
    covers: ['O-E3', 'O-E51'],
    tier: 'full',
    check: async ({ http }) => {
      const token = z.looseObject({ tree_token: z.string().min(1) })
      const described = parseSuccess(await http.get('/api/description'), Description)
      const visible = parseSuccess(await http.get('/api/visible_areas?window_index=0'), z.looseObject({}))
      for (const answer of [described, visible]) {
        const { tree_token } = parseAs(token, answer, 'the answer')
        assert.notEqual(
          (await observe(http, { since: tree_token })).format,
          'full',
          'the token serves for no difference',
        )
      }
    },
    sabotage: {
      'gives no tokens but for trees': {
        changeResponse: (response, request) => {
          if (request.path.startsWith('/api/visible_areas')) delete (response.json as AnyJson).tree_token
        },
      },
    },
  },

  window: {
    level: 'MUST',
    text: 'observe shows the window that window_uid or window_index names.',
    source: sources.observe,
    basis: { states: 'observe takes window_uid or window_index.' },
    covers: ['O-E21', 'O-R6'],
    needs: ['structure:window'],
    check: async (context) => {
      if (context.profile.has('scenarios')) await showScenario(context)
      const { http } = context
      for (const { index, window_uid } of await getWindows(http)) {
        const { tree_hash } = await getTree(http, { window_uid })
        for (const where of [{ window_uid }, { window_index: index }])
          assertAgree(
            { 'GET /api/observe': (await observeFull(http, where)).tree_hash, 'GET /api/structure': tree_hash },
            `tree_hash for ${JSON.stringify(where)}`,
          )
      }
    },
    sabotage: {
      'observes windows by uid only': changePath((text) => withoutParameter(text, '/api/observe', 'window_index')),
    },
  },
})

/** Actions that observe what they did. */
export const compositeRules = defineRules('composite', {
  click: {
    level: 'MUST',
    text: 'click_and_observe answers with the receipt and an observation after the action.',
    source: `${sources.version2}, composites`,
    basis: { states: 'A composite returns the receipt and an observation.' },
    covers: ['O-E24'],
    tier: 'full',
    needs: ['element:click'],
    check: async (context) => {
      await showScenario(context)
      await fillNameField(context.http)
      const seen = await composite(context.http, '/api/element/click_and_observe', { selector: 'Button[name="Save"]' })
      if (seen.format !== 'full') fail(`without since the answer is ${seen.format}`)
      assert.ok(
        nodesOf(seen.tree).some((node) => node.name === 'All changes saved'),
        'the observation shows the screen before the click',
      )
    },
  },

  type: {
    level: 'MUST',
    text: 'type_and_observe shows the typed text.',
    source: `${sources.version2}, composites`,
    basis: { states: 'A composite returns the receipt and an observation, made wait_after_ms after the action.' },
    covers: ['O-E25'],
    tier: 'full',
    needs: ['element:click'],
    check: async (context) => {
      await showScenario(context)
      await actOnElement(context.http, 'click', { selector: 'Edit[name="Name"]' })
      const text = context.random.word()
      const seen = await composite(context.http, '/api/type_and_observe', { text })
      if (seen.format !== 'full') fail(`without since the answer is ${seen.format}`)
      assert.equal(nodesOf(seen.tree).find((node) => node.name === 'Name')?.value, text, 'the value of Name')
    },
    sabotage: {
      'observes before it acts': { alsoBreaks: ['composite:click', 'composite:key'], ...observeEarly() },
    },
  },

  key: {
    level: 'SHOULD',
    text: 'key_and_observe shows the effect of the key.',
    source: `${sources.version2}, composites`,
    basis: { because: 'A mock server performs no real action, so an effect without a reaction is not required.' },
    covers: ['O-E26'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      await actOnElement(context.http, 'clear_text', { selector: 'Edit[name="Note"]' })
      await actOnElement(context.http, 'focus', { selector: 'Edit[name="Note"]' })
      const seen = await composite(context.http, '/api/key_and_observe', { keys: 'x' })
      if (seen.format !== 'full') fail(`without since the answer is ${seen.format}`)
      assert.equal(nodesOf(seen.tree).find((node) => node.name === 'Note')?.value, 'x', 'the value of Note')
    },
  },

  since: {
    level: 'MUST',
    text: 'With since a composite answers with the difference.',
    source: `${sources.version2}, composites`,
    basis: { states: 'Composites take since; the observation is the difference or the full tree.' },
    covers: ['O-E24', 'O-E25', 'O-E26'],
    tier: 'full',
    check: async (context) => {
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
        assertAgree({ base_token: seen.base_token, 'the tree_token before': tree_token })
      }
    },
    sabotage: {
      'composes without since': onRequestBody((body, { path }) => {
        if (path.endsWith('_and_observe')) delete body.since
      }),
    },
  },

  fresh: {
    level: 'MUST',
    text: 'The observation of a composite includes the change of its action, even right after another observation.',
    source: sources.composites,
    basis: {
      states: 'A composite returns the receipt and an observation, which is made wait_after_ms after the action.',
    },
    covers: ['O-E25'],
    tier: 'full',
    needs: ['composite:type'],
    check: async (context) => {
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
      assert.equal(value, text, 'value')
    },
    sabotage: {
      'observes what it remembers': onSuccessOf('POST /api/type_and_observe', ({ observation }) => {
        if (observation.changes) Object.assign(observation, { changes: [], unchanged: true })
      }),
    },
  },

  window: {
    level: 'SHOULD',
    text: 'type_and_observe and key_and_observe observe the window that window_uid names.',
    source: sources.composites,
    basis: {
      because:
        'The document lists window_uid, but does not specify whether it is the target of the text or the observed window.',
    },
    covers: ['O-E25', 'O-E26'],
    tier: 'full',
    needs: ['composite:type'],
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const front = (await getWindows(http))[0]!
      const { window_uid } =
        (await getWindows(http)).find(({ title }) => title === 'Notes') ?? fail('prerequisite: no Notes')
      await actOnElement(http, 'click', { selector: 'Edit[name="Name"]' })
      const shape = z.looseObject({ window_uid: z.string() })
      for (const uid of [window_uid, front.window_uid]) {
        const seen = await composite(http, '/api/type_and_observe', { text: 'x', window_uid: uid })
        assert.equal(parseAs(shape, seen, 'the observation').window_uid, uid, 'window_uid')
      }
    },
    sabotage: {
      'observes the front only': onRequestBody((body, { path: route }) => {
        if (route === '/api/type_and_observe') delete body.window_uid
      }),
    },
  },
})

/** Returns the last observation as the observation of a composite. */
function observeEarly(): SabotageBehavior {
  let last: unknown
  return {
    changeResponse: (response) => {
      const json = response.json as AnyJson
      if (json?.observation === undefined) return
      const now = json.observation
      json.observation = last ?? now
      last = now
    },
  }
}
