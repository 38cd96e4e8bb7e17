import { eachWith } from '../../sabotage.ts'
import { type Loose, sabotages, status, type Trick } from '../behaviors.ts'
import { answer, ask, asking, pretend, shift, stale, swapCode } from './behaviors.ts'

const CLICK = 'POST /api/element/click'

/** What an observer may do or remember wrongly although every answer has the right shape. */
export const actingSabotages = sabotages('observer', {
  'never renews its trees': ['receipt:hashes observe:full', stale('/api/structure')],
  'answers 404 with another code': ['error:ElementNotFound', swapCode('ElementNotFound', 'WindowGone')],
  'calls bad requests internal': ['error:BadRequest', swapCode('BadRequest', 'Internal')],
  'answers 500 for bad requests': ['error:BadRequest', status(400, 500)],
  'answers 200 for failures': [
    'error:status error:ElementNotFound',
    {
      answer: (passing) => {
        if (passing.status >= 400) passing.status = 200
      },
    },
  ],
  'speaks HTML about errors': [
    'error:json',
    {
      answer: (passing) => {
        if (passing.status < 400) return
        passing.json = undefined
        passing.headers['content-type'] = 'text/html'
        passing.body = Buffer.from('<!doctype html>')
      },
    },
  ],
  'suggests tools that do not exist': [
    'error:suggestion',
    {
      answer: (passing) =>
        eachWith(passing.json, 'suggested_next_tool', (holder) => {
          if (holder.suggested_next_tool) holder.suggested_next_tool = 'pray'
        }),
    },
  ],
  'leaks what it redacts': [
    'redaction:leaks redaction:tree',
    {
      answer: (passing) => {
        if (passing.json === undefined) return
        passing.json = JSON.parse(JSON.stringify(passing.json).replaceAll('[REDACTED]', 'hunter22'))
      },
    },
  ],
  'takes a confirmation token twice': [
    'confirm:once',
    {
      answer: (passing) => {
        const { error } = (passing.json ?? {}) as { readonly error?: { readonly code?: string } }
        if (error?.code !== 'ConfirmationInvalid') return
        passing.status = 200
        passing.json = { ok: true, success: true }
      },
    },
  ],
  'calls timeouts bad requests': ['error:Timeout', swapCode('Timeout', 'BadRequest')],
  'says nothing changed': [
    'receipt:hashes',
    answer(CLICK, (json) => {
      json.changed = false
    }),
  ],
  'says everything changed': [
    'receipt:dry-run',
    answer(CLICK, (json) => {
      json.changed = true
    }),
  ],
  'hashes before as after': [
    'receipt:hashes',
    answer(CLICK, (json) => {
      json.after.tree_hash = json.before.tree_hash
    }),
  ],
  'targets another element': [
    'receipt:target',
    answer(CLICK, (json) => {
      json.target.element_id = 'other'
    }),
  ],
  'targets shifted bounds': [
    'receipt:target',
    answer(CLICK, (json) => {
      json.target.bounds.x++
    }),
  ],
  'numbers every step 1': [
    'receipt:steps',
    {
      answer: (passing) =>
        eachWith(passing.json, 'step_id', (holder) => {
          holder.step_id = 1
        }),
    },
  ],
  'forgets what caused a step': [
    'receipt:steps',
    {
      answer: (passing) =>
        eachWith(passing.json, 'caused_by_step_id', (holder) => {
          holder.caused_by_step_id = null
        }),
    },
  ],
  'hides new dialogs': [
    'receipt:dialogs',
    answer(CLICK, (json) => {
      json.new_dialogs = []
    }),
  ],
  'acts in dry runs': [
    'receipt:dry-run',
    {
      ...ask((body) => delete body.dry_run),
      answer: (passing, request) => {
        if (request.path.startsWith('/api/element/') && passing.json) (passing.json as Loose).dry_run = true
      },
    },
  ],
  'acts in no run at all': ['element:click element:focus', pretend('/api/element/click')],
  'clears text that is to stay': [
    'element:set-value',
    ask((body) => {
      if (body.clear_first === false) delete body.clear_first
    }),
  ],
  'counts options from 1': [
    'element:select',
    ask((body) => {
      if (body.option_index > 0) body.option_index--
    }),
  ],
  'clicks beside buttons': [
    'action:hit',
    ask((body) => {
      if (body.action === 'click_at') body.x += 500
    }),
  ],
  'acts in dry runs by coordinates': [
    'action:dry-run',
    ask((body, { path }) => {
      if (path === '/api/action') delete body.dry_run
    }),
  ],
  'adds what was there before': [
    'observe:siblings',
    answer('GET /api/observe', (json) => {
      if (json.format === 'custom' && json.changes.length > 0)
        json.changes.push({ op: 'remove', path: '1/4' }, { op: 'add', path: '1/4', node: {} })
    }),
  ],
  'matches conditions without arguments': [
    'wait:incomplete',
    {
      answer: (passing, request) => {
        if (request.path !== '/api/wait_for' || !request.body.includes('"text_visible"}')) return
        passing.status = 200
        passing.json = { ok: true, success: true, matched_index: 0, matched_detail: {}, elapsed_ms: 1, polls: 1 }
      },
    },
  ],
  'types in capitals': [
    'action:effect',
    ask((body) => {
      if (body.action === 'type') body.value = body.value.toUpperCase()
    }),
  ],
  'clicks beside the point': [
    'action:effect',
    ask((body) => {
      if (body.action === 'click_at') body.x += 500
    }),
  ],
  'accepts unknown actions': [
    'action:unknown',
    {
      answer: (passing, request) => {
        if (request.path === '/api/action' && passing.status === 400) {
          passing.status = 200
          passing.json = { success: true, action: 'key' }
        }
      },
    },
  ],
  'echoes another action': [
    'action:click',
    answer('POST /api/action', (json) => {
      json.action = 'act'
    }),
  ],
  'sees only whole trees': ['observe:unchanged observe:base', asking('since', undefined)],
  'sees no change': [
    'observe:json-patch',
    answer('GET /api/observe', (json) => {
      if (json.changes) json.changes = []
    }),
  ],
  'forgets one change': [
    'observe:json-patch observe:custom',
    answer('GET /api/observe', (json) => {
      json.changes?.pop()
    }),
  ],
  'patches the wrong place': [
    'observe:json-patch',
    answer('GET /api/observe', (json) => {
      for (const one of json.changes ?? [])
        one.path = String(one.path).replace(/\d+/, (index: string) => String(Number(index) + 1))
    }),
  ],
  'calls changes no change': [
    'observe:unchanged',
    answer('GET /api/observe', (json) => {
      if ('unchanged' in json) json.unchanged = !json.unchanged
    }),
  ],
  'names another base': [
    'observe:base',
    answer('GET /api/observe', (json) => {
      if (json.base_token) json.base_token = 'tt:0000000000000000'
    }),
  ],
  'observes before it acts': ['composite:type composite:click composite:key', observeEarly()],
  'matches the last condition': [
    'wait:first',
    answer('POST /api/wait_for', (json) => {
      json.matched_index++
    }),
  ],
  'never waits': [
    'wait:in-time',
    {
      answer: (passing) => {
        if (passing.status === 408) (passing.json as Loose).elapsed_ms = 0
      },
    },
  ],
  'waits for ever': [
    'wait:in-time',
    {
      answer: (passing) => {
        if (passing.status === 408) (passing.json as Loose).elapsed_ms = 60_000
      },
    },
  ],
  'matches what is not there': [
    'wait:text-visible error:Timeout',
    {
      answer: (passing) => {
        if (passing.status === 408) {
          passing.status = 200
          passing.json = { ok: true, success: true, matched_index: 0, matched_detail: {}, elapsed_ms: 1, polls: 1 }
        }
      },
    },
  ],
  'is idle at once': [
    'wait:idle-told',
    answer('POST /api/wait_idle', (json) => {
      json.elapsed_ms = 0
    }),
  ],
  'snapshots shifted trees': ['snapshot:content', answer('GET /api/snapshot/{id}', (json) => shift(json.trees))],
  'snapshots stale hashes': [
    'snapshot:content',
    answer('GET /api/snapshot/{id}', (json) => {
      for (const uid of Object.keys(json.tree_hashes)) json.tree_hashes[uid] = 'sha1:00'
    }),
  ],
  'sees no new window': [
    'snapshot:diff',
    answer('POST /api/snapshot/diff', (json) => {
      json.windows_added = []
    }),
  ],
  'compares snapshots without changes': [
    'snapshot:diff',
    answer('POST /api/snapshot/diff', (json) => {
      for (const one of Object.values(json.per_window_changes) as Loose[]) one.changes = []
    }),
  ],
  'keeps what is dropped': [
    'snapshot:drop',
    {
      request: (request) => {
        if (request.method === 'DELETE') request.path += 'x'
      },
      answer: (passing, request) => {
        if (request.method === 'DELETE' && passing.json) (passing.json as Loose).dropped = true
      },
    },
  ],
  'forgets old snapshots early': ['snapshot:capacity', forgetSnapshots(10)],
  'counts trace steps wrongly': [
    'trace:status trace:stop',
    answer('GET /api/trace/status', (json) => {
      json.step_count = 0
    }),
  ],
  'stops another trace': [
    'trace:stop',
    answer('POST /api/trace/stop', (json) => {
      json.trace_id = 'trace-0'
    }),
  ],
  'never stops tracing': [
    'trace:stop',
    answer('GET /api/trace/status', (json) => {
      json.active_trace_id ??= 'trace-0'
    }),
  ],
  'replays without looking': [
    'replay:diverges',
    answer('POST /api/replay/status', (json) => {
      json.divergences = []
    }),
  ],
  'always diverges': [
    'replay:verify',
    answer('POST /api/replay/status', (json) => {
      json.divergences = [{ tool: 'list_windows' }]
    }),
  ],
  'ends replays early': [
    'replay:verify',
    answer('POST /api/replay/step', (json) => {
      json.finished = true
    }),
  ],
  'reuses replay ids': [
    'replay:ids',
    answer('POST /api/replay/start', (json) => {
      json.replay_id = 'rep:1'
    }),
  ],
  'starts in another state': [
    'scenario:load',
    answer('POST /api/scenario/load', (json) => {
      json.state = 'other'
    }),
  ],
  'loads without starting again': ['scenario:reset', loadOnce()],
  'passes every predicate': [
    'oracle:element-exists oracle:all',
    answer('POST /api/assert_state', (json) => {
      for (const one of json.results) one.passed = true
    }),
  ],
  'fails every predicate': [
    'oracle:element-exists',
    answer('POST /api/assert_state', (json) => {
      for (const one of json.results) one.passed = false
    }),
  ],
  'passes all when one fails': [
    'oracle:all',
    answer('POST /api/assert_state', (json) => {
      json.all_passed = true
    }),
  ],
  'judges backwards': [
    'oracle:all oracle:window-exists',
    answer('POST /api/assert_state', (json) => {
      json.results.reverse()
    }),
  ],
  'always has budgets': [
    'budget:unset',
    answer('GET /api/budget_status', (json) => {
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

/** The observation of a composite is the last one that was asked for. */
function observeEarly(): Trick {
  let last: unknown
  return {
    answer: (passing) => {
      const json = passing.json as Loose
      if (json?.observation === undefined) return
      const now = json.observation
      json.observation = last ?? now
      last = now
    },
  }
}

function forgetSnapshots(capacity: number): Trick {
  const held: string[] = []
  return {
    answer: (passing) => {
      const id = (passing.json as Loose)?.snapshot_id
      if (typeof id === 'string') held.push(id)
    },
    request: (request) => {
      const id = /^\/api\/snapshot\/([^/?]+)$/.exec(request.path)?.[1]
      if (id !== undefined && held.includes(id) && !held.slice(-capacity).includes(id)) request.path += 'x'
    },
  }
}

function loadOnce(): Trick {
  const loaded = new Map<string, unknown>()
  let skip: unknown
  return {
    request: (request) => {
      if (request.path !== '/api/scenario/load') return
      skip = loaded.get(request.body.toString())
      if (skip !== undefined) Object.assign(request, { path: '/api/windows', method: 'GET', body: Buffer.alloc(0) })
    },
    answer: (passing, request) => {
      if (skip !== undefined && request.path === '/api/windows') passing.json = skip
      if (request.path === '/api/scenario/load' && passing.status === 200)
        loaded.set(request.body.toString(), passing.json)
      skip = undefined
    },
  }
}
