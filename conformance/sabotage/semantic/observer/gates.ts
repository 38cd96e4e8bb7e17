import { decode, encode } from '../../../compare/pixels.ts'
import { acceptRefused, onRequestBody, onSuccessOf, swapCode } from '../../../observer/sabotage.ts'
import { type AnyJson, defineSabotages, type SabotageBehavior } from '../../behaviors.ts'
import type { ProxiedRequest } from '../../sabotage.ts'

const at = (path: string) => (request: ProxiedRequest) => request.path.startsWith(path)

/** Faults in budgets, redaction and permissions. */
export const gateSabotages = defineSabotages('observer', {
  'counts dry runs': ['budget:dry-run', countsUp()],
  'takes cropped pictures for nothing': [
    'budget:pictures',
    acceptRefused('BudgetExceeded', at('/api/screenshot/cropped')),
  ],
  'goes on after its session': ['budget:session', swapCode('BudgetExceeded', 'RateLimited')],
  'observes what it redacts': [
    'redaction:composites',
    onSuccessOf('POST /api/element/click_and_observe', (json) => {
      json.observation.secret = 'hunter22'
    }),
  ],
  'lists titles that it redacts': [
    'redaction:titles',
    onSuccessOf('GET /api/windows', (json) => {
      for (const one of json.windows) if (one.window_uid === 'mock:notes') one.title = 'Notes'
    }),
  ],
  'paints what it redacts': ['redaction:pixels', otherPixels()],
  'sketches what it must not look at': ['allowlist:looking', neverRefuses('/api/sketch')],
  'confirms any element': ['confirm:other', acceptRefused('ConfirmationInvalid', at('/api/element/click'))],
  'uses tokens up by failing': ['confirm:kept', burns()],
  'takes a token for the spelling it was proposed with': [
    'confirm:by-id',
    onRequestBody((body, { path }) => {
      if (path === '/api/propose_action' && body.args?.element_id !== undefined)
        body.args = { selector: 'Button[name="Save"]' }
    }),
  ],
  'asks for a token in dry runs': [
    'confirm:dry-run',
    onRequestBody((body) => {
      if (String(body.selector).includes('Delete') && body.confirm_token === undefined) delete body.dry_run
    }),
  ],
  'keeps tokens for ever': ['confirm:ttl', acceptRefused('ConfirmationInvalid', at('/api/element/click'))],
})

/** Increments the number of used actions on each response. */
function countsUp(): SabotageBehavior {
  let more = 0
  return onSuccessOf('GET /api/budget_status', (json) => {
    if (json.actions) json.actions.used += more++
  })
}

/** Reports success for refused requests. */
function neverRefuses(path: string): SabotageBehavior {
  return {
    changeResponse: (response, request) => {
      if (!request.path.startsWith(path) || response.status < 400) return
      response.status = 200
      response.json = { ok: true }
    },
  }
}

/** After an attempt with another button no token is good. */
function burns(): SabotageBehavior {
  const burnt = new Set<unknown>()
  const tokenOf = ({ body }: ProxiedRequest): unknown => (JSON.parse(body.toString() || '{}') as AnyJson).confirm_token
  return {
    changeRequest: (request) => {
      if (request.path !== '/api/element/click') return
      if (burnt.has(tokenOf(request)))
        request.body = Buffer.from(JSON.stringify({ ...JSON.parse(request.body.toString()), confirm_token: 'ct:0' }))
    },
    changeResponse: (response, request) => {
      if (request.path === '/api/element/click' && response.status === 412) burnt.add(tokenOf(request))
    },
  }
}

/** Changes the pixels of the first field from picture to picture. */
function otherPixels(): SabotageBehavior {
  let shade = 0
  return onSuccessOf('GET /api/screenshot', (json) => {
    const { width, height, data } = decode(json.data, 'a picture')
    shade = (shade + 50) % 256
    data.fill(shade, (75 * width + 40) * 4, (75 * width + 60) * 4)
    json.data = encode({ width, height, data })
  })
}
