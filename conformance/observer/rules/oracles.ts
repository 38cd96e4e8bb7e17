import assert from 'node:assert/strict'
import { fail } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { sources } from '../document.ts'
import {
  assertRefusal,
  getElementByName,
  getFrontWindow,
  getTree,
  getValue,
  getWindows,
  parseSuccess,
  showScenario,
} from '../driver.ts'
import { onRequestBody, onSuccessOf, swapCode } from '../sabotage.ts'
import { AssertionOutcome } from '../shapes.ts'
import { nodesOf } from '../tree.ts'

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
    assert.equal(result.kind, predicate.kind, 'kind')
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

const NOTE = 'Edit[name="Note"]'

const plainWord = (title: string) => /\w+/.exec(title)?.[0] ?? fail('prerequisite: the focused window has no title')

/** Judges every predicate of a kind alike. */
const judges = (kind: string, passed: boolean): SabotageBehavior =>
  onSuccessOf('POST /api/assert_state', (json) => {
    for (const one of json.results) if (one.kind === kind) one.passed = passed
  })

/** Predicates about the state. */
export const oracleRules = defineRules('oracle', {
  'element-exists': {
    level: 'MUST',
    text: 'element_exists is true exactly when find_element finds an element.',
    source: sources.oracles,
    basis: { states: 'element_exists with a selector is a predicate.' },
    covers: ['O-P1', 'O-E39'],
    check: async ({ http, random }) => {
      const { selector } = await someElement(http)
      await assertJudged(http, [
        [true, { kind: 'element_exists', selector }],
        [false, { kind: 'element_exists', selector: nowhere(random.word()) }],
      ])
    },
    sabotage: {
      'passes every predicate': {
        alsoBreaks: ['oracle:all'],
        ...onSuccessOf('POST /api/assert_state', (json) => {
          for (const one of json.results) one.passed = true
        }),
      },
      'fails every predicate': onSuccessOf('POST /api/assert_state', (json) => {
        for (const one of json.results) one.passed = false
      }),
    },
  },

  'element-absent': {
    level: 'MUST',
    text: 'element_absent is its opposite.',
    source: sources.oracles,
    basis: { states: 'element_absent with a selector is a predicate.' },
    covers: ['O-P2'],
    check: async ({ http, random }) => {
      const { selector } = await someElement(http)
      await assertJudged(http, [
        [false, { kind: 'element_absent', selector }],
        [true, { kind: 'element_absent', selector: nowhere(random.word()) }],
      ])
    },
    sabotage: {
      'misses nothing': judges('element_absent', false),
    },
  },

  'value-equals': {
    level: 'MUST',
    text: 'value_equals compares the whole value.',
    source: sources.oracles,
    basis: { states: 'value_equals with a selector and expected is a predicate.' },
    covers: ['O-P3'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { value } = await getElementByName(context.http, 'Note')
      await assertJudged(context.http, [
        [true, { kind: 'value_equals', selector: NOTE, expected: value }],
        [false, { kind: 'value_equals', selector: NOTE, expected: value?.slice(1) }],
      ])
    },
    sabotage: {
      'takes every value for equal': judges('value_equals', true),
    },
  },

  'value-matches': {
    level: 'MUST',
    text: 'value_matches holds for a value that fits the expression, and for no other.',
    source: sources.oracles,
    basis: { states: 'value_matches with a selector and a regex is a predicate.' },
    covers: ['O-P4'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { value } = await getElementByName(context.http, 'Note')
      await assertJudged(context.http, [
        [true, { kind: 'value_matches', selector: NOTE, regex: `${value?.slice(0, 3)}.*` }],
        [false, { kind: 'value_matches', selector: NOTE, regex: context.random.word(16) }],
      ])
    },
    sabotage: {
      'takes every value for a match': judges('value_matches', true),
    },
  },

  'text-visible': {
    level: 'MUST',
    text: 'text_visible looks for an expression in names and values.',
    source: sources.oracles,
    basis: { states: 'text_visible with a regex is a predicate.' },
    covers: ['O-P5'],
    check: async ({ http, random }) => {
      const { node } = await someElement(http)
      await assertJudged(http, [
        [true, { kind: 'text_visible', regex: node.name }],
        [true, { kind: 'text_visible', regex: node.name, mode: 'tree' }],
        [false, { kind: 'text_visible', regex: random.word(16), mode: 'tree' }],
      ])
    },
    sabotage: {
      'sees every text': judges('text_visible', true),
    },
  },

  'window-focused': {
    level: 'MUST',
    text: 'window_focused looks at the title of the focused window.',
    source: sources.oracles,
    basis: { states: 'window_focused with a title_regex is a predicate.' },
    covers: ['O-P6'],
    needs: ['oracle:element-exists'],
    check: async ({ http, random }) => {
      const { title } = await getFrontWindow(http)
      await assertJudged(http, [
        [true, { kind: 'window_focused', title_regex: plainWord(title) }],
        [false, { kind: 'window_focused', title_regex: random.word(16) }],
      ])
    },
    sabotage: {
      'takes every window for focused': judges('window_focused', true),
    },
  },

  'window-exists': {
    level: 'MUST',
    text: 'window_exists matches windows by title and by uid.',
    source: sources.oracles,
    basis: { states: 'window_exists with a title_regex or a window_uid is a predicate.' },
    covers: ['O-P7'],
    needs: ['oracle:element-exists'],
    check: async ({ http, random }) => {
      const expected = (await getWindows(http)).flatMap(({ title, window_uid }): (readonly [boolean, Predicate])[] => [
        [true, { kind: 'window_exists', title_regex: plainWord(title) }],
        [true, { kind: 'window_exists', window_uid }],
      ])
      await assertJudged(http, [
        ...expected,
        [false, { kind: 'window_exists', title_regex: random.word(16) }],
        [false, { kind: 'window_exists', window_uid: `gone:${random.word()}` }],
      ])
    },
    sabotage: {
      'judges backwards': {
        alsoBreaks: ['oracle:all'],
        ...onSuccessOf('POST /api/assert_state', (json) => {
          json.results.reverse()
        }),
      },
    },
  },

  'tree-hash': {
    level: 'MUST',
    text: 'tree_hash_equals compares with the hash of structure.',
    source: sources.oracles,
    basis: { states: 'tree_hash_equals with expected_hash is a predicate.' },
    covers: ['O-P8'],
    check: async ({ http }) => {
      const { tree_hash } = await getTree(http)
      await assertJudged(http, [
        [true, { kind: 'tree_hash_equals', expected_hash: tree_hash }],
        [false, { kind: 'tree_hash_equals', expected_hash: `sha1:${'0'.repeat(40)}` }],
      ])
    },
    sabotage: {
      'takes every hash for equal': judges('tree_hash_equals', true),
    },
  },

  screenshot: {
    level: 'SHOULD',
    text: 'screenshot_similar without a readable reference fails by itself; the other predicates are still evaluated.',
    source: sources.oracles,
    basis: { because: 'The document lists the predicate, and does not specify the effect of an unreadable reference.' },
    covers: ['O-P9'],
    check: async ({ http, random }) => {
      const { title } = await getFrontWindow(http)
      await assertJudged(http, [
        [false, { kind: 'screenshot_similar', reference_path: `no-such-${random.word()}.png`, min_ssim: 0.9 }],
        [true, { kind: 'window_focused', title_regex: plainWord(title) }],
      ])
    },
    sabotage: {
      'takes every picture for similar': judges('screenshot_similar', true),
    },
  },

  all: {
    level: 'MUST',
    text: 'all_passed is true exactly when every result passed, and the results keep their order.',
    source: sources.oracles,
    basis: { states: 'The answer has all_passed, and results with kind, passed, observed and args.' },
    covers: ['O-E39'],
    check: async ({ http, random }) => {
      const { selector } = await someElement(http)
      const holds = { kind: 'element_exists', selector }
      const fails = { kind: 'element_exists', selector: nowhere(random.word()) }
      const mixed = random.shuffle([holds, fails, holds])
      const all = await judge(http, [holds, holds])
      const some = await judge(http, mixed)
      assert.equal(all.all_passed, true, 'all_passed')
      assert.equal(some.all_passed, false, 'all_passed')
      assert.deepEqual(
        some.results.map((result) => result.passed),
        mixed.map((predicate) => predicate === holds),
        'which predicates passed',
      )
    },
    sabotage: {
      'passes all when one fails': onSuccessOf('POST /api/assert_state', (json) => {
        json.all_passed = true
      }),
    },
  },

  empty: {
    level: 'SHOULD',
    text: 'No predicate at all is BadRequest.',
    source: sources.oracles,
    basis: { because: 'The document does not define an empty list; it would always pass.' },
    covers: ['O-E39', 'O-X17'],
    check: async ({ http }) => {
      for (const raw of ['{}', '{"predicate":[]}', '{"predicate":7}']) {
        const answer = await http.send({ method: 'POST', path: '/api/assert_state', raw, deliberate: true })
        assertRefusal(answer, 'BadRequest')
      }
    },
    sabotage: {
      'fails when it is asked nothing': swapCode('BadRequest', 'PredicateUnsupported', '/api/assert'),
    },
  },

  'value-search': {
    level: 'SHOULD',
    text: 'value_matches looks for the expression anywhere in the value.',
    source: sources.oracles,
    basis: {
      because: 'The document does not specify whether the whole value has to fit; the reference server searches.',
    },
    covers: ['O-P4'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const regex = (await getValue(context.http, 'Note'))?.slice(2, 5)
      await assertJudged(context.http, [[true, { kind: 'value_matches', selector: NOTE, regex }]])
    },
    sabotage: {
      'fits whole values only': onRequestBody((body) => {
        for (const one of body.predicate ?? []) if (one.kind === 'value_matches') one.regex = `^(?:${one.regex})$`
      }),
    },
  },

  window: {
    level: 'MUST',
    text: 'element_exists and element_absent look in the window that window_uid names.',
    source: sources.oracles,
    basis: { states: 'element_exists and element_absent take window_uid.' },
    covers: ['O-P1', 'O-P2', 'O-R6'],
    needs: ['oracle:element-exists'],
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const { window_uid } =
        (await getWindows(http)).find(({ title }) => title === 'Notes') ?? fail('prerequisite: no Notes')
      const selector = 'Button[name="Close notes"]'
      await assertJudged(http, [
        [true, { kind: 'element_exists', selector, window_uid }],
        [false, { kind: 'element_absent', selector, window_uid }],
      ])
    },
    sabotage: {
      'judges the front only': onRequestBody((body) => {
        for (const one of body.predicate ?? []) if (one.kind !== 'window_exists') delete one.window_uid
      }),
    },
  },
})
