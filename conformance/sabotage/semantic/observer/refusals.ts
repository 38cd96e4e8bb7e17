import {
  acceptRefused,
  onRefusal,
  onRequestBody,
  onSuccessOf,
  shiftBounds,
  swapCode,
} from '../../../observer/sabotage.ts'
import { type AnyJson, changeStatus, defineSabotages, type SabotageBehavior } from '../../behaviors.ts'

/** Replaces the status of a refusal. */
const swapStatus = (code: string, to: number): SabotageBehavior =>
  onRefusal(code, (response) => {
    response.status = to
  })

const holds = (text: string) => (request: { readonly body: Buffer }) => request.body.includes(text)
const at = (path: string) => (request: { readonly path: string }) => request.path.startsWith(path)

/** Faults in refusals and counts, with correct shapes. */
export const refusalSabotages = defineSabotages('observer', {
  'says ok to what it refuses': [
    'error:object',
    {
      changeResponse: (response) => {
        if (response.status >= 400 && response.json) (response.json as AnyJson).ok = true
      },
    },
  ],
  'says success to an action it refuses': [
    'error:legacy',
    {
      changeResponse: (response, request) => {
        if (request.path === '/api/action' && response.status === 400) (response.json as AnyJson).success = true
      },
    },
  ],
  'does not find what is off the screen': ['error:ElementOccluded', swapCode('ElementOccluded', 'ElementNotFound')],
  'calls what is disabled covered': ['error:ElementDisabled', swapCode('ElementDisabled', 'ElementOccluded')],
  'does not find windows that are gone': ['error:WindowGone', swapCode('WindowGone', 'ElementNotFound')],
  'acts in front of an index that is gone': [
    'error:index-gone',
    onRequestBody((body) => {
      if (body.window_index === 99) delete body.window_index
    }),
  ],
  'takes limits that make no sense': [
    'structure:nonsense',
    {
      changeRequest: (request) => {
        request.path = request.path.replace(/max_(nodes|text_len)=(0|-1)$/, '')
      },
    },
  ],
  'answers 404 for expired snapshots': ['error:SnapshotExpired', swapStatus('SnapshotExpired', 404)],
  'calls invalid scenarios bad requests': ['error:ScenarioInvalid', swapCode('ScenarioInvalid', 'BadRequest')],
  'takes the blame for what is not there': ['error:Internal', changeStatus(404, 500)],
  'sees no windows in front of others': ['error:WindowOccluded', swapCode('WindowOccluded', 'ElementOccluded')],
  'answers 400 for what an element cannot do': ['error:PatternUnsupported', swapStatus('PatternUnsupported', 400)],
  'blames the element for the machine': [
    'error:PlatformUnsupported',
    swapCode('PlatformUnsupported', 'PatternUnsupported'),
  ],
  'acts on half an action': [
    'action:mistyped',
    {
      changeResponse: (response, request) => {
        if (request.path !== '/api/action' || response.status !== 400 || !request.body.includes('"type"')) return
        response.status = 200
        response.json = { success: true, action: 'type' }
      },
    },
  ],
  'drags by points only': [
    'element:drag',
    {
      changeResponse: (response, request) => {
        if (request.path === '/api/drag' && request.body.includes('selector')) response.status = 400
      },
    },
  ],
  'does not look for nothing': ['find:missing', swapCode('BadRequest', 'ElementNotFound', '/api/find_element')],
  'does not find what it was not given': ['receipt:missing', swapCode('BadRequest', 'ElementNotFound', '/api/element')],
  'takes the blame for a second trace': ['trace:twice', swapCode('BadRequest', 'Internal', '/api/trace')],
  'replays in any mode': ['replay:arguments', acceptRefused('BadRequest', at('/api/replay/start'))],
  'fails when it is asked nothing': ['oracle:empty', swapCode('BadRequest', 'PredicateUnsupported', '/api/assert')],
  'waits for nothing': ['wait:empty', swapCode('BadRequest', 'Timeout', '/api/wait_for')],
  'knows every tool': [
    'tools:unknown',
    {
      changeResponse: (response, request) => {
        if (request.path.startsWith('/api/tool/') && response.status >= 400) (response.json as AnyJson).ok = true
      },
    },
  ],
  'acts on GET': [
    'guard:get',
    {
      changeRequest: (request) => {
        const { pathname, searchParams } = new URL(request.path, 'http://host')
        if (request.method !== 'GET' || pathname !== '/api/tool/click_element') return
        const body = Buffer.from(JSON.stringify(Object.fromEntries(searchParams)))
        Object.assign(request, { method: 'POST', path: pathname, body })
        request.headers['content-type'] = 'application/json'
      },
    },
  ],
  'refuses windows beyond the last': [
    'structure:large-index',
    changeStatus(200, 404, ({ path }) => path.includes('window_index=999')),
  ],
  'draws any grid': [
    'sketch:bounded',
    {
      changeResponse: (response, request) => {
        if (!request.path.includes('grid_width=100000000')) return
        response.status = 200
        response.json = { window: '', grid_width: 1e8, grid_height: 1e8, sketch: ' '.repeat(11_000_000) }
      },
    },
  ],
  'is never ready': ['health:ready', changeStatus(200, 503, at('/api/healthz'))],
  'has one action more than it says': [
    'budget:counts',
    onSuccessOf('GET /api/budget_status', (json) => {
      if (json.actions) json.actions.remaining++
    }),
  ],
  'measures more actions than there were': [
    'metrics:budget',
    {
      changeResponse: (response, request) => {
        if (request.path === '/api/metrics')
          response.body = Buffer.from(response.body.toString().replace(/^oso_actions_used .*$/m, 'oso_actions_used 99'))
      },
    },
  ],
  'calls a used budget haste': ['budget:actions', swapCode('BudgetExceeded', 'RateLimited')],
  'hovers for nothing': ['budget:every-action', acceptRefused('BudgetExceeded', at('/api/hover'))],
  'takes pictures for nothing': ['budget:screenshots', takesPictures()],
  'calls haste a used budget': ['budget:rate', swapCode('RateLimited', 'BudgetExceeded')],
  'hides that it redacts': [
    'redaction:status',
    onSuccessOf('GET /api/redaction_status', (json) => {
      json.active = false
    }),
  ],
  'calls denied tools bad requests': ['allowlist:denied', swapCode('PermissionDenied', 'BadRequest')],
  'denies what is allowed': ['allowlist:allowed', deniesClicks()],
  'forgets what it denies by the other way': [
    'allowlist:ways',
    acceptRefused('PermissionDenied', at('/api/tool/get_full_screenshot')),
  ],
  'asks for another confirmation': [
    'confirm:required',
    swapCode('ConfirmationRequired', 'ConfirmationInvalid', '/api/element'),
  ],
  'proposes to click elsewhere': ['confirm:token', onSuccessOf('POST /api/propose_action', shiftBounds)],
  'needs no confirmation for an id': ['confirm:spelling', acceptRefused('ConfirmationRequired', holds('element_id'))],
  'refuses a confirmation it does not need': [
    'confirm:unneeded',
    {
      changeResponse: (response, request) => {
        if (request.body.includes('confirm_token') && request.body.includes('Save')) response.status = 412
      },
    },
  ],
  'knows no old token': [
    'observe:stale',
    {
      changeResponse: (response, request) => {
        if (request.path.includes('since=') && (response.json as AnyJson)?.format === 'full') response.status = 410
      },
    },
  ],
})

/** Denies an allowed click on the field. */
function deniesClicks(): SabotageBehavior {
  return {
    changeResponse: (response, request) => {
      if (request.path !== '/api/element/click' || !request.body.includes('"Note\\"')) return
      const context = {}
      const error = { code: 'PermissionDenied', message: 'no', recoverable: false, suggested_next_tool: null, context }
      response.status = 403
      response.json = { ok: false, success: false, error }
    },
  }
}

/** Answers a refused picture as if it had been taken. */
function takesPictures(): SabotageBehavior {
  return {
    changeResponse: (response, request) => {
      if (request.path.startsWith('/api/screenshot') && response.status >= 400) response.status = 200
    },
  }
}
