import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { fail } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { type AnyJson, answersInTurn } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { sources } from '../document.ts'
import {
  assertRefusal,
  fillNameField,
  getFrontWindow,
  getTree,
  getWindows,
  observeFull,
  parseSuccess,
  showScenario,
} from '../driver.ts'
import { onRefusal, onRequestBody, onSuccessOf, swapCode } from '../sabotage.ts'
import { IdleResult, WaitMatch, WaitTimeout } from '../shapes.ts'
import { nodesOf } from '../tree.ts'

type Condition = Readonly<Record<string, unknown>> & { readonly type: string }

const waitFor = (http: HttpProbe, any_of: readonly Condition[], timeout_ms = 400) =>
  http.post('/api/wait_for', { any_of, timeout_ms, poll_ms: 50 })

const assertMatches = async (http: HttpProbe, condition: Condition) => {
  // A rule of its own has the index.
  return parseSuccess(await waitFor(http, [condition]), WaitMatch)
}

const assertTimesOut = async (http: HttpProbe, condition: Condition) => {
  assertRefusal(await waitFor(http, [condition]), 'Timeout')
}

/** A selector that finds an element, and one that finds none. */
async function selectors(http: HttpProbe, absentName: string) {
  const { tree } = await getTree(http)
  const root = tree.role
  const there = nodesOf(tree).find(
    (node) => /^\w+$/.test(node.role) && /^[\w ]+$/.test(node.name) && node.id !== tree.id,
  )
  const present = there ?? fail('prerequisite: the screen has no element with a plain name')
  return {
    present: `${root} ${present.role}[name="${present.name}"]`,
    absent: `${root} Button[name="${absentName}"]`,
    node: present,
  }
}

const LONG_WAIT_MS = 1987
/** Milliseconds in which a wait has begun. */
const STARTED_MS = 300

/** A minute, and a little for the way. */
const LONGEST_MS = 65_000

/** Waits for another condition. */
const waitsFor = (type: string, instead: string): SabotageBehavior =>
  onRequestBody((body, { path }) => {
    if (path !== '/api/wait_for' || !Array.isArray(body.any_of)) return
    for (const one of body.any_of) if (one?.type === type) one.type = instead
  })

/** Waiting for conditions. */
export const waitRules = defineRules('wait', {
  'element-appears': {
    level: 'MUST',
    text: 'element_appears matches when the element is there.',
    source: sources.wait,
    basis: { states: 'element_appears with a selector is a condition.' },
    covers: ['O-C1', 'O-E22'],
    check: async ({ http, random }) => {
      const { present, absent, node } = await selectors(http, random.word())
      const { matched_detail } = await assertMatches(http, { type: 'element_appears', selector: present })
      if (matched_detail.bounds !== undefined)
        assertAgree({ matched_detail: matched_detail.bounds, 'the tree': node.bounds }, 'the bounds')
      await assertTimesOut(http, { type: 'element_appears', selector: absent })
    },
    sabotage: {
      'waits for what is there to go': waitsFor('element_appears', 'element_disappears'),
    },
  },

  'element-disappears': {
    level: 'MUST',
    text: 'element_disappears matches when the element is not there.',
    source: sources.wait,
    basis: { states: 'element_disappears with a selector or an element_id is a condition.' },
    covers: ['O-C2'],
    check: async ({ http, random }) => {
      const { present, absent, node } = await selectors(http, random.word())
      await assertMatches(http, { type: 'element_disappears', selector: absent })
      await assertMatches(http, { type: 'element_disappears', element_id: random.word(12) })
      await assertTimesOut(http, { type: 'element_disappears', selector: present })
      await assertTimesOut(http, { type: 'element_disappears', element_id: node.id })
    },
    sabotage: {
      'waits for what is gone to come': waitsFor('element_disappears', 'element_appears'),
    },
  },

  'text-visible': {
    level: 'MUST',
    text: 'text_visible matches a text of the screen.',
    source: sources.wait,
    basis: { states: 'text_visible with a regex is a condition.' },
    covers: ['O-C3'],
    check: async ({ http, random }) => {
      const { node } = await selectors(http, random.word())
      await assertMatches(http, { type: 'text_visible', regex: node.name.slice(1) })
      await assertTimesOut(http, { type: 'text_visible', regex: random.word(16) })
    },
    sabotage: {
      'matches what is not there': {
        alsoBreaks: ['error:Timeout'],
        changeResponse: (response) => {
          if (response.status === 408) {
            response.status = 200
            response.json = { ok: true, success: true, matched_index: 0, matched_detail: {}, elapsed_ms: 1, polls: 1 }
          }
        },
      },
    },
  },

  'window-appears': {
    level: 'MUST',
    text: 'window_appears matches a title.',
    source: sources.wait,
    basis: { states: 'window_appears with a title_regex is a condition.' },
    covers: ['O-C4'],
    check: async ({ http, random }) => {
      const { title, window_uid } = await getFrontWindow(http)
      const word = /\w+/.exec(title)?.[0] ?? fail('prerequisite: the focused window has no title')
      const { matched_detail } = await assertMatches(http, { type: 'window_appears', title_regex: word })
      const uids = (await getWindows(http))
        .filter((window) => window.title.includes(word))
        .map((window) => window.window_uid)
      assert.ok(uids.includes(String(matched_detail.window_uid ?? window_uid)), 'the window that matched is not listed')
      await assertTimesOut(http, { type: 'window_appears', title_regex: random.word(16) })
    },
    sabotage: {
      'waits for a window as for a text': onRequestBody((body) => {
        for (const one of body.any_of ?? [])
          if (one?.type === 'window_appears') Object.assign(one, { type: 'text_visible', regex: '.' })
      }),
    },
  },

  'window-disappears': {
    level: 'MUST',
    text: 'window_disappears matches a window that is not there, and waits for one that is.',
    source: sources.wait,
    basis: { states: 'window_disappears with a window_uid is a condition.' },
    covers: ['O-C5'],
    check: async ({ http, random }) => {
      const { window_uid } = await getFrontWindow(http)
      await assertMatches(http, { type: 'window_disappears', window_uid: `gone:${random.word()}` })
      await assertTimesOut(http, { type: 'window_disappears', window_uid })
    },
    sabotage: {
      'waits for a window that is gone to come': waitsFor('window_disappears', 'window_appears'),
    },
  },

  'tree-changes': {
    level: 'MUST',
    text: 'tree_changes waits until the tree differs from that of the token.',
    source: sources.wait,
    basis: { states: 'tree_changes with since, a tree_token, is a condition.' },
    covers: ['O-C6'],
    tier: 'full',
    needs: ['element:click'],
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const { tree_token } = await observeFull(http)
      await assertTimesOut(http, { type: 'tree_changes', since: tree_token })
      await fillNameField(http, context.random.word())
      await assertMatches(http, { type: 'tree_changes', since: tree_token })
    },
    sabotage: {
      'sees no tree change': waitsFor('tree_changes', 'focused_changes'),
    },
  },

  'focused-changes': {
    level: 'SHOULD',
    text: 'focused_changes does not match while the focus stays where it is.',
    source: sources.wait,
    basis: {
      because: 'The document lists the condition without its reference state; the name implies that something changes.',
    },
    covers: ['O-C7'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      await assertTimesOut(context.http, { type: 'focused_changes' })
    },
    sabotage: {
      'sees the focus change at once': {
        changeResponse: (response, request) => {
          if (response.status !== 408 || !request.body.includes('focused_changes')) return
          response.status = 200
          response.json = { ok: true, success: true, matched_index: 0, matched_detail: {}, elapsed_ms: 1, polls: 1 }
        },
      },
    },
  },

  first: {
    level: 'MUST',
    text: 'matched_index is the first condition that holds.',
    source: sources.wait,
    basis: { states: 'A match has matched_index.' },
    covers: ['O-E22'],
    check: async ({ http, random }) => {
      const { present, absent } = await selectors(http, random.word())
      const { title } = await getFrontWindow(http)
      const conditions = [
        { type: 'element_appears', selector: absent },
        { type: 'element_appears', selector: present },
        { type: 'window_appears', title_regex: /\w+/.exec(title)?.[0] },
      ]
      assert.equal(parseSuccess(await waitFor(http, conditions), WaitMatch).matched_index, 1, 'matched_index')
    },
    sabotage: {
      'matches the last condition': onSuccessOf('POST /api/wait_for', (json) => {
        json.matched_index++
      }),
    },
  },

  'in-time': {
    level: 'MUST',
    text: 'A wait ends at its timeout and not much later.',
    source: sources.wait,
    basis: { states: 'A wait takes timeout_ms and reports elapsed_ms.' },
    covers: ['O-E22', 'O-X6'],
    check: async ({ http, random }) => {
      const startedAt = performance.now()
      const answer = await http.post('/api/wait_for', {
        any_of: [{ type: 'text_visible', regex: random.word(16) }],
        timeout_ms: 300,
        poll_ms: 5000,
      })
      const tookMs = performance.now() - startedAt
      const { elapsed_ms } = answer.json(WaitTimeout)
      assert.ok(elapsed_ms >= 300 && elapsed_ms < 1500, `a wait of 300 ms reports ${elapsed_ms} ms`)
      assert.ok(tookMs < 3000, `a wait of 300 ms took ${Math.round(tookMs)} ms`)
    },
    sabotage: {
      'never waits': {
        changeResponse: (response) => {
          if (response.status === 408) (response.json as AnyJson).elapsed_ms = 0
        },
      },
      'waits for ever': {
        changeResponse: (response) => {
          if (response.status === 408) (response.json as AnyJson).elapsed_ms = 60_000
        },
      },
    },
  },

  others: {
    level: 'SHOULD',
    text: 'Other requests are answered during a wait.',
    source: sources.wait,
    basis: {
      because: 'The document does not cover several clients; a wait of a minute should not hold up the others.',
    },
    covers: ['O-E22'],
    needs: ['wait:in-time'],
    check: async ({ http, random }) => {
      let isOver = false
      const wait = async () => {
        await waitFor(http, [{ type: 'text_visible', regex: random.word(16) }], LONG_WAIT_MS)
        isOver = true
      }
      const look = async () => {
        await pause(STARTED_MS)
        // A server may have a clock of its own, by which a wait does not take any time.
        const wasOver = isOver
        await getWindows(http)
        assert.ok(wasOver || !isOver, 'the windows are listed when the wait has ended')
      }
      await Promise.all([wait(), look()])
    },
    sabotage: {
      'answers nothing during a wait': answersInTurn(({ path, body }) =>
        path === '/api/wait_for' && body.includes(String(LONG_WAIT_MS)) ? LONG_WAIT_MS : undefined,
      ),
    },
  },

  empty: {
    level: 'SHOULD',
    text: 'A wait without a condition is BadRequest.',
    source: sources.wait,
    basis: { because: 'The document does not define an empty any_of; it could only time out.' },
    covers: ['O-E22', 'O-X17'],
    check: async ({ http }) => {
      for (const raw of ['{}', '{"any_of":[]}', '{"any_of":"text"}', '{"any_of":[7]}']) {
        const answer = await http.send({ method: 'POST', path: '/api/wait_for', raw, deliberate: true })
        assertRefusal(answer, 'BadRequest')
      }
    },
    sabotage: {
      'waits for nothing': swapCode('BadRequest', 'Timeout', '/api/wait_for'),
    },
  },

  idle: {
    level: 'MUST',
    text: 'wait_idle ends well when the screen is still.',
    source: sources.wait,
    basis: { states: 'wait_idle takes quiet_ms, timeout_ms and poll_ms.' },
    covers: ['O-E23'],
    check: async (context) => {
      if (context.profile.has('scenarios')) await showScenario(context)
      parseSuccess(
        await context.http.post('/api/wait_idle', { quiet_ms: 200, timeout_ms: 3000, poll_ms: 50 }),
        IdleResult,
      )
    },
    sabotage: {
      'is never still': {
        changeResponse: (response, request) => {
          if (request.path === '/api/wait_idle') response.status = 408
        },
      },
    },
  },

  incomplete: {
    level: 'SHOULD',
    text: 'A condition without its argument does not match.',
    source: sources.wait,
    basis: { because: 'The document lists the arguments; a condition without one holds by accident only.' },
    covers: ['O-E22', 'O-X17'],
    tier: 'full',
    check: async ({ http }) => {
      const incomplete = [
        'element_appears',
        'element_disappears',
        'text_visible',
        'window_appears',
        'window_disappears',
      ]
      for (const type of incomplete) {
        const raw = JSON.stringify({ any_of: [{ type }], timeout_ms: 100, poll_ms: 50 })
        const answer = await http.send({ method: 'POST', path: '/api/wait_for', raw, deliberate: true })
        assert.ok([400, 408].includes(answer.status), `${type} without its argument answers ${answer.status}`)
      }
    },
    sabotage: {
      'matches conditions without arguments': {
        changeResponse: (response, request) => {
          if (request.path !== '/api/wait_for' || !request.body.includes('"text_visible"}')) return
          response.status = 200
          response.json = { ok: true, success: true, matched_index: 0, matched_detail: {}, elapsed_ms: 1, polls: 1 }
        },
      },
    },
  },

  'idle-told': {
    level: 'SHOULD',
    text: 'wait_idle reports its duration and the hash of the tree, and does not return before quiet_ms.',
    source: sources.wait,
    basis: {
      because: 'The document lists the arguments of wait_idle only; the fields are those of the reference server.',
    },
    covers: ['O-E23'],
    tier: 'full',
    check: async (context) => {
      if (context.profile.has('scenarios')) await showScenario(context)
      const answer = await context.http.post('/api/wait_idle', { quiet_ms: 200, timeout_ms: 3000, poll_ms: 50 })
      const { elapsed_ms, tree_hash } = parseSuccess(
        answer,
        IdleResult.extend({ elapsed_ms: z.number(), tree_hash: z.string() }),
      )
      assert.ok(elapsed_ms >= 150, `the screen is called still after ${elapsed_ms} ms`)
      assertAgree(
        { 'the answer': tree_hash, 'GET /api/structure': (await getTree(context.http)).tree_hash },
        'tree_hash',
      )
    },
    sabotage: {
      'is idle at once': onSuccessOf('POST /api/wait_idle', (json) => {
        json.elapsed_ms = 0
      }),
      'tells no hash of a screen that is still': onSuccessOf('POST /api/wait_idle', (json) => {
        delete json.tree_hash
      }),
    },
  },

  window: {
    level: 'MUST',
    text: 'Conditions are looked for in the window that window_uid names.',
    source: sources.wait,
    basis: { states: 'A wait takes window_uid.' },
    covers: ['O-E22', 'O-R6'],
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const { window_uid } =
        (await getWindows(http)).find(({ title }) => title === 'Notes') ?? fail('prerequisite: no Notes')
      const any_of = [{ type: 'element_appears', selector: 'Button[name="Close notes"]' }]
      parseSuccess(await http.post('/api/wait_for', { any_of, timeout_ms: 400, poll_ms: 50, window_uid }), WaitMatch)
    },
    sabotage: {
      'waits in front only': onRequestBody((body, { path: route }) => {
        if (route === '/api/wait_for') delete body.window_uid
      }),
    },
  },

  'last-observation': {
    level: 'MAY',
    text: 'A wait that timed out reports the last state.',
    source: sources.wait,
    basis: { because: 'The design of the reference server promises last_observation.' },
    covers: ['O-E22', 'O-X6'],
    tier: 'full',
    check: async ({ http, random }) => {
      const answer = await waitFor(http, [{ type: 'text_visible', regex: random.word(16) }], 80)
      const { last_observation } = answer.json(
        z.looseObject({ last_observation: z.looseObject({ tree_hash: z.string() }) }),
      )
      assertAgree(
        { last_observation: last_observation.tree_hash, 'GET /api/structure': (await getTree(http)).tree_hash },
        'tree_hash',
      )
    },
    sabotage: {
      'waits without looking': onRefusal('Timeout', (response) => {
        delete (response.json as AnyJson).last_observation
      }),
    },
  },

  capped: {
    level: 'SHOULD',
    text: 'A wait of ten minutes is refused, or ends within a minute.',
    source: sources.wait,
    basis: {
      because: 'The document sets no limit; the reference server cuts wait_for at a minute, and wait_idle not at all.',
    },
    covers: ['O-E23'],
    tier: 'full',
    // No other check waits for it, so it runs in parallel with the checks of the screen.
    pool: 'auxiliary',
    timeoutMs: LONGEST_MS + 5000,
    check: async ({ http }) => {
      const body = { quiet_ms: 600_000, timeout_ms: 600_000 }
      const startedAt = performance.now()
      const { status } = await http.post('/api/wait_idle', body, { timeoutMs: LONGEST_MS, deliberate: true })
      assert.ok(status < 500, `it answers ${status}`)
      assert.ok(performance.now() - startedAt < LONGEST_MS, 'it lasts longer than a minute')
    },
    sabotage: {
      'fails at long waits': {
        changeResponse: (response, request) => {
          if (request.body.includes('"quiet_ms":600000')) response.status = 500
        },
      },
    },
  },
})
