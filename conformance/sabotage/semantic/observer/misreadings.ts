import { changeQuery, forceDryRun, onRequestBody, onSuccessOf } from '../../../observer/sabotage.ts'
import { defineSabotages, type SabotageBehavior } from '../../behaviors.ts'

const ACTION = 'POST /api/action'

/** Reports another action name. */
const calls = (done: string, name: string): SabotageBehavior =>
  onSuccessOf(ACTION, (json) => {
    if (json.action === done) json.action = name
  })

/** Replaces every selector. */
const reads = (change: (selector: string) => string): SabotageBehavior => ({
  changeRequest: (request) => {
    const url = new URL(request.path, 'http://host')
    const selector = url.searchParams.get('selector')
    if (selector === null || url.pathname !== '/api/find_element') return
    url.searchParams.set('selector', change(selector))
    request.path = url.pathname + url.search
  },
})

/** Ignores one predicate of selectors. */
const ignores = (predicate: string) =>
  reads((selector) => selector.replace(new RegExp(`\\[${predicate}=[^\\]]*\\]`), ''))

/** Judges every predicate of a kind alike. */
const judges = (kind: string, passed: boolean): SabotageBehavior =>
  onSuccessOf('POST /api/assert_state', (json) => {
    for (const one of json.results) if (one.kind === kind) one.passed = passed
  })

/** Waits for another condition. */
const waitsFor = (type: string, instead: string): SabotageBehavior =>
  onRequestBody((body, { path }) => {
    if (path !== '/api/wait_for' || !Array.isArray(body.any_of)) return
    for (const one of body.any_of) if (one?.type === type) one.type = instead
  })

/** Faults in selectors, predicates and actions, with correct shapes. */
export const misreadingSabotages = defineSabotages('observer', {
  'calls typing writing': ['action:type', calls('type', 'write')],
  'calls keys presses': ['action:key', calls('key', 'press')],
  'calls scrolling wheeling': ['action:scroll', calls('scroll', 'wheel')],
  'types nothing': [
    'scenario:reaction',
    onRequestBody((body) => {
      if (body.action === 'type') body.value = ''
    }),
  ],
  'invokes nothing': ['element:invoke', forceDryRun('/api/element/invoke')],
  'sends keys to nobody': ['element:key', forceDryRun('/api/element/key')],
  'clears nothing': ['element:clear-text', forceDryRun('/api/element/clear_text')],
  'hovers over points only': [
    'element:hover',
    {
      changeResponse: (response, request) => {
        if (request.path === '/api/hover' && request.body.includes('selector')) response.status = 400
      },
    },
  ],
  'right-clicks another element': [
    'element:right-click',
    onSuccessOf('POST /api/element/right_click', (json) => {
      json.target.element_id = 'other'
    }),
  ],
  'double-clicks another element': [
    'element:double-click',
    onSuccessOf('POST /api/element/double_click', (json) => {
      json.target.element_id = 'other'
    }),
  ],
  'leaves windows where they are': [
    'element:foreground',
    {
      changeRequest: (request) => {
        if (request.path.startsWith('/api/bring_to_foreground')) request.path = '/api/windows'
      },
    },
  ],
  'does not say which window it took': [
    'receipt:both-windows',
    onSuccessOf('POST /api/element/click', (json, request) => {
      if (request.body.includes('window_index')) delete json.warning
    }),
  ],
  'does not say that several match': [
    'receipt:ambiguous',
    onSuccessOf('POST /api/element/click', (json, request) => {
      if (request.body.includes('Twin')) delete json.warning
    }),
  ],
  'steps over generations': ['selector:path', reads((selector) => selector.replace(/(?<=\w)\/(?=\w)/g, ' '))],
  'takes grandchildren for children': ['selector:child', reads((selector) => selector.replaceAll(' > ', ' '))],
  'descends one level': ['selector:descendant', reads((selector) => selector.replace(/^(\w+) (\w+)$/, '$1 > $2'))],
  'counts ten matches at most': [
    'find:counts-all',
    onSuccessOf('GET /api/find_element', (json) => {
      json.ambiguous_matches = Math.min(json.ambiguous_matches, 10)
    }),
  ],
  'passes over pseudo-classes': ['find:unknown-pseudo', reads((selector) => selector.replace(/:[\w-]+\(.*\)$/, ''))],
  'forgets to escape': [
    'find:quotes',
    onSuccessOf('GET /api/find_element', (json) => {
      json.selector = json.selector.replaceAll('\\', '')
    }),
  ],
  'compares the ends of names': ['selector:name', reads((selector) => selector.replace('[name="', '[name~=".*'))],
  'compares the beginnings of names': [
    'selector:name-regex',
    reads((selector) => selector.replace(/(\[name~="[^"]*)"/, '$1.*"')),
  ],
  'compares no values': ['selector:value', ignores('value')],
  'compares no roles': ['selector:role', ignores('role')],
  'compares no shortcuts': ['selector:shortcut', ignores('keyboard_shortcut')],
  'finds what is disabled as well': ['selector:enabled', ignores('enabled')],
  'finds what has no focus as well': ['selector:focused', ignores('focused')],
  'counts siblings from 1': [
    'selector:index',
    reads((selector) => selector.replace(/\[index=(\d+)\]/, (_, index: string) => `[index=${Number(index) + 1}]`)),
  ],
  'counts siblings of a type from 0': [
    'selector:nth',
    reads((selector) =>
      selector.replace(/nth-of-type\((\d+)\)/, (_, nth: string) => `nth-of-type(${Number(nth) + 1})`),
    ),
  ],
  'misses nothing': ['oracle:element-absent', judges('element_absent', false)],
  'takes every value for equal': ['oracle:value-equals', judges('value_equals', true)],
  'takes every value for a match': ['oracle:value-matches', judges('value_matches', true)],
  'sees every text': ['oracle:text-visible', judges('text_visible', true)],
  'takes every window for focused': ['oracle:window-focused', judges('window_focused', true)],
  'takes every hash for equal': ['oracle:tree-hash', judges('tree_hash_equals', true)],
  'takes every picture for similar': ['oracle:screenshot', judges('screenshot_similar', true)],
  'observes under another hash': [
    'observe:hash',
    onSuccessOf('GET /api/observe', (json) => {
      json.tree_hash = 'sha1:00'
    }),
  ],
  'composes without since': [
    'composite:since',
    onRequestBody((body, { path }) => {
      if (path.endsWith('_and_observe')) delete body.since
    }),
  ],
  'shows windows by turns': ['screenshot:stable', byTurns()],
  'snapshots what is there now': [
    'snapshot:keeps',
    onSuccessOf('GET /api/snapshot/{id}', (json) => {
      json.ts = `${Date.now()}-${Math.random()}`
    }),
  ],
  'sees changes where there are none': [
    'snapshot:same',
    onSuccessOf('POST /api/snapshot/diff', (json) => {
      json.windows_added.push('mock:ghost')
    }),
  ],
  'looks at the second window': [
    'structure:default',
    {
      changeRequest: (request) => {
        if (/^\/api\/structure(?!.*window_)/.test(request.path))
          request.path += `${request.path.includes('?') ? '&' : '?'}window_index=1`
      },
    },
  ],
  'replays in another mode': [
    'replay:execute',
    onSuccessOf('POST /api/replay/start', (json) => {
      json.mode = 'verify'
    }),
  ],
  'never stops a replay': [
    'replay:stop',
    {
      changeRequest: (request) => {
        if (request.path === '/api/replay/stop') request.path = '/api/replay/status'
      },
    },
  ],
  'waits for what is there to go': ['wait:element-appears', waitsFor('element_appears', 'element_disappears')],
  'waits for what is gone to come': ['wait:element-disappears', waitsFor('element_disappears', 'element_appears')],
  'waits for a window as for a text': [
    'wait:window-appears',
    onRequestBody((body) => {
      for (const one of body.any_of ?? [])
        if (one?.type === 'window_appears') Object.assign(one, { type: 'text_visible', regex: '.' })
    }),
  ],
  'waits for a window that is gone to come': [
    'wait:window-disappears',
    waitsFor('window_disappears', 'window_appears'),
  ],
  'sees no tree change': ['wait:tree-changes', waitsFor('tree_changes', 'focused_changes')],
  'sees the focus change at once': [
    'wait:focused-changes',
    {
      changeResponse: (response, request) => {
        if (response.status !== 408 || !request.body.includes('focused_changes')) return
        response.status = 200
        response.json = { ok: true, success: true, matched_index: 0, matched_detail: {}, elapsed_ms: 1, polls: 1 }
      },
    },
  ],
})

/** Every other picture of a window is that of another one. */
function byTurns(): SabotageBehavior {
  let count = 0
  const other = changeQuery('window_index', '1')
  return {
    changeRequest: (request) => {
      if (request.path.startsWith('/api/screenshot?') && count++ % 2 === 1) other.changeRequest?.(request)
    },
  }
}
