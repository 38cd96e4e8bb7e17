import assert from 'node:assert/strict'
import * as z from 'zod'
import { breakOnce, generateSamples } from '../../contract/contract.ts'
import { assertStatus } from '../../probe/failure.ts'
import type { HttpResponse } from '../../probe/http.ts'
import { type AnyJson, changeStatus } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import { forEachWithKey, type SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { observerContract } from '../contract.ts'
import { sources } from '../document.ts'
import { assertRefusal, getTree, getWindows, requireCapability, showScenario, toQuery } from '../driver.ts'
import { acceptRefused, changePath, hasInBody, onRefusal, onRequestBody, swapCode } from '../sabotage.ts'
import { ActionRefusal, CODES, type Code, Refusal } from '../shapes.ts'

const isJson = (answer: HttpResponse, what: string) => {
  assert.match(
    answer.headers['content-type'] ?? '',
    /^application\/json/,
    `${what} is answered with ${answer.headers['content-type']}`,
  )
  answer.json()
}

/** Requests that must fail on any screen. */
const failing = (context: TestContext): readonly Promise<HttpResponse>[] => [
  context.http.get(`/api/find_element${toQuery({ selector: `Window Button[name="${context.random.word(12)}"]` })}`),
  context.http.get('/api/find_element'),
  context.http.get(`/api/snapshot/${context.random.word()}`),
  context.http.post('/api/wait_for', {
    any_of: [{ type: 'text_visible', regex: context.random.word(16) }],
    timeout_ms: 60,
  }),
  context.http.post('/api/replay/status', { replay_id: context.random.word() }),
]

/** A click that opens a dialog, in a window that is named wrongly. */
const OPEN = { selector: 'Button[name="Open dialog"]' }

/** Fails when a click in the nonexistent window changes anything. */
async function assertActsNowhere(context: TestContext, where: object): Promise<void> {
  await showScenario(context)
  const hashes = async () => {
    const windows = await getWindows(context.http)
    return Promise.all(windows.map(async ({ window_uid }) => (await getTree(context.http, { window_uid })).tree_hash))
  }
  const before = await hashes()
  const answer = await context.http.post('/api/element/click', { ...OPEN, ...where })
  assert.deepEqual(await hashes(), before, 'the action hit another window')
  assert.notEqual(answer.status, 200, `the action succeeded: ${answer.text.slice(0, 200)}`)
}

const SKIPPED = ['POST /api/scenario/load', 'POST /api/trace/start', 'POST /api/wait_for', 'POST /api/wait_idle']

/** The same payload with durations that a suite can wait for. */
function quick(sample: unknown): unknown {
  const times = ['wait_after_ms', 'hover_ms', 'duration_s', 'timeout_ms', 'poll_ms', 'quiet_ms']
  return Object.fromEntries(Object.entries(sample as object).filter(([key]) => !times.includes(key)))
}

const Provocation = z.strictObject({
  /** A satellite to ask instead of the server under test. */
  server: z.string().optional(),
  scenario: z.string().optional(),
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  body: z.unknown().optional(),
})

/** Sends the request of the profile that provokes a code. */
async function provoke(context: TestContext, code: Code): Promise<HttpResponse> {
  const all = context.profile.known('provocations', z.record(z.string(), Provocation))
  const wanted = all[code]
  assert.ok(wanted, `prerequisite: the profile has no request that provokes ${code}`)
  const http = wanted.server === undefined ? context.http : await context.auxiliary(wanted.server)
  if (wanted.scenario !== undefined) await showScenario({ ...context, http }, wanted.scenario)
  return http.send({
    method: wanted.method,
    path: wanted.path,
    ...(wanted.body !== undefined && { body: wanted.body }),
  })
}

/** Fails unless the request of the profile is refused with the code. */
async function assertProvoked(context: TestContext, code: Code): Promise<void> {
  assertRefusal(await provoke(context, code), code)
}

/** Replaces the status of a refusal. */
const swapStatus = (code: string, to: number): SabotageBehavior =>
  onRefusal(code, (response) => {
    response.status = to
  })

/** Errors and their codes. */
export const errorRules = defineRules('error', {
  json: {
    level: 'MUST',
    text: 'Unknown routes, wrong methods and malformed bodies are answered with JSON, not with HTML.',
    source: `${sources.endpoints}, errors`,
    basis: { states: 'All endpoints return errors as JSON.' },
    covers: ['O-R5'],
    pool: 'dangerous',
    check: async ({ http, random }) => {
      const unknown = await http.get(`/api/${random.word()}`)
      assertStatus(unknown, 404)
      isJson(unknown, 'an unknown route')
      const wrong = await http.send({ method: 'DELETE', path: '/api/windows' })
      assert.ok([404, 405].includes(wrong.status), `DELETE /api/windows answers ${wrong.status}`)
      isJson(wrong, 'a wrong method')
      for (const raw of ['{"action":', '[]', '"click"', 'null', 'a=b']) {
        const answer = await http.send({ method: 'POST', path: '/api/element/click', raw, deliberate: true })
        assertStatus(answer, 400, raw)
        isJson(answer, raw)
      }
    },
    sabotage: {
      'speaks HTML about errors': {
        changeResponse: (response) => {
          if (response.status < 400) return
          response.json = undefined
          response.headers['content-type'] = 'text/html'
          response.body = Buffer.from('<!doctype html>')
        },
      },
    },
  },

  object: {
    level: 'MUST',
    text: 'A failure of version 2 has ok false, success false and an error with code, message, recoverable, suggested_next_tool and context.',
    source: `${sources.version2}, error envelope`,
    basis: {
      states:
        'A failure has ok and success false, and an error with code, message, recoverable, suggested_next_tool and context.',
    },
    covers: ['O-R4'],
    pool: 'dangerous',
    check: async (context) => {
      for (const answer of await Promise.all(failing(context))) answer.json(Refusal)
    },
    sabotage: {
      'says ok to what it refuses': {
        changeResponse: (response) => {
          if (response.status >= 400 && response.json) (response.json as AnyJson).ok = true
        },
      },
    },
  },

  legacy: {
    level: 'MUST',
    text: 'A failure of POST /api/action has success false and an error.',
    source: `${sources.endpoints}, errors`,
    basis: { states: 'Errors of actions have the shape success false with an error.' },
    covers: ['O-R5', 'O-E6'],
    check: async ({ http }) => {
      const answer = await http.send({
        method: 'POST',
        path: '/api/action',
        raw: '{"action":"dance"}',
        deliberate: true,
      })
      assertStatus(answer, 400)
      answer.json(ActionRefusal)
    },
    sabotage: {
      'says success to an action it refuses': {
        changeResponse: (response, request) => {
          if (request.path === '/api/action' && response.status === 400) (response.json as AnyJson).success = true
        },
      },
    },
  },

  status: {
    level: 'MUST',
    text: 'Each code comes with the status of the error table.',
    source: `${sources.version2}, error codes`,
    basis: { states: 'The statuses of the codes are those of the table that the document refers to.' },
    covers: ['O-R4'],
    check: async (context) => {
      for (const answer of await Promise.all(failing(context))) {
        const { code } = answer.json(Refusal).error
        assertStatus(answer, CODES[code], code)
      }
    },
    sabotage: {
      'answers 200 for failures': {
        alsoBreaks: ['error:ElementNotFound'],
        changeResponse: (response) => {
          if (response.status >= 400) response.status = 200
        },
      },
    },
  },

  suggestion: {
    level: 'SHOULD',
    text: 'A suggested_next_tool is a tool that exists.',
    source: `${sources.version2}, error envelope`,
    basis: { because: 'The document names the field; a name that does not exist suggests nothing.' },
    covers: ['O-R4'],
    tier: 'sdk',
    check: async (context) => {
      const { tools } = (await context.http.get('/api/tools')).json(z.looseObject({ tools: z.array(z.string()) }))
      const suggested = (await Promise.all(failing(context))).map(
        (answer) => answer.json(Refusal).error.suggested_next_tool,
      )
      const given = suggested.filter((tool) => tool !== null)
      assert.ok(given.length > 0, 'no failure suggests a tool')
      for (const tool of given) assert.ok(tools.includes(tool), `${tool} is not a tool`)
    },
    sabotage: {
      'suggests tools that do not exist': {
        changeResponse: (response) =>
          forEachWithKey(response.json, 'suggested_next_tool', (holder) => {
            if (holder.suggested_next_tool) holder.suggested_next_tool = 'pray'
          }),
      },
    },
  },

  ElementNotFound: {
    level: 'MUST',
    text: 'A selector that matches nothing is ElementNotFound, 404.',
    source: `${sources.version2}, error codes`,
    basis: { states: 'The sample of the error envelope is ElementNotFound, for a selector that no element matches.' },
    covers: ['O-X1'],
    check: async (context) => {
      await showScenario(context)
      const selector = `Button[name="${context.random.word(12)}"]`
      assertRefusal(await context.http.get(`/api/find_element${toQuery({ selector })}`), 'ElementNotFound')
      for (const action of ['click', 'focus', 'invoke', 'right_click', 'double_click', 'clear_text'])
        assertRefusal(await context.http.post(`/api/element/${action}`, { selector }), 'ElementNotFound')
      assertRefusal(
        await context.http.post('/api/element/click', { element_id: context.random.word(12) }),
        'ElementNotFound',
      )
    },
    sabotage: {
      'answers 404 with another code': swapCode('ElementNotFound', 'WindowGone'),
    },
  },

  ElementOccluded: {
    level: 'SHOULD',
    text: 'An element that lies off the screen is ElementOccluded, 409.',
    source: `${sources.version2}, error codes`,
    basis: { because: 'The document lists the code, and leaves open what counts as occluded.' },
    covers: ['O-X2'],
    tier: 'full',
    check: async (context) => {
      await requireCapability(context.http, 'occlusion_detection')
      await showScenario(context)
      for (const name of ['Away', 'Empty'])
        assertRefusal(
          await context.http.post('/api/element/click', { selector: `Button[name="${name}"]` }),
          'ElementOccluded',
        )
    },
    sabotage: {
      'does not find what is off the screen': swapCode('ElementOccluded', 'ElementNotFound'),
    },
  },

  ElementDisabled: {
    level: 'MUST',
    text: 'A click on a disabled element is ElementDisabled, 409, and changes nothing.',
    source: `${sources.version2}, error codes`,
    basis: { states: 'ElementDisabled is a code of the table.' },
    covers: ['O-X3'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const before = await getTree(context.http)
      assertRefusal(
        await context.http.post('/api/element/click', { selector: 'Button[name="Locked"]' }),
        'ElementDisabled',
      )
      assert.equal((await getTree(context.http)).tree_hash, before.tree_hash, 'tree_hash after the call')
    },
    sabotage: {
      'calls what is disabled covered': swapCode('ElementDisabled', 'ElementOccluded'),
    },
  },

  WindowGone: {
    level: 'SHOULD',
    text: 'An action in a window_uid that does not exist is WindowGone, 404.',
    source: `${sources.version2}, error codes`,
    basis: { because: 'The document lists the code, and leaves open when it is sent.' },
    covers: ['O-X4', 'O-R6'],
    check: async (context) => {
      await showScenario(context)
      const body = { ...OPEN, window_uid: `gone:${context.random.word()}` }
      assertRefusal(await context.http.post('/api/element/click', body), 'WindowGone')
    },
    sabotage: {
      'does not find windows that are gone': swapCode('WindowGone', 'ElementNotFound'),
    },
  },

  WindowOccluded: {
    level: 'MAY',
    text: 'An action in a window that others cover whole is WindowOccluded, 409.',
    source: `${sources.version2}, error codes`,
    basis: { because: 'The document lists the code, and leaves open when it is sent.' },
    covers: ['O-X5'],
    tier: 'full',
    check: (context) => assertProvoked(context, 'WindowOccluded'),
    sabotage: {
      'sees no windows in front of others': swapCode('WindowOccluded', 'ElementOccluded'),
    },
  },

  Timeout: {
    level: 'MUST',
    text: 'A wait that is not fulfilled in time is Timeout, 408.',
    source: `${sources.version2}, POST /api/wait_for`,
    basis: { states: 'A wait that ends without a match answers ok false with the code Timeout, elapsed_ms and polls.' },
    covers: ['O-X6', 'O-E22'],
    check: async ({ http, random }) => {
      const body = { any_of: [{ type: 'text_visible', regex: random.word(16) }], timeout_ms: 80 }
      assertRefusal(await http.post('/api/wait_for', body), 'Timeout')
    },
    sabotage: {
      'calls timeouts bad requests': swapCode('Timeout', 'BadRequest'),
    },
  },

  PatternUnsupported: {
    level: 'MAY',
    text: 'An action that the element does not support is PatternUnsupported, 501.',
    source: `${sources.version2}, error codes`,
    basis: { because: 'The document lists the code, and leaves open when it is sent.' },
    covers: ['O-X7'],
    tier: 'full',
    check: (context) => assertProvoked(context, 'PatternUnsupported'),
    sabotage: {
      'answers 400 for what an element cannot do': swapStatus('PatternUnsupported', 400),
    },
  },

  SnapshotExpired: {
    level: 'MUST',
    text: 'An unknown snapshot is SnapshotExpired, 410.',
    source: `${sources.version2}, error codes`,
    basis: { states: 'SnapshotExpired is a code of the table; snapshots live for five minutes.' },
    covers: ['O-X13', 'O-E28'],
    check: async ({ http, random }) => {
      assertRefusal(await http.get(`/api/snapshot/snap:${random.word(16)}`), 'SnapshotExpired')
    },
    sabotage: {
      'answers 404 for expired snapshots': swapStatus('SnapshotExpired', 404),
    },
  },

  ScenarioInvalid: {
    level: 'MUST',
    text: 'A scenario that cannot be loaded is ScenarioInvalid, 400.',
    source: `${sources.version2}, error codes`,
    basis: { states: 'ScenarioInvalid is a code of the table.' },
    covers: ['O-X14', 'O-E38'],
    tier: 'full',
    check: async (context) => {
      if (!context.profile.has('scenarios')) await requireCapability(context.http, 'scenarios')
      const answer = await context.http.post('/api/scenario/load', { path: `no-such-${context.random.word()}.yaml` })
      assertRefusal(answer, 'ScenarioInvalid')
    },
    sabotage: {
      'calls invalid scenarios bad requests': swapCode('ScenarioInvalid', 'BadRequest'),
    },
  },

  PlatformUnsupported: {
    level: 'MAY',
    text: 'An action that the machine does not support is PlatformUnsupported, 501.',
    source: `${sources.version2}, error codes`,
    basis: { because: 'The document lists the code, and leaves open when it is sent.' },
    covers: ['O-X15'],
    tier: 'full',
    check: (context) => assertProvoked(context, 'PlatformUnsupported'),
    sabotage: {
      'blames the element for the machine': swapCode('PlatformUnsupported', 'PatternUnsupported'),
    },
  },

  PredicateUnsupported: {
    level: 'MAY',
    text: 'A predicate that cannot be evaluated fails with PredicateUnsupported, and the others are judged all the same.',
    source: `${sources.version2}, error codes`,
    basis: { because: 'The document lists the code, and leaves open when it is sent.' },
    covers: ['O-X16'],
    tier: 'full',
    check: async (context) => {
      const answer = await provoke(context, 'PredicateUnsupported')
      assert.ok(answer.text.includes('PredicateUnsupported'), `it answers ${answer.text.slice(0, 300)}`)
    },
    sabotage: {
      'fails every predicate that it cannot evaluate': swapCode('PredicateUnsupported', 'BadRequest'),
    },
  },

  BadRequest: {
    level: 'MUST',
    text: 'A missing or mistyped argument is BadRequest, 400.',
    source: `${sources.version2}, error codes`,
    basis: { states: 'BadRequest is a code of the table, and a bad request is 400.' },
    covers: ['O-X17'],
    // Hundreds of requests.
    pool: 'dangerous',
    timeoutMs: 60_000,
    check: async ({ http, random }) => {
      for (const [name, operation] of Object.entries(observerContract.operations)) {
        const [method = '', path = ''] = name.split(' ')
        if (!operation.body || name === 'POST /api/action' || path.includes('{')) continue
        for (const { value, path: field } of breakOnce(operation.body, random.split(name), 'mistyped')) {
          if (field === 'expected' || field === 'dry_run' || field === 'context') continue
          const answer = await http.send({ method, path, raw: JSON.stringify(value), deliberate: true })
          assertStatus(answer, 400, `${name} with a wrong ${field}`)
          assert.equal(answer.json(Refusal).error.code, 'BadRequest', 'code')
        }
      }
    },
    sabotage: {
      'calls bad requests internal': swapCode('BadRequest', 'Internal'),
      'answers 500 for bad requests': changeStatus(400, 500),
    },
  },

  Internal: {
    level: 'SHOULD',
    text: 'No request of the suite, however malformed, is answered with a 5xx other than 501.',
    source: `${sources.version2}, error codes`,
    basis: {
      because: 'The document has the code Internal for failures of the server; a request should not provoke them.',
    },
    covers: ['O-X18'],
    pool: 'dangerous',
    timeoutMs: 60_000,
    check: async (context) => {
      if (context.profile.has('scenarios')) await showScenario(context)
      const { http, random } = context
      for (const [name, operation] of Object.entries(observerContract.operations)) {
        const [method = '', path = ''] = name.split(' ')
        if (!operation.body || SKIPPED.includes(name) || path.includes('{')) continue
        for (const sample of generateSamples(operation.body, random.split(name), 6)) {
          const raw = JSON.stringify(quick(sample))
          const answer = await http.send({ method, path, raw, deliberate: true })
          assert.ok(
            answer.status < 500 || answer.status === 501,
            `${name} answers ${answer.status} to ${raw}: ${answer.text.slice(0, 300)}`,
          )
        }
      }
    },
    sabotage: {
      'takes the blame for what is not there': changeStatus(404, 500),
    },
  },

  'index-gone': {
    level: 'SHOULD',
    text: 'An action in a window_index beyond the list is WindowGone, and acts nowhere else.',
    source: `${sources.version2}, error codes`,
    basis: { because: 'The document lists the code; the reference server acts on the focused window instead.' },
    covers: ['O-X4', 'O-R6'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const { http } = context
      const before = (await getWindows(http)).length
      const body = { ...OPEN, window_index: 99 }
      assertRefusal(await http.post('/api/element/click', body), 'WindowGone')
      assert.equal((await getWindows(http)).length, before, 'the action hit another window')
    },
    sabotage: {
      'acts in front of an index that is gone': onRequestBody((body) => {
        if (body.window_index === 99) delete body.window_index
      }),
    },
  },

  'other-window': {
    level: 'MUST',
    text: 'An action in a window_uid that does not exist acts in no other window.',
    source: `${sources.version2}, element actions`,
    basis: { states: 'An action names its window by window_uid.' },
    covers: ['O-R6', 'O-E10'],
    check: (context) => assertActsNowhere(context, { window_uid: `gone:${context.random.word()}` }),
    sabotage: {
      'acts in front when a window_uid is gone': onRequestBody((body) => {
        if (String(body.window_uid).startsWith('gone:')) delete body.window_uid
      }),
    },
  },

  'title-gone': {
    level: 'SHOULD',
    text: 'An action in a window_title that no window has acts in no other window.',
    source: sources.reference,
    basis: {
      because: 'The reference server takes window_title everywhere; a title that no window has selects no window.',
    },
    covers: ['O-R6', 'O-X4'],
    tier: 'full',
    check: (context) => assertActsNowhere(context, { window_title: context.random.word(12) }),
    sabotage: {
      'acts in front when a title is gone': onRequestBody((body) => {
        delete body.window_title
      }),
    },
  },

  'look-gone': {
    level: 'SHOULD',
    text: 'An observation of an unknown window_uid does not show another window.',
    source: `${sources.version2}, window_uid`,
    basis: {
      because: 'The document does not specify the response; another window would be mistaken for the requested one.',
    },
    covers: ['O-R6', 'O-X4'],
    tier: 'full',
    check: async (context) => {
      const { http, random } = context
      const window_uid = `gone:${random.word()}`
      for (const path of ['/api/structure', '/api/observe', '/api/description']) {
        const answer = await http.get(`${path}${toQuery({ window_uid })}`)
        assert.notEqual(answer.status, 200, `${path} shows another window: ${answer.text.slice(0, 200)}`)
      }
    },
    sabotage: {
      'shows the front for a window_uid that is gone': changePath((text) => text.replace(/window_uid=gone[^&]*/, '')),
    },
  },

  'disabled-dry': {
    level: 'SHOULD',
    text: 'A dry run of a click on a disabled element is ElementDisabled too.',
    source: `${sources.version2}, error codes`,
    basis: { because: 'The document does not specify what a dry run checks; its purpose is to predict the effect.' },
    covers: ['O-X3', 'O-R3'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const body = { selector: 'Button[name="Locked"]', dry_run: true }
      assertRefusal(await context.http.post('/api/element/click', body), 'ElementDisabled')
    },
    sabotage: {
      'lets dry runs click what is disabled': acceptRefused('ElementDisabled', hasInBody('"dry_run":true')),
    },
  },

  recoverable: {
    level: 'SHOULD',
    text: 'A wait that ran out is recoverable, for it can be tried again.',
    source: `${sources.version2}, error envelope`,
    basis: { because: 'The document names the field, and leaves open which codes are recoverable.' },
    covers: ['O-R4', 'O-X6'],
    tier: 'full',
    check: async ({ http, random }) => {
      const body = { any_of: [{ type: 'text_visible', regex: random.word(16) }], timeout_ms: 80 }
      assert.equal((await http.post('/api/wait_for', body)).json(Refusal).error.recoverable, true, 'recoverable')
    },
    sabotage: {
      'gives up for ever': onRefusal('Timeout', (response) => {
        ;(response.json as AnyJson).error.recoverable = false
      }),
    },
  },

  step: {
    level: 'SHOULD',
    text: 'A failure of version 2 has the step_id of its call.',
    source: `${sources.version2}, error envelope`,
    basis: { states: 'The sample of the error envelope has a step_id.' },
    covers: ['O-R4', 'O-R2'],
    tier: 'full',
    check: async (context) => {
      for (const answer of await Promise.all(failing(context)))
        answer.json(Refusal.extend({ step_id: z.int().positive() }))
    },
    sabotage: {
      'fails without a step': {
        changeResponse: (response) => {
          if (response.status >= 400 && response.json) delete (response.json as AnyJson).step_id
        },
      },
    },
  },
})
