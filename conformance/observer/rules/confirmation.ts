import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { center } from '../../compare/rectangle.ts'
import type { HttpProbe } from '../../probe/http.ts'
import type { AnyJson } from '../../suite/behaviors.ts'
import { AUXILIARY_CHECK, defineRules } from '../../suite/rules.ts'
import type { ProxiedRequest, SabotageBehavior } from '../../suite/sabotage.ts'
import { assertForbidden, openGuardedServer, openPreparedServer } from '../auxiliary.ts'
import { sources } from '../document.ts'
import {
  actOnElement,
  assertRefusal,
  getElementByName,
  getTree,
  parseSuccess,
  showScenario,
  toQuery,
} from '../driver.ts'
import { acceptRefused, isOnPath, onRequestBody, onSuccessOf, shiftBounds, swapCode } from '../sabotage.ts'
import { FoundElement, ProposedAction } from '../shapes.ts'

const DELETE = { selector: 'Button[name="Delete all"]' }

const propose = async (http: HttpProbe, args: object = DELETE) =>
  parseSuccess(await http.post('/api/propose_action', { action: 'click_element', args }), ProposedAction)

/** Fails unless a token for another element is refused. */
async function misuse(http: HttpProbe): Promise<void> {
  const { confirm_token } = await propose(http, { selector: 'Button[name="Save"]' })
  assertRefusal(await http.post('/api/element/click', { ...DELETE, confirm_token }), 'ConfirmationInvalid')
}

/** The second that a token of that server lives, and a little more. */
const TTL_MS = 1500

const holds = (text: string) => (request: { readonly body: Buffer }) => request.body.includes(text)

/** Confirmation tokens. */
export const confirmRules = defineRules('confirm', ['confirm:token'], {
  required: {
    level: 'MUST',
    text: 'An action on an element that a rule names is ConfirmationRequired, 412, and has no effect.',
    source: sources.confirmation,
    basis: {
      states:
        'confirmation_required names elements by role and name_regex, and ConfirmationRequired is a code of the table.',
    },
    covers: ['O-X11', 'O-G5'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openGuardedServer(context)
      const before = await getTree(http)
      assertRefusal(await http.post('/api/element/click', DELETE), 'ConfirmationRequired')
      assert.equal((await getTree(http)).tree_hash, before.tree_hash, 'tree_hash after the call')
    },
    sabotage: {
      'asks for another confirmation': swapCode('ConfirmationRequired', 'ConfirmationInvalid', '/api/element'),
    },
  },

  token: {
    level: 'MUST',
    text: 'The token of propose_action lets the action through.',
    source: sources.confirmation,
    basis: { states: 'propose_action answers with a confirm_token, which actions take.' },
    covers: ['O-E42', 'O-G5'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openGuardedServer(context)
      const { confirm_token, would_target } = await propose(http)
      assert.deepEqual(would_target.bounds, (await getElementByName(http, 'Delete all')).bounds, 'bounds')
      await actOnElement(http, 'click', { ...DELETE, confirm_token })
    },
    sabotage: {
      'proposes to click elsewhere': onSuccessOf('POST /api/propose_action', shiftBounds),
    },
  },

  once: {
    level: 'SHOULD',
    text: 'A token that was used is ConfirmationInvalid, 412.',
    source: sources.confirmation,
    basis: {
      because: 'The document bounds a token by time and place only; used twice, it would confirm another action.',
    },
    covers: ['O-X12', 'O-G5'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openGuardedServer(context)
      const { confirm_token } = await propose(http)
      await actOnElement(http, 'click', { ...DELETE, confirm_token })
      assertRefusal(await http.post('/api/element/click', { ...DELETE, confirm_token }), 'ConfirmationInvalid')
    },
    sabotage: {
      'takes a confirmation token twice': {
        changeResponse: (response) => {
          const { error } = (response.json ?? {}) as { readonly error?: { readonly code?: string } }
          if (error?.code !== 'ConfirmationInvalid') return
          response.status = 200
          response.json = { ok: true, success: true }
        },
      },
    },
  },

  spelling: {
    level: 'SHOULD',
    text: 'A rule holds for the element, however it is named, and for a click on its coordinates.',
    source: sources.confirmation,
    basis: { because: 'A rule names elements; an agent could pass it by another spelling otherwise.' },
    covers: ['O-G5'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openGuardedServer(context)
      const { element_id } = parseSuccess(await http.get(`/api/find_element${toQuery(DELETE)}`), FoundElement)
      const names = [
        { element_id },
        { selector: '//Button[name~="Delete.*"]' },
        { selector: 'Pane[name="Buttons"] Button[index=3]' },
      ]
      for (const by of names) assertRefusal(await http.post('/api/element/click', by), 'ConfirmationRequired')
      const point = center((await getElementByName(http, 'Delete all')).bounds)
      const answer = await http.post('/api/action', { action: 'click_at', ...point })
      assertForbidden(answer, 'ConfirmationRequired')
    },
    sabotage: {
      'needs no confirmation for an id': acceptRefused('ConfirmationRequired', holds('element_id')),
    },
  },

  unneeded: {
    level: 'MUST',
    text: 'propose_action answers for any action, and a token that was not needed does no harm.',
    source: sources.confirmation,
    basis: { states: 'propose_action takes any action with its args, and confirm_token is an optional argument.' },
    covers: ['O-E42'],
    check: async (context) => {
      await showScenario(context)
      const { confirm_token } = await propose(context.http, { selector: 'Button[name="Save"]' })
      await actOnElement(context.http, 'click', { selector: 'Button[name="Save"]', confirm_token })
    },
    sabotage: {
      'refuses a confirmation it does not need': {
        changeResponse: (response, request) => {
          if (request.body.includes('confirm_token') && request.body.includes('Save')) response.status = 412
        },
      },
    },
  },

  other: {
    level: 'MUST',
    text: 'A token for another element is ConfirmationInvalid, 412.',
    source: sources.confirmation,
    basis: {
      states: 'A token belongs to the element that would_target names; ConfirmationInvalid is a code of the table.',
    },
    covers: ['O-X12', 'O-G5'],
    ...AUXILIARY_CHECK,
    check: async (context) => misuse(await openGuardedServer(context)),
    sabotage: {
      'confirms any element': acceptRefused('ConfirmationInvalid', isOnPath('/api/element/click')),
    },
  },

  kept: {
    level: 'SHOULD',
    text: 'An attempt that fails does not use a token up.',
    source: sources.confirmation,
    basis: { because: 'The document does not cover failed attempts; a mistake would cost the confirmation.' },
    covers: ['O-X12', 'O-G5'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openGuardedServer(context)
      const { confirm_token } = await propose(http)
      const misused = { selector: 'Button[name="Delete all"]', button: 'right', confirm_token }
      const answer = await http.post('/api/element/click', misused)
      // A rule may cover the other button as well.
      if (answer.status === 200) return
      await actOnElement(http, 'click', { ...DELETE, confirm_token })
    },
    sabotage: {
      'uses tokens up by failing': burns(),
    },
  },

  'by-id': {
    level: 'SHOULD',
    text: 'A token proposed by id fits the same element named by a selector.',
    source: sources.confirmation,
    basis: { because: 'The token names a target; the document does not specify that its spelling matters.' },
    covers: ['O-G5', 'O-E42'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openGuardedServer(context)
      const { element_id } = parseSuccess(await http.get(`/api/find_element${toQuery(DELETE)}`), FoundElement)
      const { confirm_token } = await propose(http, { element_id })
      await actOnElement(http, 'click', { ...DELETE, confirm_token })
    },
    sabotage: {
      'takes a token for the spelling it was proposed with': onRequestBody((body, { path }) => {
        if (path === '/api/propose_action' && body.args?.element_id !== undefined)
          body.args = { selector: 'Button[name="Save"]' }
      }),
    },
  },

  'dry-run': {
    level: 'SHOULD',
    text: 'A dry run needs no token.',
    source: sources.confirmation,
    basis: { because: 'The document does not specify this; a dry run has no effect to confirm.' },
    covers: ['O-G5', 'O-R3'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const { dry_run } = await actOnElement(await openGuardedServer(context), 'click', { ...DELETE, dry_run: true })
      assert.equal(dry_run, true, 'dry_run')
    },
    sabotage: {
      'asks for a token in dry runs': onRequestBody((body) => {
        if (String(body.selector).includes('Delete') && body.confirm_token === undefined) delete body.dry_run
      }),
    },
  },

  ttl: {
    level: 'SHOULD',
    text: 'After ttl_seconds a token is ConfirmationInvalid, 412.',
    source: sources.confirmation,
    basis: { states: 'config.confirmation has ttl_seconds.' },
    covers: ['O-X12', 'O-G5'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await openPreparedServer(context, 'brief')
      const { confirm_token } = await propose(http)
      await pause(TTL_MS)
      assertRefusal(await http.post('/api/element/click', { ...DELETE, confirm_token }), 'ConfirmationInvalid')
    },
    sabotage: {
      'keeps tokens for ever': acceptRefused('ConfirmationInvalid', isOnPath('/api/element/click')),
    },
  },
})

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
