import { observerContract } from '../../contract/observer.ts'
import { eachWith } from '../sabotage.ts'
import { inAnswer, type Loose, sabotages, status, type Trick } from './tools.ts'

const answer = inAnswer(observerContract)

const CLICK = 'POST /api/element/click'
const SET_VALUE = 'POST /api/element/set_value'

/** Changes the bodies of requests. */
const ask = (change: (body: Loose) => void): Trick => ({
  request: (request) => {
    try {
      const body = JSON.parse(request.body.toString())
      change(body)
      request.body = Buffer.from(JSON.stringify(body))
    } catch {
      // What is not JSON passes as it is.
    }
  },
})

/** Changes a query parameter before the server sees it. */
const asking = (name: string, value: string | undefined): Trick => ({
  request: (request) => {
    const url = new URL(request.path, 'http://host')
    if (!url.searchParams.has(name)) return
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    request.path = url.pathname + url.search
  },
})

const swapCode = (from: string, to: string): Trick => ({
  answer: (passing) =>
    eachWith(passing.json, 'code', (holder) => {
      if (holder.code === from) holder.code = to
    }),
})

const shift = (json: Loose) =>
  eachWith(json, 'bounds', (holder) => {
    holder.bounds = { ...(holder.bounds as object), x: (holder.bounds as { x: number }).x + 10 }
  })

/** Answers a route with what it answered first, for ever. */
function stale(path: string): Trick {
  let first: unknown
  return {
    answer: (passing, request) => {
      if (!request.path.startsWith(path) || passing.status !== 200) return
      first ??= passing.json
      passing.json = first
    },
  }
}

/** Answers POST with success without the server having seen it. */
const pretend = (path: string): Trick => ({
  request: (request) => {
    if (request.path === path)
      request.body = Buffer.from(JSON.stringify({ ...JSON.parse(request.body.toString()), dry_run: true }))
  },
  answer: (passing, request) => {
    if (request.path === path && passing.json) (passing.json as Loose).dry_run = false
  },
})

let counter = 0

/** What can go wrong in an observer although every answer has the right shape. */
export const observerSabotages = sabotages('observer', {
  'counts one window too many': [
    'windows:count',
    answer('GET /api/windows', (json) => {
      json.count++
    }),
  ],
  'numbers windows from 1': [
    'windows:count',
    answer('GET /api/windows', (json) => {
      for (const one of json.windows) one.index++
    }),
  ],
  'lists windows backwards': [
    'windows:order',
    answer('GET /api/windows', (json) => {
      json.windows.reverse()
    }),
  ],
  'focuses every window': [
    'windows:focus',
    answer('GET /api/windows', (json) => {
      for (const one of json.windows) one.focused = true
    }),
  ],
  'gives windows new uids each time': [
    'windows:uids',
    answer('GET /api/windows', (json) => {
      for (const one of json.windows) one.window_uid += counter++
    }),
  ],
  'hides that it is synthetic': [
    'windows:mock',
    answer('GET /api/windows', (json) => {
      json.is_mock = false
    }),
  ],
  'counts one element too few': [
    'structure:count',
    answer('GET /api/structure', (json) => {
      json.element_count--
    }),
  ],
  'counts one node too many': [
    'structure:count',
    answer('GET /api/structure', (json) => {
      json.node_count++
    }),
  ],
  'loses the last child': [
    'structure:count find:element',
    answer('GET /api/structure', (json) => {
      json.tree?.children.pop()
    }),
  ],
  'ignores window_uid': ['structure:window', asking('window_uid', undefined)],
  'ignores window_index': ['structure:window', asking('window_index', undefined)],
  'gives two elements one id': [
    'structure:ids',
    answer('GET /api/structure', (json) => {
      for (const one of json.tree?.children ?? []) one.id = 'same'
    }),
  ],
  'shifts bounds in trees': ['structure:bounds find:element', answer('GET /api/structure', shift)],
  'focuses every element': [
    'structure:focus',
    answer('GET /api/structure', (json) =>
      eachWith(json.tree, 'focused', (node) => {
        node.focused = true
      }),
    ),
  ],
  'hashes something else': [
    'structure:hash',
    {
      answer: (passing) =>
        eachWith(passing.json, 'tree_hash', (holder) => {
          if (holder.tree_hash) holder.tree_hash = `sha1:${'0'.repeat(40)}`
        }),
    },
  ],
  'never renews its trees': ['receipt:hashes observe:full', stale('/api/structure')],
  'ignores roles': ['structure:roles', asking('roles', undefined)],
  'ignores exclude_roles': ['structure:exclude-roles', asking('exclude_roles', undefined)],
  'ignores name_regex': ['structure:name-regex', asking('name_regex', undefined)],
  'ignores visible_only': ['structure:visible-only', asking('visible_only', undefined)],
  'ignores max_text_len': ['structure:max-text', asking('max_text_len', undefined)],
  'ignores max_nodes': ['structure:pages', asking('max_nodes', undefined)],
  'repeats the first page': ['structure:pages', asking('page_cursor', undefined)],
  'accepts any index': ['structure:bad-index', asking('window_index', '0')],
  'describes another window': [
    'description:window',
    answer('GET /api/description', (json) => {
      json.accessibility = json.accessibility.replace(/Window .*/, 'Window : other')
    }),
  ],
  'describes by mode': [
    'description:mode',
    answer('GET /api/description', (json, request) => {
      if (request.path.includes('mode=')) json.accessibility = 'another text'
    }),
  ],
  'has no description': [
    'description:text',
    answer('GET /api/description', (json) => {
      delete json.description
    }),
  ],
  'echoes another grid': [
    'sketch:size',
    answer('GET /api/sketch', (json) => {
      json.grid_width++
    }),
  ],
  'draws too wide': [
    'sketch:size',
    answer('GET /api/sketch', (json) => {
      json.sketch = json.sketch.replace(/^.*$/m, (line: string) => line.padEnd(json.grid_width + 1, '-'))
    }),
  ],
  'draws in Unicode': [
    'sketch:default',
    answer('GET /api/sketch', (json) => {
      json.sketch = json.sketch.replaceAll('+', '┌').replaceAll('|', '│')
    }),
  ],
  'draws nameless boxes': [
    'sketch:names',
    answer('GET /api/sketch', (json) => {
      json.sketch = json.sketch.replace(/[A-Za-z]/g, ' ')
    }),
  ],
  'sends a JPEG': [
    'screenshot:png',
    answer('GET /api/screenshot', (json) => {
      json.data = Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64')
    }),
  ],
  'shows the screen for a window': [
    'screenshot:window',
    {
      request: (request) => {
        if (request.path.startsWith('/api/screenshot?')) request.path = '/api/screenshot'
      },
    },
  ],
  'shows a window for the screen': [
    'screenshot:screen',
    {
      request: (request) => {
        if (request.path === '/api/screenshot') request.path += '?window_index=0'
      },
    },
  ],
  'shows an old picture': ['screenshot:follows', stale('/api/screenshot?')],
  'crops elsewhere': [
    'screenshot:cropped',
    answer('GET /api/screenshot/cropped', (json) => {
      if (json.source_bbox) json.source_bbox.x += 3
    }),
  ],
  'lies about the size of the screen': [
    'screenshot:full',
    answer('GET /api/full_screenshot', (json) => {
      json.width++
    }),
  ],
  'sees regions outside the window': [
    'visible:regions',
    answer('GET /api/visible_areas', (json) => {
      for (const one of json.visible_regions) one.x -= 500
    }),
  ],
  'reads words outside the picture': [
    'ocr:words',
    answer('GET /api/ocr', (json) => {
      for (const one of json.words) one.bbox.x += 10_000
    }),
  ],
  'finds shifted bounds': ['find:element', answer('GET /api/find_element', shift)],
  'finds another element': [
    'find:element find:matches',
    answer('GET /api/find_element', (json) => {
      json.element_id = `${json.element_id}x`
    }),
  ],
  'counts one match only': [
    'find:matches',
    answer('GET /api/find_element', (json) => {
      json.ambiguous_matches = 1
      json.all_matches.length = 1
    }),
  ],
  'finds the last match first': [
    'find:matches',
    answer('GET /api/find_element', (json) => {
      json.all_matches.reverse()
    }),
  ],
  'names selectors that find nothing': [
    'find:canonical',
    answer('GET /api/find_element', (json) => {
      json.selector = 'Window/Nothing'
    }),
  ],
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
  'gives up on timeouts': [
    'error:Timeout',
    {
      answer: (passing) =>
        eachWith(passing.json, 'recoverable', (holder) => {
          holder.recoverable = false
        }),
    },
  ],
  'says nothing changed': [
    'receipt:hashes',
    answer(SET_VALUE, (json) => {
      json.changed = false
    }),
  ],
  'says everything changed': [
    'receipt:hashes',
    answer(CLICK, (json) => {
      json.changed = true
    }),
  ],
  'hashes before as after': [
    'receipt:hashes',
    answer(SET_VALUE, (json) => {
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
  'names the action click': [
    'receipt:target',
    answer(CLICK, (json) => {
      json.action = 'click'
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
    'wait:idle',
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
  'drops what is gone': [
    'snapshot:drop',
    answer('DELETE /api/snapshot/{id}', (json) => {
      json.dropped = true
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
  'grows no steps': [
    'health:steps',
    answer('GET /api/healthz', (json) => {
      json.step_count = 7
    }),
  ],
  'names another adapter': [
    'capabilities:adapter',
    answer('GET /api/capabilities', (json) => {
      json.adapter = 'Other'
    }),
  ],
  'has no primary monitor': [
    'monitors:primary',
    answer('GET /api/monitors', (json) => {
      for (const one of json.monitors) one.primary = false
    }),
  ],
  'scales wrongly': [
    'monitors:scale',
    answer('GET /api/monitors', (json) => {
      for (const one of json.monitors) one.scale_factor = 2
    }),
  ],
  'hides a metric': [
    'metrics:names',
    {
      answer: (passing, request) => {
        if (request.path === '/api/metrics')
          passing.body = Buffer.from(passing.body.toString().replace(/oso_active_trace/g, 'oso_trace'))
      },
    },
  ],
  'traces without a metric': [
    'metrics:trace',
    {
      answer: (passing, request) => {
        if (request.path === '/api/metrics')
          passing.body = Buffer.from(passing.body.toString().replace(/^oso_active_trace.*$/m, 'oso_active_trace 0'))
      },
    },
  ],
  'has no page': [
    'inspector:page',
    {
      answer: (passing, request) => {
        if (request.path === '/') passing.headers['content-type'] = 'application/json'
      },
    },
  ],
  'lacks a tool': [
    'tools:list',
    answer('GET /api/tools', (json) => {
      json.tools.pop()
    }),
  ],
  'runs another tool': [
    'tools:route',
    {
      request: (request) => {
        if (request.path.startsWith('/api/tool/')) request.path = '/api/tool/get_monitors'
      },
    },
  ],
  'trusts every host': [
    'guard:host',
    {
      request: (request) => {
        delete request.headers.host
      },
    },
  ],
  'trusts every page': [
    'guard:origin',
    {
      request: (request) => {
        delete request.headers.origin
      },
    },
  ],
  'reads any content type': [
    'guard:content-type',
    {
      request: (request) => {
        if (request.headers['content-type']) request.headers['content-type'] = 'application/json'
      },
    },
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
