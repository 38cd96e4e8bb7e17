import { decode, encode } from '../../../compare/pixels.ts'
import type { PassingRequest } from '../../sabotage.ts'
import { type Loose, sabotages, type Trick } from '../behaviors.ts'
import { answer, ask, letsPass, swapCode } from './behaviors.ts'

const at = (path: string) => (request: PassingRequest) => request.path.startsWith(path)

/** What an observer may let pass although its operator has limited, hidden or forbidden it. */
export const gatingSabotages = sabotages('observer', {
  'counts dry runs': ['budget:dry-run', countsUp()],
  'takes cropped pictures for nothing': ['budget:pictures', letsPass('BudgetExceeded', at('/api/screenshot/cropped'))],
  'goes on after its session': ['budget:session', swapCode('BudgetExceeded', 'RateLimited')],
  'observes what it redacts': [
    'redaction:composites',
    answer('POST /api/element/click_and_observe', (json) => {
      json.observation.secret = 'hunter22'
    }),
  ],
  'lists titles that it redacts': [
    'redaction:titles',
    answer('GET /api/windows', (json) => {
      for (const one of json.windows) if (one.window_uid === 'mock:notes') one.title = 'Notes'
    }),
  ],
  'paints what it redacts': ['redaction:pixels', otherPixels()],
  'sketches what it must not look at': ['allowlist:looking', neverRefuses('/api/sketch')],
  'confirms any element': ['confirm:other', letsPass('ConfirmationInvalid', at('/api/element/click'))],
  'uses tokens up by failing': ['confirm:kept', burns()],
  'takes a token for the spelling it was proposed with': [
    'confirm:by-id',
    ask((body, { path }) => {
      if (path === '/api/propose_action' && body.args?.element_id !== undefined)
        body.args = { selector: 'Button[name="Save"]' }
    }),
  ],
  'asks for a token in dry runs': [
    'confirm:dry-run',
    ask((body) => {
      if (String(body.selector).includes('Delete') && body.confirm_token === undefined) delete body.dry_run
    }),
  ],
  'keeps tokens for ever': ['confirm:ttl', letsPass('ConfirmationInvalid', at('/api/element/click'))],
})

/** The number of actions that were used grows by itself. */
function countsUp(): Trick {
  let more = 0
  return answer('GET /api/budget_status', (json) => {
    if (json.actions) json.actions.used += more++
  })
}

/** Answers what is refused as if it had been done. */
function neverRefuses(path: string): Trick {
  return {
    answer: (passing, request) => {
      if (!request.path.startsWith(path) || passing.status < 400) return
      passing.status = 200
      passing.json = { ok: true }
    },
  }
}

/** After an attempt with another button no token is good. */
function burns(): Trick {
  const burnt = new Set<unknown>()
  const tokenOf = ({ body }: PassingRequest): unknown => (JSON.parse(body.toString() || '{}') as Loose).confirm_token
  return {
    request: (request) => {
      if (request.path !== '/api/element/click') return
      if (burnt.has(tokenOf(request)))
        request.body = Buffer.from(JSON.stringify({ ...JSON.parse(request.body.toString()), confirm_token: 'ct:0' }))
    },
    answer: (passing, request) => {
      if (request.path === '/api/element/click' && passing.status === 412) burnt.add(tokenOf(request))
    },
  }
}

/** What is painted in the first field differs from picture to picture. */
function otherPixels(): Trick {
  let shade = 0
  return answer('GET /api/screenshot', (json) => {
    const { width, height, data } = decode(json.data, 'a picture')
    shade = (shade + 50) % 256
    data.fill(shade, (75 * width + 40) * 4, (75 * width + 60) * 4)
    json.data = encode({ width, height, data })
  })
}
