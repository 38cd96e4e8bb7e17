import {
  changeQuery,
  forceDryRun,
  onRequestBody,
  onSuccessOf,
  serveStale,
  shiftBounds,
  swapCode,
} from '../../../observer/sabotage.ts'
import { type AnyJson, changeStatus, defineSabotages, type SabotageBehavior } from '../../behaviors.ts'
import { forEachWithKey } from '../../sabotage.ts'

const CLICK = 'POST /api/element/click'

/** Faults in actions and state, with correct shapes. */
export const actingSabotages = defineSabotages('observer', {
  'never renews its trees': ['receipt:hashes observe:full', serveStale('/api/structure')],
  'answers 404 with another code': ['error:ElementNotFound', swapCode('ElementNotFound', 'WindowGone')],
  'calls bad requests internal': ['error:BadRequest', swapCode('BadRequest', 'Internal')],
  'answers 500 for bad requests': ['error:BadRequest', changeStatus(400, 500)],
  'answers 200 for failures': [
    'error:status error:ElementNotFound',
    {
      changeResponse: (response) => {
        if (response.status >= 400) response.status = 200
      },
    },
  ],
  'speaks HTML about errors': [
    'error:json',
    {
      changeResponse: (response) => {
        if (response.status < 400) return
        response.json = undefined
        response.headers['content-type'] = 'text/html'
        response.body = Buffer.from('<!doctype html>')
      },
    },
  ],
  'suggests tools that do not exist': [
    'error:suggestion',
    {
      changeResponse: (response) =>
        forEachWithKey(response.json, 'suggested_next_tool', (holder) => {
          if (holder.suggested_next_tool) holder.suggested_next_tool = 'pray'
        }),
    },
  ],
  'leaks what it redacts': [
    'redaction:leaks redaction:tree',
    {
      changeResponse: (response) => {
        if (response.json === undefined) return
        response.json = JSON.parse(JSON.stringify(response.json).replaceAll('[REDACTED]', 'hunter22'))
      },
    },
  ],
  'takes a confirmation token twice': [
    'confirm:once',
    {
      changeResponse: (response) => {
        const { error } = (response.json ?? {}) as { readonly error?: { readonly code?: string } }
        if (error?.code !== 'ConfirmationInvalid') return
        response.status = 200
        response.json = { ok: true, success: true }
      },
    },
  ],
  'calls timeouts bad requests': ['error:Timeout', swapCode('Timeout', 'BadRequest')],
  'says nothing changed': [
    'receipt:hashes',
    onSuccessOf(CLICK, (json) => {
      json.changed = false
    }),
  ],
  'says everything changed': [
    'receipt:dry-run',
    onSuccessOf(CLICK, (json) => {
      json.changed = true
    }),
  ],
  'hashes before as after': [
    'receipt:hashes',
    onSuccessOf(CLICK, (json) => {
      json.after.tree_hash = json.before.tree_hash
    }),
  ],
  'targets another element': [
    'receipt:target',
    onSuccessOf(CLICK, (json) => {
      json.target.element_id = 'other'
    }),
  ],
  'targets shifted bounds': [
    'receipt:target',
    onSuccessOf(CLICK, (json) => {
      json.target.bounds.x++
    }),
  ],
  'numbers every step 1': [
    'receipt:steps',
    {
      changeResponse: (response) =>
        forEachWithKey(response.json, 'step_id', (holder) => {
          holder.step_id = 1
        }),
    },
  ],
  'forgets what caused a step': [
    'receipt:steps',
    {
      changeResponse: (response) =>
        forEachWithKey(response.json, 'caused_by_step_id', (holder) => {
          holder.caused_by_step_id = null
        }),
    },
  ],
  'hides new dialogs': [
    'receipt:dialogs',
    onSuccessOf(CLICK, (json) => {
      json.new_dialogs = []
    }),
  ],
  'acts in dry runs': [
    'receipt:dry-run',
    {
      ...onRequestBody((body) => delete body.dry_run),
      changeResponse: (response, request) => {
        if (request.path.startsWith('/api/element/') && response.json) (response.json as AnyJson).dry_run = true
      },
    },
  ],
  'acts in no run at all': ['element:click element:focus', forceDryRun('/api/element/click')],
  'clears text that is to stay': [
    'element:set-value',
    onRequestBody((body) => {
      if (body.clear_first === false) delete body.clear_first
    }),
  ],
  'counts options from 1': [
    'element:select',
    onRequestBody((body) => {
      if (body.option_index > 0) body.option_index--
    }),
  ],
  'clicks beside buttons': [
    'action:hit',
    onRequestBody((body) => {
      if (body.action === 'click_at') body.x += 500
    }),
  ],
  'acts in dry runs by coordinates': [
    'action:dry-run',
    onRequestBody((body, { path }) => {
      if (path === '/api/action') delete body.dry_run
    }),
  ],
  'adds what was there before': [
    'observe:siblings',
    onSuccessOf('GET /api/observe', (json) => {
      if (json.format === 'custom' && json.changes.length > 0)
        json.changes.push({ op: 'remove', path: '1/4' }, { op: 'add', path: '1/4', node: {} })
    }),
  ],
  'matches conditions without arguments': [
    'wait:incomplete',
    {
      changeResponse: (response, request) => {
        if (request.path !== '/api/wait_for' || !request.body.includes('"text_visible"}')) return
        response.status = 200
        response.json = { ok: true, success: true, matched_index: 0, matched_detail: {}, elapsed_ms: 1, polls: 1 }
      },
    },
  ],
  'types in capitals': [
    'action:effect',
    onRequestBody((body) => {
      if (body.action === 'type') body.value = body.value.toUpperCase()
    }),
  ],
  'clicks beside the point': [
    'action:effect',
    onRequestBody((body) => {
      if (body.action === 'click_at') body.x += 500
    }),
  ],
  'accepts unknown actions': [
    'action:unknown',
    {
      changeResponse: (response, request) => {
        if (request.path === '/api/action' && response.status === 400) {
          response.status = 200
          response.json = { success: true, action: 'key' }
        }
      },
    },
  ],
  'echoes another action': [
    'action:click',
    onSuccessOf('POST /api/action', (json) => {
      json.action = 'act'
    }),
  ],
  'sees only whole trees': ['observe:unchanged observe:base', changeQuery('since', undefined)],
  'sees no change': [
    'observe:json-patch',
    onSuccessOf('GET /api/observe', (json) => {
      if (json.changes) json.changes = []
    }),
  ],
  'forgets one change': [
    'observe:json-patch observe:custom',
    onSuccessOf('GET /api/observe', (json) => {
      json.changes?.pop()
    }),
  ],
  'patches the wrong place': [
    'observe:json-patch',
    onSuccessOf('GET /api/observe', (json) => {
      for (const one of json.changes ?? [])
        one.path = String(one.path).replace(/\d+/, (index: string) => String(Number(index) + 1))
    }),
  ],
  'calls changes no change': [
    'observe:unchanged',
    onSuccessOf('GET /api/observe', (json) => {
      if ('unchanged' in json) json.unchanged = !json.unchanged
    }),
  ],
  'names another base': [
    'observe:base',
    onSuccessOf('GET /api/observe', (json) => {
      if (json.base_token) json.base_token = 'tt:0000000000000000'
    }),
  ],
  'observes before it acts': ['composite:type composite:click composite:key', observeEarly()],
  'matches the last condition': [
    'wait:first',
    onSuccessOf('POST /api/wait_for', (json) => {
      json.matched_index++
    }),
  ],
  'never waits': [
    'wait:in-time',
    {
      changeResponse: (response) => {
        if (response.status === 408) (response.json as AnyJson).elapsed_ms = 0
      },
    },
  ],
  'waits for ever': [
    'wait:in-time',
    {
      changeResponse: (response) => {
        if (response.status === 408) (response.json as AnyJson).elapsed_ms = 60_000
      },
    },
  ],
  'matches what is not there': [
    'wait:text-visible error:Timeout',
    {
      changeResponse: (response) => {
        if (response.status === 408) {
          response.status = 200
          response.json = { ok: true, success: true, matched_index: 0, matched_detail: {}, elapsed_ms: 1, polls: 1 }
        }
      },
    },
  ],
  'is idle at once': [
    'wait:idle-told',
    onSuccessOf('POST /api/wait_idle', (json) => {
      json.elapsed_ms = 0
    }),
  ],
  'snapshots shifted trees': [
    'snapshot:content',
    onSuccessOf('GET /api/snapshot/{id}', (json) => shiftBounds(json.trees)),
  ],
  'snapshots stale hashes': [
    'snapshot:content',
    onSuccessOf('GET /api/snapshot/{id}', (json) => {
      for (const uid of Object.keys(json.tree_hashes)) json.tree_hashes[uid] = 'sha1:00'
    }),
  ],
  'sees no new window': [
    'snapshot:diff',
    onSuccessOf('POST /api/snapshot/diff', (json) => {
      json.windows_added = []
    }),
  ],
  'compares snapshots without changes': [
    'snapshot:diff',
    onSuccessOf('POST /api/snapshot/diff', (json) => {
      for (const one of Object.values(json.per_window_changes) as AnyJson[]) one.changes = []
    }),
  ],
  'keeps what is dropped': [
    'snapshot:drop',
    {
      changeRequest: (request) => {
        if (request.method === 'DELETE') request.path += 'x'
      },
      changeResponse: (response, request) => {
        if (request.method === 'DELETE' && response.json) (response.json as AnyJson).dropped = true
      },
    },
  ],
  'forgets old snapshots early': ['snapshot:capacity', forgetSnapshots(10)],
  'counts trace steps wrongly': [
    'trace:status trace:stop',
    onSuccessOf('GET /api/trace/status', (json) => {
      json.step_count = 0
    }),
  ],
  'stops another trace': [
    'trace:stop',
    onSuccessOf('POST /api/trace/stop', (json) => {
      json.trace_id = 'trace-0'
    }),
  ],
  'never stops tracing': [
    'trace:stop',
    onSuccessOf('GET /api/trace/status', (json) => {
      json.active_trace_id ??= 'trace-0'
    }),
  ],
  'replays without looking': [
    'replay:diverges',
    onSuccessOf('POST /api/replay/status', (json) => {
      json.divergences = []
    }),
  ],
  'always diverges': [
    'replay:verify',
    onSuccessOf('POST /api/replay/status', (json) => {
      json.divergences = [{ tool: 'list_windows' }]
    }),
  ],
  'ends replays early': [
    'replay:verify',
    onSuccessOf('POST /api/replay/step', (json) => {
      json.finished = true
    }),
  ],
  'reuses replay ids': [
    'replay:ids',
    onSuccessOf('POST /api/replay/start', (json) => {
      json.replay_id = 'rep:1'
    }),
  ],
  'starts in another state': [
    'scenario:load',
    onSuccessOf('POST /api/scenario/load', (json) => {
      json.state = 'other'
    }),
  ],
  'loads without starting again': ['scenario:reset', loadOnce()],
  'passes every predicate': [
    'oracle:element-exists oracle:all',
    onSuccessOf('POST /api/assert_state', (json) => {
      for (const one of json.results) one.passed = true
    }),
  ],
  'fails every predicate': [
    'oracle:element-exists',
    onSuccessOf('POST /api/assert_state', (json) => {
      for (const one of json.results) one.passed = false
    }),
  ],
  'passes all when one fails': [
    'oracle:all',
    onSuccessOf('POST /api/assert_state', (json) => {
      json.all_passed = true
    }),
  ],
  'judges backwards': [
    'oracle:all oracle:window-exists',
    onSuccessOf('POST /api/assert_state', (json) => {
      json.results.reverse()
    }),
  ],
  'always has budgets': [
    'budget:unset',
    onSuccessOf('GET /api/budget_status', (json) => {
      const none = { used: 0, limit: null, remaining: null }
      Object.assign(json, {
        configured: true,
        actions: none,
        screenshots: none,
        vlm_tokens: none,
        session_seconds: none,
        actions_per_minute: none,
      })
    }),
  ],
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

function forgetSnapshots(capacity: number): SabotageBehavior {
  const held: string[] = []
  return {
    changeResponse: (response) => {
      const id = (response.json as AnyJson)?.snapshot_id
      if (typeof id === 'string') held.push(id)
    },
    changeRequest: (request) => {
      const id = /^\/api\/snapshot\/([^/?]+)$/.exec(request.path)?.[1]
      if (id !== undefined && held.includes(id) && !held.slice(-capacity).includes(id)) request.path += 'x'
    },
  }
}

function loadOnce(): SabotageBehavior {
  const loaded = new Map<string, unknown>()
  let skip: unknown
  return {
    changeRequest: (request) => {
      if (request.path !== '/api/scenario/load') return
      skip = loaded.get(request.body.toString())
      if (skip !== undefined) Object.assign(request, { path: '/api/windows', method: 'GET', body: Buffer.alloc(0) })
    },
    changeResponse: (response, request) => {
      if (skip !== undefined && request.path === '/api/windows') response.json = skip
      if (request.path === '/api/scenario/load' && response.status === 200)
        loaded.set(request.body.toString(), response.json)
      skip = undefined
    },
  }
}
